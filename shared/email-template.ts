import * as z from 'zod/mini';
import { AutomationIds, AutomationOption } from './automation-link.ts';
import { BUDGETS } from './budgets.ts';
import { ContentCheck, Draft, Warnings } from './content-check.ts';
import { TemplatesQuery, TemplatesSummaryQuery } from './content-query.ts';
import { contentFields, LONGEST_NAME, newContentFields, newContentFieldsAfter } from './content-rules.ts';
import { ContentVersion } from './content-version.ts';
import { PART_NAMES, type Part } from './email/content.ts';
import { LANGUAGES, type Language } from './email/language.ts';
import { UNSUBSCRIBE } from './email/placeholder.ts';
import type { RouteTable } from './route.ts';
import { line } from './text.ts';

export const LanguageCode = z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]], {
  error: 'Choose one of the languages',
});

const row = {
  id: z.string(),
  name: z.string(),
  subject_line: z.string(),
  language_code: LanguageCode,
  is_active: z.boolean(),
  is_editable: z.boolean(),
  version: z.int(),
  created_at: z.iso.datetime(),
  /** Whether the caller may delete it and hand it over. */
  is_owner: z.boolean(),
  can_edit: z.boolean(),
  automations: z.array(AutomationOption),
};
/** `versions`: how many there are of it, itself included. */
export const EmailTemplateRow = z.object({ ...row, versions: z.int() });
export type EmailTemplateRow = z.infer<typeof EmailTemplateRow>;

const texts = {
  subject_line: z.string(),
  preheader: z.nullable(z.string()),
  pre_cta_content: z.string(),
  cta_text: z.string(),
  cta_url: z.string(),
  after_cta_content: z.nullable(z.string()),
  footer: z.string(),
};
export const EmailTemplate = z.object({ ...row, ...texts });
export type EmailTemplate = z.infer<typeof EmailTemplate>;

export const EmailTemplateDetail = z.object({
  emailTemplate: EmailTemplate,
  automations: z.array(AutomationOption),
  is_owner: z.boolean(),
  can_edit: z.boolean(),
  /** All of them, the first one first; empty if there is no other one. */
  versions: z.array(ContentVersion),
});
export type EmailTemplateDetail = z.infer<typeof EmailTemplateDetail>;

export const EmailTemplatesSummary = z.object({
  total: z.int(),
  found: z.int(),
  languages: z.array(LanguageCode),
});
export type EmailTemplatesSummary = z.infer<typeof EmailTemplatesSummary>;

export const TEMPLATE_EXISTS = 'A template with this content already exists';
export const CONTENT_LOCKED =
  'The content of a template cannot be changed: create a new version of it, or duplicate the template';

const Name = line('Template name is required', 'Template name', LONGEST_NAME);
const IsActive = z.boolean({ error: 'is_active must be true or false' });

const fields = { name: Name, ...contentFields, language_code: LanguageCode, is_active: IsActive };

export const NewEmailTemplate = z.object({
  ...fields,
  ...newContentFields,
  footer: z._default(newContentFields.footer, `{{${UNSUBSCRIBE}}}`),
  language_code: z._default(LanguageCode, 'en'),
  is_active: z._default(IsActive, true),
  automation_ids: z._default(AutomationIds, []),
});
export type NewEmailTemplate = z.infer<typeof NewEmailTemplate>;

export const CreatedEmailTemplate = z.extend(EmailTemplate, { warnings: z.optional(Warnings) });
export type CreatedEmailTemplate = z.infer<typeof CreatedEmailTemplate>;

/** All parts. Its name, its language, its status and its links are those of the version before. */
export const NewTemplateVersion = z.object(contentFields);
export type NewTemplateVersion = z.infer<typeof NewTemplateVersion>;
/** A part that is as it was is not refused by a rule that is younger. */
export const templateVersionAfter = (before: Partial<Record<Part, string | null>>) =>
  z.object(newContentFieldsAfter(before));

const CheckedEmailTemplate = z.object({
  name: Draft,
  ...(Object.fromEntries(PART_NAMES.map(part => [part, Draft])) as Record<Part, typeof Draft>),
  language_code: Draft,
  is_active: z.optional(IsActive),
  automation_ids: z.optional(AutomationIds),
});

/** Fields of the form. Content may be sent if it is unchanged. */
export const EmailTemplateChange = z.partial(z.object({ ...fields, automation_ids: AutomationIds }));
export type EmailTemplateChange = z.infer<typeof EmailTemplateChange>;

export const TemplateData = z.object({
  name: z.string(),
  ...texts,
  is_active: z.boolean(),
  language_code: LanguageCode,
  automation_ids: z.array(z.string()),
});
export type TemplateData = z.infer<typeof TemplateData>;

export const NO_MEMBER = 'Choose a member of the organization who may edit templates';
export const NewOwner = z.object({ user_id: z.uuid({ error: NO_MEMBER }) });

// biome-ignore format: a table of routes
export const emailTemplateRoutes = {
  'GET /api/email-templates': { id: 'listEmailTemplates', v1: true, mcp: true, permission: 'content:read',
    query: TemplatesQuery, answer: z.array(EmailTemplateRow),
    summary: 'A page of the email templates by name, of all or of those that a search and filters find' },
  'GET /api/email-templates-summary': { id: 'summarizeEmailTemplates', v1: true, permission: 'content:read',
    query: TemplatesSummaryQuery, answer: EmailTemplatesSummary,
    summary: 'How many email templates there are and a search and filters find, and their languages' },
  'POST /api/email-templates': { id: 'createEmailTemplate', v1: true, permission: 'content:edit',
    body: NewEmailTemplate, status: 201, answer: CreatedEmailTemplate,
    summary: 'Create an email template; its content cannot be changed afterwards' },
  'POST /api/email-templates-check': { id: 'checkEmailTemplate', v1: true, permission: 'content:read', budget: BUDGETS.contentChecks,
    body: CheckedEmailTemplate, answer: ContentCheck,
    summary: 'What creating this email template would refuse, and what it would warn of; nothing is stored' },
  'GET /api/email-templates/{emailTemplate}': { id: 'getEmailTemplate', v1: true, mcp: true, permission: 'content:read',
    answer: EmailTemplateDetail,
    summary: 'An email template with the automations that use it, and what the caller may do with it' },
  'PUT /api/email-templates/{emailTemplate}': { id: 'updateEmailTemplate', v1: true, permission: 'content:edit',
    body: EmailTemplateChange, answer: EmailTemplate,
    summary: 'Rename an email template, activate or deactivate it, or link it to automations' },
  'PUT /api/email-templates/{emailTemplate}/automations': { id: 'linkEmailTemplate', v1: true, permission: 'content:edit',
    body: z.object({ automation_ids: AutomationIds }), answer: EmailTemplate,
    summary: 'Link an email template to automations' },
  'PUT /api/email-templates/{emailTemplate}/owner': { id: 'handOverEmailTemplate', v1: true, permission: 'content:edit',
    body: NewOwner, answer: EmailTemplateDetail,
    summary: 'Make another member of the organization the owner of an email template' },
  'POST /api/email-templates/{emailTemplate}/versions': { id: 'createEmailTemplateVersion', v1: true, permission: 'content:edit',
    body: NewTemplateVersion, status: 201, answer: CreatedEmailTemplate,
    summary: 'Give an email template another wording, as a new version: it takes over the automations of this one, which is deactivated' },
  'POST /api/email-templates/{emailTemplate}/duplicate': { id: 'duplicateEmailTemplate', v1: true, permission: 'content:edit', scope: 'read',
    answer: z.object({ template_data: TemplateData }),
    summary: 'The content of an email template for the form of a new one' },
  'DELETE /api/email-templates/{emailTemplate}': { id: 'deleteEmailTemplate', v1: true, permission: 'content:edit',
    summary: 'Delete an email template' },
} as const satisfies RouteTable;
