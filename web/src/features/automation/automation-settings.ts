import * as z from 'zod/mini';
import { type Automation, goesTogether, NewAutomation } from '#shared/automation.ts';
import { ANY_TIME, PLAIN, REPEATS, type SendTimes } from '#shared/schedule.ts';

/** The choice of no column. No column can have this name. */
export const WHEN_ADDED = '#added';

/** The input of the form. If no trigger column is chosen, it is empty. */
export type Settings = z.input<ReturnType<typeof schemaWith>> & SendTimes;

/** The schema of the form. With `mustChoose`, a trigger column must be chosen. */
export const schemaWith = ({ mustChoose }: { mustChoose: boolean }) =>
  z
    .object({
      ...NewAutomation.shape,
      repeat: z.pipe(z.string(), z.enum(REPEATS, { error: 'Choose how often' })),
      metadata_trigger: z.pipe(
        z.string().check(z.refine(chosen => chosen !== '' || !mustChoose, 'Please select a trigger column')),
        z.transform(chosen => (chosen === WHEN_ADDED ? null : chosen || null)),
      ),
    })
    .check(goesTogether);

export const BLANK = {
  name: '',
  active: true,
  every_x_days: 1,
  delay_days: 0,
  stop_after_days: null,
  metadata_trigger: '',
  audience: null,
  email_list_ids: [],
  double_send_first: false,
  double_send_second: false,
  double_send_third: false,
  triple_send_first: false,
  triple_send_second: false,
  triple_send_third: false,
  ...PLAIN,
  // Chosen by the user: most ideas are not every day.
  repeat: '',
  ...ANY_TIME,
} satisfies Settings;

export function settingsOfAutomation(automation: Automation): Settings {
  const { id, created_at, email_eligibility, email_lists, metadata_trigger, starts_at, ...same } = automation;
  return {
    ...same,
    metadata_trigger: metadata_trigger ?? (email_lists.length > 0 ? WHEN_ADDED : ''),
    email_list_ids: email_lists.map(list => list.id).sort(),
  };
}
