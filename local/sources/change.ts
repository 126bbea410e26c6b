/** A record of a table's stream. */
export type Change = {
  eventID: string;
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime: number };
};

/**
 * A stream record as a function gets it. The engine's timestamp has real time, but functions have simulated time everywhere.
 */
export function eventRecord(record: Change, arn: string, region: string, offset: number) {
  const created = record.dynamodb.ApproximateCreationDateTime + Math.round(offset / 1000);
  return {
    ...record,
    awsRegion: region,
    eventSourceARN: arn,
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: created },
  };
}

/** The changes of one shard for one invocation. */
export type Batch = {
  shard: string;
  changes: Change[];
  /** Counts from one. */
  attempt: number;
  /** The start of the tumbling window of these changes, if the event source has windows. */
  window?: number;
  /** True for a batch without changes, which closes its window. */
  final?: boolean;
};

/** The batches to retry after a failed one: the same batch again, or its two halves, which do not count as another attempt. */
export function retriesOf(batch: Batch, isBisected: boolean): Batch[] {
  const { changes, attempt } = batch;
  if (!isBisected || changes.length < 2) return [{ ...batch, attempt: attempt + 1 }];
  const half = Math.ceil(changes.length / 2);
  return [changes.slice(0, half), changes.slice(half)].map(some => ({ ...batch, changes: some }));
}
