import { PARTS, type Part } from '../../../../shared/email/content.ts';
import type { EmailTemplate } from '../../../../shared/email-template.ts';

type Settings = { name: string; is_active: boolean; automation_ids: string[] };

/** What of a template its form can change. */
export const settingsOfTemplate = ({ name, is_active, automations }: EmailTemplate): Settings => ({
  name,
  is_active,
  automation_ids: automations.map(({ id }) => id).sort(),
});

type Texts = { [Name in Part]?: string | null | undefined };

/** What of a template, or of its form, is the content of an email. */
export const contentOfTemplate = (template: Texts): Texts =>
  Object.fromEntries(Object.keys(PARTS).map(part => [part, template[part as Part]]));
