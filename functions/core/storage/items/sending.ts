import type { ItemKind } from './kind.ts';

const LOG = {
  PK: 'ORG#<organization>#LOG',
  store: 'functions/core/sending/batch/batch.store.ts',
  purged: ['organization'],
} as const;

/** The items of due emails, packs, the log of sent emails, and reports. */
export const sending = {
  batch: {
    item: 'head of a batch: state, list and automation as they were called, ids of the provider, how many were sent by day and combination; why its emails are not sent, or when they are tried again',
    ...{ ...LOG, SK: '<batch>' },
    index: ['LOG#<organization>#<automation>'],
    stream: {
      // A batch is counted when it ends.
      projector: { events: ['MODIFY'], image: { type: ['batch'] } },
      // Events of the provider may resolve its unknown emails.
      dispatcher: { events: ['MODIFY'], image: { type: ['batch'], state: ['unknown', 'mixed'] } },
    },
  },
  manifest: {
    item: 'manifest of a batch, never changed: 22 bytes a send, the hash of the address, the number of the claim and the place of its combination among those that are named',
    ...{ ...LOG, SK: '<batch>#M' },
    index: ['LOG#<organization>#<list>'],
  },
  batchPart: {
    item: 'sends of a mixed batch that ended otherwise than the others, 20 bytes each: `F` failed, `U` unknown, `R` released',
    ...{ ...LOG, SK: '<batch>#<F, U or R>' },
  },
  failedBatch: {
    item: 'batch with emails that failed: how many',
    ...{ ...LOG, PK: 'ORG#<organization>#LOG#failed', SK: '<batch>', counted: true },
  },
  unknownBatch: {
    item: 'batch with emails of which nobody knew whether they were sent: how many, and of how many the provider has told since',
    ...{ ...LOG, PK: 'ORG#<organization>#LOG#unknown', SK: '<batch>', counted: true },
  },
  markedEmail: {
    item: 'email that something happened to, which is `clicked`, `unsub_clicked`, `unsubscribed`, `bounced` or `complained`; the instant is that of its claim',
    PK: 'ORG#<organization>#LOG#<what happened>',
    SK: '<instant>#<claim>#<list>.<automation>#<combination>',
    ...{
      store: 'functions/core/sending/event-index.store.ts',
      purged: ['organization'],
      counted: true,
      rebuilt: true,
    },
  },
  skips: {
    item: 'skips of a pack: 19 bytes each, the hash of the address, the places of source and reason; the sources',
    ...{ PK: 'ORG#<organization>#SKIPS', SK: '<minute>#<pack>' },
    ...{ store: 'functions/core/sending/skip.store.ts', purged: ['organization'] },
  },
  pack: {
    item: 'lease of a pack: which process has it, until when, and how many had it; whether it is done; for three days',
    ...{ PK: 'ORG#<organization>#PACKS', SK: '<minute>#<pack>' },
    ...{ store: 'functions/core/sending/pack.ts', purged: ['organization', 'ttl'] },
  },
  rollup: {
    item: 'rollup of a day: what happened to the emails of the combinations of a bucket, 00 to 47, each count under a letter and its combination, `o<combination>` how many were opened; what was sent and clicked for each automation, `s<combination><its hash>`',
    ...{ PK: 'ORG#<organization>#REPORT', SK: '<yyyy-mm-dd>#<bucket>' },
    ...{
      store: 'functions/core/sending/rollup.ts',
      purged: ['organization'],
      counted: true,
      rebuilt: true,
    },
  },
  valueEvent: {
    item: 'value of a conversion, in ten-thousandths: its combination, and when it was posted, which is the day that it counts on',
    ...{ PK: 'ORG#<organization>#VALUE', SK: '<event id>', store: 'functions/core/reporting/value.ts' },
    purged: ['organization'],
    stream: { projector: { events: ['INSERT'], image: { type: ['value'] } } },
  },
  source: {
    item: 'source of the sweep, and since when it is there: one for each list of an active automation; the column is empty where it starts when a member was added',
    PK: 'SWEEP#<shard>',
    SK: '<organization>#<list>#<column, or nothing>#<automation>',
    ...{ store: 'functions/core/sources/source.ts', purged: ['organization', 'list'] },
  },
  switchedOn: {
    item: 'since when the sources of a list are on again; without a list, those of an organization',
    PK: 'SWEEP#<shard>',
    SK: '<organization>#<list, or nothing>#ON',
    ...{ store: 'functions/core/sources/source.ts', purged: ['organization', 'list', 'ttl'] },
  },
  stageSending: {
    item: 'whether the operator has stopped all sending, and the times of which nobody knows what was sent, since the table was restored; written by a command',
    ...{ PK: 'STAGE', SK: 'SENDING', store: 'functions/core/sending/stop.ts', purged: [] },
  },
  stageSwitch: {
    item: 'when the operator stopped and started all sending; written by a command',
    ...{ PK: 'STAGE#SWITCHES', SK: '<instant>#sending#<revision>' },
    ...{ store: 'functions/core/organization/switches.ts', purged: [] },
  },
  shardState: {
    item: 'state of a shard: the last minute that was swept (the watermark), the run that has the lease or had it last, until when it has it',
    ...{ PK: 'SWEEP#<shard>', SK: 'STATE', store: 'functions/core/sending/sweep/sweep.store.ts', purged: [] },
  },
  behind: {
    item: 'organization that is behind, and its position: the first minute of which something is missing; where some of that is queued, the end of its span, the column, the delay of copies and the last row; when the run began that noted it. The sweep deletes it',
    PK: 'SWEEP#<shard>',
    ...{ SK: 'BEHIND#<organization>', store: 'functions/core/sending/sweep/sweep.store.ts', purged: [] },
  },
  shardMarker: {
    item: 'marker of a shard, in the partition of the first one',
    ...{ PK: 'SWEEP#000000', SK: 'SHARD#<number of the shard>' },
    ...{ store: 'functions/core/sources/source.ts', purged: [] },
  },
  checkpoint: {
    item: 'position in a shard of the stream: the number up to which all records are counted, and of those after it that are',
    ...{ PK: 'CHECKPOINT#<shard of the stream>', SK: '-' },
    ...{ store: 'functions/core/storage/projection.ts', purged: ['ttl'] },
  },
  lag: {
    item: 'how far the projector was behind when it last noticed that it was: the shard of the stream, since when nothing is counted of it, and when that was',
    ...{ PK: 'LAG', SK: '-', store: 'functions/core/storage/projection.ts', purged: ['ttl'] },
  },
  organizationPurge: {
    item: 'purge of a deleted organization, with the ticket of its last request',
    ...{ PK: 'PURGE', SK: 'ORG#<organization>' },
    ...{ store: 'functions/core/storage/purge-request.ts', purged: ['organization'] },
    stream: { dispatcher: { events: ['INSERT', 'MODIFY'] } },
  },
  listPurge: {
    item: 'purge of a deleted list, the same',
    ...{ PK: 'PURGE', SK: 'LIST#<organization>#<list>' },
    ...{ store: 'functions/core/storage/purge-request.ts', purged: ['list'] },
    stream: { dispatcher: { events: ['INSERT', 'MODIFY'] } },
  },
} as const satisfies Record<string, ItemKind>;
