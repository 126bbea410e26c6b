import { pageRoute } from '#web/lib/page-route.ts';
import { paths } from '#web/lib/paths.ts';

export const organizationPages = [
  pageRoute(paths.organizations(), async () => (await import('./access-control.tsx')).AccessControl),
];
