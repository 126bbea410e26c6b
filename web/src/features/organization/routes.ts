import type { RouteObject } from 'react-router';
import { paths } from '../../lib/paths.ts';

export const organizationPages: RouteObject[] = [
  {
    path: paths.organizations(),
    lazy: async () => ({ Component: (await import('./access-control.tsx')).AccessControl }),
  },
];
