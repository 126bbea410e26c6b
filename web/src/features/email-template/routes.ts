import type { RouteObject } from 'react-router';
import { paths, patterns } from '../../lib/paths.ts';

export const emailTemplatePages: RouteObject[] = [
  {
    path: paths.emailTemplates(),
    lazy: async () => ({ Component: (await import('./email-templates-page.tsx')).EmailTemplatesPage }),
  },
  {
    path: paths.newEmailTemplate(),
    lazy: async () => ({ Component: (await import('./new-email-template-page.tsx')).NewEmailTemplatePage }),
  },
  {
    path: patterns.emailTemplate,
    lazy: async () => ({ Component: (await import('./email-template-page.tsx')).EmailTemplatePage }),
  },
  {
    path: patterns.editEmailTemplate,
    lazy: async () => ({ Component: (await import('./edit-email-template-page.tsx')).EditEmailTemplatePage }),
  },
];
