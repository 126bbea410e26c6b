import { pageRoute } from '#web/lib/page-route.ts';
import { paths } from '#web/lib/paths.ts';

export const emailSendPages = [
  pageRoute(paths.sendingLog(), async () => (await import('./sending-log-page.tsx')).SendingLogPage),
];
