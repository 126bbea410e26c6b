import { PARTS, type Part } from '../../../../shared/email/content.ts';
import type { EmailTemplate } from '../../../../shared/email-template.ts';

type Settings = { name: string; is_active: boolean; automation_ids: string[] };

/** What of a template its form can change. */
export const settingsOfTemplate = ({ name, is_active, automations }: EmailTemplate): Settings => ({
  name,
  is_active,
  automation_ids: automations.map(({ id }) => id),
});

/** Only what differs: saving it does not overwrite changes of other users. */
export function changesOfTemplate(before: Settings, after: Partial<Settings>): Partial<Settings> {
  const { name, is_active, automation_ids } = after;
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(is_active !== undefined && is_active !== before.is_active && { is_active }),
    ...(automation_ids && !isSame(automation_ids, before.automation_ids) && { automation_ids }),
  };
}

const isSame = (some: string[], others: string[]) =>
  some.length === others.length && some.every(id => others.includes(id));

type Texts = { [Name in Part]?: string | null | undefined };

/** What of a template, or of its form, is the content of an email. */
export const contentOfTemplate = (template: Texts): Texts =>
  Object.fromEntries(Object.keys(PARTS).map(part => [part, template[part as Part]]));
