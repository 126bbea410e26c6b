import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { isOfKind } from '#functions/projector/projector.kinds.ts';
import type { MemoryTable, Written } from './memory-table.ts';
import type { EngineTable } from './table-engine.ts';

type Shard = { id: string; next: string };

/** Reads the changes of a table since the last call, by shard, as Lambda would deliver them to the projector. */
export function streamOf(table: MemoryTable | EngineTable): () => Promise<Written> {
  if (!('changes' in table)) return streamOfEngine(table);
  return async () =>
    table.changes().map(({ shard, records }) => ({ shard, records: records.filter(isOfKind) }));
}

function streamOfEngine(table: EngineTable): () => Promise<Written> {
  let shards: Shard[] | undefined;
  const client = () =>
    new DynamoDBStreamsClient({
      endpoint: table.endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });

  async function begin(streams: DynamoDBStreamsClient): Promise<Shard[]> {
    const { Streams = [] } = await streams.send(new ListStreamsCommand({ TableName: table.name }));
    const StreamArn = Streams[0]?.StreamArn;
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
    return Promise.all(
      (StreamDescription?.Shards ?? []).map(async ({ ShardId = '' }) => {
        const { ShardIterator = '' } = await streams.send(
          new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
        );
        return { id: ShardId, next: ShardIterator };
      }),
    );
  }

  return async function written() {
    const streams = client();
    shards ??= await begin(streams);
    const read = [];
    for (const shard of shards) {
      const records: DynamoDBRecord[] = [];
      for (let more = true; more; ) {
        const page = await streams.send(new GetRecordsCommand({ ShardIterator: shard.next, Limit: 1000 }));
        shard.next = page.NextShardIterator ?? '';
        more = (page.Records ?? []).length > 0 && shard.next !== '';
        records.push(...((page.Records ?? []) as unknown as DynamoDBRecord[]));
      }
      read.push({ shard: shard.id, records: records.filter(isOfKind) });
    }
    streams.destroy();
    return read;
  };
}
