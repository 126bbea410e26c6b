import * as emailTemplates from '#core/content/email-template.ts';
import { emailTemplateRoutes } from '#shared/email-template.ts';
import { emailTemplate } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  emailTemplateRoutes,
  {
    'GET /api/email-templates': ({ active, query }) => emailTemplates.page({ table }, active, query),
    'GET /api/email-templates-summary': ({ active, query }) =>
      emailTemplates.summary({ table }, active.organization.id, query),
    'POST /api/email-templates': ({ active, body, now }) =>
      emailTemplates.create({ table, now }, active, body),
    'POST /api/email-templates-check': ({ active, body }) =>
      emailTemplates.check({ table }, active.organization.id, body),
    'GET /api/email-templates/{emailTemplate}': ({ emailTemplate }) =>
      emailTemplates.detail({ table }, emailTemplate),
    'PUT /api/email-templates/{emailTemplate}': ({ emailTemplate, body, now }) =>
      emailTemplates.change({ table, now }, emailTemplate, body),
    'PUT /api/email-templates/{emailTemplate}/automations': ({ emailTemplate, body, now }) =>
      emailTemplates.change({ table, now }, emailTemplate, body),
    'PUT /api/email-templates/{emailTemplate}/owner': ({ active, emailTemplate, body, now }) =>
      emailTemplates.handOver({ table, now }, active, emailTemplate, body.user_id),
    'POST /api/email-templates/{emailTemplate}/duplicate': async ({ emailTemplate }) => ({
      template_data: await emailTemplates.dataOf({ table }, emailTemplate),
    }),
    'DELETE /api/email-templates/{emailTemplate}': ({ emailTemplate, now }) =>
      emailTemplates.remove({ table, now }, emailTemplate),
  },
  { emailTemplate },
);
