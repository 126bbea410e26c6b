import { pageRoute } from '#web/lib/page-route.ts';
import { paths, patterns } from '#web/lib/paths.ts';

export const emailTemplatePages = [
  pageRoute(
    paths.emailTemplates(),
    async () => (await import('./email-templates-page.tsx')).EmailTemplatesPage,
  ),
  pageRoute(
    paths.newEmailTemplate(),
    async () => (await import('./new-email-template-page.tsx')).NewEmailTemplatePage,
  ),
  pageRoute(
    patterns.emailTemplate,
    async () => (await import('./email-template-page.tsx')).EmailTemplatePage,
  ),
  pageRoute(
    patterns.editEmailTemplate,
    async () => (await import('./edit-email-template-page.tsx')).EditEmailTemplatePage,
  ),
];
