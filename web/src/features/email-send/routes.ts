import { pageRoute } from '../../lib/page-route.ts';
import { paths } from '../../lib/paths.ts';

export const emailSendPages = [
  pageRoute(paths.sendingLog(), async () => (await import('./sending-log-page.tsx')).SendingLogPage),
];
