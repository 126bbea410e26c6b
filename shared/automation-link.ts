import * as z from 'zod/mini';

// Apart from automation.ts, so that the forms of content do not load its schemas.

export const AutomationOption = z.object({ id: z.string(), name: z.string() });
export type AutomationOption = z.infer<typeof AutomationOption>;

/** That of a broadcast begins with a B. */
export const AUTOMATION_ID = /^[a-z0-9B][a-z0-9]{11}$/;

/** The most automations of content: one transaction stores the content and each automation to which it is linked. */
export const MOST_LINKED = 90;
/** The same for the assets of a set, which are written in one transaction. */
export const MOST_LINKED_SET = 75;
const AUTOMATIONS = 'automation_ids must be the ids of automations';
export const automationIds = (most: number) =>
  z
    .array(z.string({ error: AUTOMATIONS }).check(z.regex(AUTOMATION_ID, AUTOMATIONS)), {
      error: AUTOMATIONS,
    })
    .check(z.maxLength(most, `At most ${most} automations can be linked`));
export const AutomationIds = automationIds(MOST_LINKED);
export const UNKNOWN_AUTOMATION = 'One of the automations does not exist any more';

const MOST_IN_QUERY = 100;
const IDS = `automations must be up to ${MOST_IN_QUERY} ids of automations and broadcasts, separated by commas`;

/** A field of a query, each id once. */
export const AutomationsInQuery = z.pipe(
  z.pipe(
    z.string({ error: IDS }),
    z.transform(text => [...new Set(text.split(',').filter(Boolean))]),
  ),
  z
    .array(z.string().check(z.regex(AUTOMATION_ID, IDS)))
    .check(z.minLength(1, IDS), z.maxLength(MOST_IN_QUERY, IDS)),
);
