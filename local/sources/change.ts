/** A record of the stream. */
export type Change = {
  eventID: string;
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime: number };
};

/** The engine writes down real time; readers are told simulated time like everybody else. */
export function eventRecord(record: Change, arn: string, region: string, offset: number) {
  const created = record.dynamodb.ApproximateCreationDateTime + Math.round(offset / 1000);
  return {
    ...record,
    awsRegion: region,
    eventSourceARN: arn,
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: created },
  };
}

/** Changes of one shard that are handed over together. */
export type Batch = {
  shard: string;
  changes: Change[];
  /** Which try it is, from one. */
  attempt: number;
  /** When the tumbling window begins that they belong to, where the event source has any. */
  window?: number;
  /** Nothing but the end of that window. */
  final?: boolean;
};
