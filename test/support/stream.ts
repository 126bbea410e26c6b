import type { DynamoDBRecord } from 'aws-lambda';
import { isOfKind } from '#functions/stream/contributions.ts';
import { call } from '#local/engines/call.ts';
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
  const streams = <Answer>(action: string, body: object) =>
    call<Answer>(table.endpoint, `DynamoDBStreams_20120810.${action}`, body, 'eu-central-1');
  let shards: Shard[] | undefined;

  async function begin(): Promise<Shard[]> {
    const { Streams } = await streams<{ Streams: { StreamArn: string }[] }>('ListStreams', {
      TableName: table.name,
    });
    const StreamArn = Streams[0]?.StreamArn;
    const { StreamDescription } = await streams<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
      'DescribeStream',
      { StreamArn },
    );
    return Promise.all(
      StreamDescription.Shards.map(async ({ ShardId }) => {
        const body = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
        const { ShardIterator } = await streams<{ ShardIterator: string }>('GetShardIterator', body);
        return { id: ShardId, next: ShardIterator };
      }),
    );
  }

  return async function written() {
    shards ??= await begin();
    const read = [];
    for (const shard of shards) {
      const records: DynamoDBRecord[] = [];
      for (let more = true; more; ) {
        const page = await streams<{ NextShardIterator?: string; Records: DynamoDBRecord[] }>('GetRecords', {
          ShardIterator: shard.next,
          Limit: 1000,
        });
        shard.next = page.NextShardIterator ?? '';
        more = page.Records.length > 0 && shard.next !== '';
        records.push(...page.Records);
      }
      read.push({ shard: shard.id, records: records.filter(isOfKind) });
    }
    return read;
  };
}
