import type { TemplateData } from '#shared/email-template.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

const STORED = 'templateData';

/** The values for the form of a new template. It is of one organization, as its automations are. */
type TemplateCopy = { organization: number; template_data: TemplateData };

/** Stores a copy for the form. If the browser cannot store it, returns it for the state of the navigation. */
export const keepCopy = (copy: TemplateCopy): { copy: TemplateCopy } | null =>
  writeStored(STORED, JSON.stringify(copy)) ? null : { copy };

/** Takes the copy that was stored or is in the state of the navigation. It can be taken only once. */
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
