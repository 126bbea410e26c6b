import * as z from 'zod/mini';

// Not in automation.ts, whose schemas the forms of content would load.

/** What content can be linked to. */
export const AutomationOption = z.object({ id: z.string(), name: z.string() });
export type AutomationOption = z.infer<typeof AutomationOption>;

/** One transaction stores content together with each automation that it is linked to. */
export const MOST_LINKED = 90;
/** The same of the assets of a set, which are written together. */
export const MOST_LINKED_SET = 75;
const AUTOMATIONS = 'automation_ids must be the ids of automations';
export const automationIds = (most: number) =>
  z
    .array(z.string({ error: AUTOMATIONS }).check(z.regex(/^[a-z0-9]{12}$/, AUTOMATIONS)), {
      error: AUTOMATIONS,
    })
    .check(z.maxLength(most, `At most ${most} automations can be linked`));
export const AutomationIds = automationIds(MOST_LINKED);
export const UNKNOWN_AUTOMATION = 'One of the automations does not exist any more';
