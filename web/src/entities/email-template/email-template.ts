import type { EmailTemplate } from '#shared/email-template.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';

/** In milliseconds. */
export const RESULT_DURATION = 4000;

export const EMAIL_TEMPLATE = {
  noun: 'email template',
  nameOf: ({ name }) => name,
  home: paths.emailTemplates(),
  back: 'Back to Email Templates',
  resultDuration: RESULT_DURATION,
  one: 'GET /api/email-templates/{emailTemplate}',
  rows: 'GET /api/email-templates',
  put: 'PUT /api/email-templates/{emailTemplate}',
  remove: 'DELETE /api/email-templates/{emailTemplate}',
  paramsOf: emailTemplate => ({ emailTemplate }),
  activeField: 'is_active',
  changedOne: (detail, { automations = detail.automations, ...change }) => ({
    ...detail,
    emailTemplate: { ...detail.emailTemplate, ...change },
    automations: automations as typeof detail.automations,
  }),
  texts: {
    missing: "Template not found or you don't have permission to view it.",
    notLoaded: 'Failed to load email template details',
    switched: (_, active) => `Template ${active ? 'activated' : 'deactivated'} successfully!`,
    notSwitched: problem => serverMessageOr(problem, 'Failed to update template status'),
    deleted: () => 'Template deleted successfully!',
  },
} satisfies Entity<Pick<EmailTemplate, 'id' | 'name'>, 'GET /api/email-templates/{emailTemplate}'>;

/** The template of a page. */
export const useEmailTemplate = (id: string) => useEntity(EMAIL_TEMPLATE, id);

export const useLinkableAutomations = () => useOrganizationData('GET /api/automations-for-templates');
