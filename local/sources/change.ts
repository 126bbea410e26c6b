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
