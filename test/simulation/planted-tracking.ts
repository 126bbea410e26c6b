import type { ByFile } from './planted.ts';

const ONCE = 'what happens to an email is counted once';

/** Faults in what follows after an email was sent. */
export const TRACKING: ByFile = {
  'core/sending/sending.counters.ts': [
    {
      name: 'what has happened to an email counts again with each change of its claim',
      find: 'after.marks.filter(mark => !before.marks.includes(mark))',
      replace: 'after.marks',
      caughtBy: ONCE,
    },
    {
      name: 'what an event proves counts twice',
      find: "outcome === 'sent' && before.outcome !== 'sent' &&",
      replace: "outcome === 'sent' &&",
      caughtBy: 'the counters are those of the ledger',
    },
  ],
  'core/storage/projection.ts': [
    {
      name: 'what has no rollup yet is not counted',
      find: 'counter.guard && counter.organization !== undefined ? [{ ...counter, guard: undefined }] : []',
      replace: '[]',
      caughtBy: ONCE,
    },
    {
      name: 'what was counted is counted again where it is delivered again',
      find: 'return contributions.filter(({ sequence }) => isAfter(sequence, position) && !ahead.has(sequence));',
      replace: 'return ahead ? contributions : [];',
      caughtBy: ONCE,
    },
  ],
  'core/recipient/claim.ts': [
    {
      name: 'an open takes the place of the one before',
      find: ' AND attribute_not_exists(#mark)`,',
      replace: ' AND (attribute_not_exists(#mark) OR attribute_exists(#mark))`,',
      caughtBy: 'the entries of a journal stay',
    },
  ],
  'core/recipient/journal.ts': [
    {
      name: 'a click is stored without the mark of its email',
      find: 'updateWrite(table, entryKey(key, seq), { first: { [as]: click.at } }, UNERASED),',
      caughtBy: 'every click belongs to an email that was clicked',
    },
  ],
  'core/recipient/recipient.ts': [
    {
      name: 'who unsubscribes by an email is not counted for it',
      find: '...(mark ? [markWrite(table, key, mark)] : []),',
      caughtBy: 'whoever unsubscribes by an email is counted for it',
    },
    {
      name: 'who unsubscribes keeps their trigger rows',
      find: '...removed.map(row => deleteWrite(table, row)),',
      caughtBy: 'the trigger rows are those of the members who may be mailed',
    },
  ],
  'core/operations/rebuild.ts': [
    {
      name: 'what is unknown is taken for sent where everything is counted anew',
      find: "settledOutcome(outcome, claim)?.status === 'sent'",
      replace: "settledOutcome(outcome, claim)?.status !== 'failed'",
      caughtBy: 'what is counted anew is what was counted',
    },
  ],
  'stream/records.ts': [
    {
      name: 'what events said while a batch was being posted is not looked at when it ends',
      find: "isOf(record, 'batch') && OPEN",
      replace: "isOf(record, 'manifest') && OPEN",
      caughtBy: 'what an event proves is no longer unknown',
    },
  ],
  'core/reporting/value.ts': [
    {
      name: 'value counts for another day',
      find: 'at.slice(0, 10)',
      replace: 'new Date(Date.parse(at) + 6 * 60 * 60 * 1000).toISOString().slice(0, 10)',
      caughtBy: 'what an event is worth is counted once',
    },
    {
      name: 'a value that is posted again replaces the first one',
      find: '{ ...key(organization, eventId), ...event }, ABSENT)',
      replace: "{ ...key(organization, eventId), ...event }, { condition: 'attribute_not_exists(nothing)' })",
      caughtBy: 'what an event is worth stays',
    },
  ],
  'core/recipient/suppression.ts': [
    {
      name: 'who complains is not suppressed',
      find: 'store.suppressionWrite(table, key, why),',
      caughtBy: 'whoever complains or bounces hard is suppressed',
    },
    {
      name: 'who is suppressed keeps their trigger rows',
      find: '...rows.map(row => deleteWrite(table, row))',
      caughtBy: 'the trigger rows are those of the members who may be mailed',
    },
  ],
};
