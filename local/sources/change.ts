/** A record of a table's stream. */
export type Change = {
  eventID: string;
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime: number };
};

/** A record as a function gets it. The engine stamps it with real time; functions see simulated time everywhere. */
export function eventRecord(record: Change, arn: string, region: string, offset: number) {
  const created = record.dynamodb.ApproximateCreationDateTime + Math.round(offset / 1000);
  return {
    ...record,
    awsRegion: region,
    eventSourceARN: arn,
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: created },
  };
}

/** Changes of one shard that one invocation gets. */
export type Batch = {
  shard: string;
  changes: Change[];
  /** From one. */
  attempt: number;
  /** When the tumbling window of these changes begins, where the event source has windows. */
  window?: number;
  /** Holds no changes: it ends that window. */
  final?: boolean;
};

/** What is tried where a batch has failed: the same again, or each half of it, which is no other attempt. */
export function retriesOf(batch: Batch, isBisected: boolean): Batch[] {
  const { changes, attempt } = batch;
  if (!isBisected || changes.length < 2) return [{ ...batch, attempt: attempt + 1 }];
  const half = Math.ceil(changes.length / 2);
  return [changes.slice(0, half), changes.slice(half)].map(some => ({ ...batch, changes: some }));
}
