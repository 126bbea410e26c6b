import type { Planted } from './planted.ts';

const ONCE = 'what happens to an email is counted once';

/** Faults in what follows after an email was sent. */
export const TRACKING: Planted[] = [
  {
    name: 'what has happened to an email counts again with each change of its claim',
    file: 'functions/core/sending/sending.counters.ts',
    find: 'after.marks.filter(mark => !before.marks.includes(mark))',
    replace: 'after.marks',
    caughtBy: ONCE,
  },
  {
    name: 'what has no rollup yet is not counted',
    file: 'functions/core/storage/projection.ts',
    find: 'counter.guard && counter.organization !== undefined ? [{ ...counter, guard: undefined }] : []',
    replace: '[]',
    caughtBy: ONCE,
  },
  {
    name: 'what was counted is counted again where it is delivered again',
    file: 'functions/core/storage/projection.ts',
    find: 'return contributions.filter(({ sequence }) => isAfter(sequence, position) && !ahead.has(sequence));',
    replace: 'return ahead ? contributions : [];',
    caughtBy: ONCE,
  },
  {
    name: 'an open takes the place of the one before',
    file: 'functions/core/recipient/claim.ts',
    find: ' AND attribute_not_exists(#mark)`,',
    replace: ' AND (attribute_not_exists(#mark) OR attribute_exists(#mark))`,',
    caughtBy: 'the entries of a journal stay',
  },
  {
    name: 'a click is stored without the mark of its email',
    file: 'functions/core/recipient/journal.ts',
    find: 'updateWrite(table, entryKey(key, seq), { first: { [as]: click.at } }, UNERASED),',
    replace: '',
    caughtBy: 'every click belongs to an email that was clicked',
  },
  {
    name: 'who unsubscribes by an email is not counted for it',
    file: 'functions/core/recipient/recipient.ts',
    find: '...(mark ? [markWrite(table, key, mark)] : []),',
    replace: '',
    caughtBy: 'whoever unsubscribes by an email is counted for it',
  },
  {
    name: 'who unsubscribes keeps their trigger rows',
    file: 'functions/core/recipient/recipient.ts',
    find: '...removed.map(row => deleteWrite(table, row)),',
    replace: '',
    caughtBy: 'the trigger rows are those of the members who may be mailed',
  },
  {
    name: 'what is unknown is taken for sent where everything is counted anew',
    file: 'functions/core/operations/rebuild.ts',
    find: "settledOutcome(outcome, claim)?.status === 'sent'",
    replace: "settledOutcome(outcome, claim)?.status !== 'failed'",
    caughtBy: 'what is counted anew is what was counted',
  },
  {
    name: 'what an event proves counts twice',
    file: 'functions/core/sending/sending.counters.ts',
    find: "outcome === 'sent' && before.outcome !== 'sent' &&",
    replace: "outcome === 'sent' &&",
    caughtBy: 'the counters are those of the ledger',
  },
  {
    name: 'what events said while a batch was being posted is not looked at when it ends',
    file: 'functions/stream/records.ts',
    find: "isOf(record, 'batch') && OPEN",
    replace: "isOf(record, 'manifest') && OPEN",
    caughtBy: 'what an event proves is no longer unknown',
  },
  {
    name: 'value counts for another day',
    file: 'functions/core/reporting/value.ts',
    find: 'at.slice(0, 10)',
    replace: 'new Date(Date.parse(at) + 6 * 60 * 60 * 1000).toISOString().slice(0, 10)',
    caughtBy: 'what an event is worth is counted once',
  },
  {
    name: 'a value that is posted again replaces the first one',
    file: 'functions/core/reporting/value.ts',
    find: '{ ...key(organization, eventId), ...event }, ABSENT)',
    replace: "{ ...key(organization, eventId), ...event }, { condition: 'attribute_not_exists(nothing)' })",
    caughtBy: 'what an event is worth stays',
  },
  {
    name: 'who complains is not suppressed',
    file: 'functions/core/recipient/suppression.ts',
    find: 'store.suppressionWrite(table, key, why),',
    replace: '',
    caughtBy: 'whoever complains or bounces hard is suppressed',
  },
  {
    name: 'who is suppressed keeps their trigger rows',
    file: 'functions/core/recipient/suppression.ts',
    find: '...rows.map(row => deleteWrite(table, row))',
    replace: '',
    caughtBy: 'the trigger rows are those of the members who may be mailed',
  },
];
