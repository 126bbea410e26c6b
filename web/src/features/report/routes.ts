import { pageRoute } from '#web/lib/page-route.ts';
import { paths, patterns } from '#web/lib/paths.ts';

export const reportPages = [
  pageRoute(paths.reporting(), async () => (await import('./report-page.tsx')).ReportPage),
  pageRoute(patterns.combination, async () => (await import('./combination-page.tsx')).CombinationPage),
];
