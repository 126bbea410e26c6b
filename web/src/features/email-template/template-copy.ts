import type { TemplateData } from '../../../../shared/email-template.ts';

const STORED = 'templateData';

/** What the form of a new template is filled with. Automations are of one organization. */
export type TemplateCopy = { organization: number; template_data: TemplateData };

/** Keeps it for the form; answers it where the browser stores nothing, for the state of the navigation. */
export function keepCopy(copy: TemplateCopy): { copy: TemplateCopy } | null {
  try {
    localStorage.setItem(STORED, JSON.stringify(copy));
    return null;
  } catch {
    return { copy };
  }
}

/** What was kept, or came with the navigation: once. */
export function takeCopy(state: unknown, organization: number | undefined): TemplateData | undefined {
  const copy = readStored() ?? (state as { copy?: TemplateCopy } | null)?.copy;
  return copy?.organization === organization ? copy?.template_data : undefined;
}

function readStored(): TemplateCopy | undefined {
  try {
    const text = localStorage.getItem(STORED);
    localStorage.removeItem(STORED);
    const copy: unknown = JSON.parse(text ?? 'null');
    return isCopy(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

const isCopy = (value: unknown): value is TemplateCopy =>
  typeof value === 'object' && value !== null && 'template_data' in value && 'organization' in value;
