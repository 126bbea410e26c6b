import { pageRoute } from '../../lib/page-route.ts';
import { paths } from '../../lib/paths.ts';

export const organizationPages = [
  pageRoute(paths.organizations(), async () => (await import('./access-control.tsx')).AccessControl),
];
