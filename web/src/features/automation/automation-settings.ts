import * as z from 'zod/mini';
import { type Automation, goesTogether, NewAutomation, STARTS, type Start } from '#shared/automation.ts';
import { ANY_TIME, PLAIN, REPEATS, type SendTimes } from '#shared/schedule.ts';

/** The input of the form. If no trigger column and no event is chosen, `metadata_trigger` is empty. */
export type Settings = z.input<ReturnType<typeof schemaWith>> & SendTimes;

export const startFields = (missing: string | undefined) => ({
  starts_at: z.enum(STARTS),
  metadata_trigger: z.pipe(
    z.string().check(z.refine(chosen => chosen !== '' || missing === undefined, missing)),
    z.transform(chosen => chosen || null),
  ),
});

/** Without a column or an event it starts when they were added. */
export const withoutTrigger = <Fields extends { starts_at: Start; metadata_trigger: string | null }>(
  fields: Fields,
) => (fields.metadata_trigger === null ? { ...fields, starts_at: 'added' as const } : fields);

/** The schema of the form; `missing` is why it is refused without a trigger column or an event. */
export const schemaWith = ({ missing }: { missing?: string | undefined } = {}) =>
  z.pipe(
    z
      .object({
        ...NewAutomation.shape,
        repeat: z.pipe(z.string(), z.enum(REPEATS, { error: 'Choose how often' })),
        ...startFields(missing),
      })
      .check(goesTogether),
    z.transform(withoutTrigger),
  );

export const BLANK = {
  name: '',
  active: true,
  every_x_days: 1,
  delay_days: 0,
  stop_after_days: null,
  starts_at: 'date',
  metadata_trigger: '',
  audience: null,
  reply_to: '',
  allocation: 'equal',
  holdout_percent: 0,
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
  const {
    id,
    created_at,
    email_eligibility,
    email_lists,
    metadata_trigger,
    sequence_id,
    paused,
    warned,
    ...same
  } = automation;
  return {
    ...same,
    metadata_trigger: metadata_trigger ?? '',
    reply_to: automation.reply_to ?? '',
    email_list_ids: email_lists.map(list => list.id).sort(),
  };
}
