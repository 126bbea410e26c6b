import type { EmailTemplate } from '#shared/email-template.ts';

type Settings = { name: string; is_active: boolean; automation_ids: string[] };

/** The fields of a template that its form can change. */
export const settingsOfTemplate = ({ name, is_active, automations }: EmailTemplate): Settings => ({
  name,
  is_active,
  automation_ids: automations.map(({ id }) => id).sort(),
});
