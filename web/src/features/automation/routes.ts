import { pageRoute } from '#web/lib/page-route.ts';
import { paths, patterns } from '#web/lib/paths.ts';

export const automationPages = [
  pageRoute(paths.automations(), async () => (await import('./automations-page.tsx')).AutomationsPage),
  pageRoute(
    paths.newAutomation(),
    async () => (await import('./automation-form-page.tsx')).NewAutomationPage,
  ),
  pageRoute(patterns.automation, async () => (await import('./automation-page.tsx')).AutomationPage),
  pageRoute(
    patterns.editAutomation,
    async () => (await import('./automation-form-page.tsx')).EditAutomationPage,
  ),
];
