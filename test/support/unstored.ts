import type { StoredAutomation } from '../../functions/core/automation/automation/automation.ts';
import { newId } from '../../functions/core/id.ts';
import { NewAutomation } from '../../shared/automation.ts';

/** The form of an automation. */
export const form = (fields: Partial<NewAutomation> = {}): NewAutomation =>
  NewAutomation.parse({ name: 'welcome', ...fields });

/** An automation that is not stored: enough to simulate. */
export const unstored = (organization_id: number, fields: Partial<StoredAutomation>): StoredAutomation => ({
  ...form(),
  id: newId(),
  organization_id,
  created_at: '2026-01-01T00:00:00.000Z',
  revision: '1',
  ...fields,
});
