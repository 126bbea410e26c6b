import type { TemplateData } from '../../../../shared/email-template.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

const STORED = 'templateData';

/** What the form of a new template is filled with. Automations are of one organization. */
type TemplateCopy = { organization: number; template_data: TemplateData };

/** Keeps it for the form; answers it where the browser stores nothing, for the state of the navigation. */
export const keepCopy = (copy: TemplateCopy): { copy: TemplateCopy } | null =>
  writeStored(STORED, JSON.stringify(copy)) ? null : { copy };

/** What was kept, or came with the navigation: once. */
export function takeCopy(state: unknown, organization: number | undefined): TemplateData | undefined {
  const copy = storedCopy() ?? (state as { copy?: TemplateCopy } | null)?.copy;
  writeStored(STORED, undefined);
  return copy?.organization === organization ? copy?.template_data : undefined;
}

function storedCopy(): TemplateCopy | undefined {
  try {
    const copy: unknown = JSON.parse(readStored(STORED) ?? 'null');
    return isCopy(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

const isCopy = (value: unknown): value is TemplateCopy =>
  typeof value === 'object' && value !== null && 'template_data' in value && 'organization' in value;
