export {
  type Batch,
  batchesIn,
  batchesIndex,
  countUnknown,
  type Ending,
  end,
  type Head,
  insert,
  type ListedStatus,
  listedKey,
  logPartition,
  markRequeued,
  purgeSome,
  readBatch,
  readBatches,
  readTheseBatches,
  type SentCounts,
  type ShownAs,
  statusPartition,
} from './batch.store.ts';
export { batchId, batchPrefix, parseBatchId } from './batch-id.ts';
export type { Send } from './manifest.ts';
export { type Outcome, outcomeOf, settledOutcome } from './outcome.ts';
export { applyEarlyEvents, applyProviderEvent } from './provider-proof.ts';
export { readAnswered, readOutcomes } from './read.ts';
export type { BatchEvent, State } from './transitions.ts';
