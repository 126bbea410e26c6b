import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { newId } from '#core/id.ts';
import { NewAutomation } from '#shared/automation.ts';

export const form = (fields: Partial<NewAutomation> = {}): NewAutomation =>
  NewAutomation.parse({ name: 'welcome', ...fields });

/** An automation that is not stored, which is enough for a simulation. */
export const unstored = (organization_id: number, fields: Partial<StoredAutomation>): StoredAutomation => ({
  ...form(),
  starts_at: undefined,
  id: newId(),
  organization_id,
  created_at: '2026-01-01T00:00:00.000Z',
  revision: '1',
  ...fields,
});
