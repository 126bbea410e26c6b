import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import type { Table } from '../../functions/core/table.store.ts';

const keySchema = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
];

/** A real table engine of this test file's own, with an empty table. */
export function freshTable(): Table & { endpoint: string } {
  const table = { name: 'letterflow-test' } as Table & { endpoint: string };
  let end: () => void;
  beforeAll(async () => {
    const port = await freePort();
    const engine = spawn('node_modules/@dynoxide/linux-x64/dynoxide', ['serve', '--port', String(port)], {
      stdio: 'ignore',
    });
    end = () => engine.kill();
    const endpoint = `http://127.0.0.1:${port}`;
    const client = new DynamoDBClient({
      endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 20,
    });
    table.endpoint = endpoint;
    await client.send(new ListTablesCommand({}));
    await client.send(
      new CreateTableCommand({
        TableName: table.name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map(AttributeName => ({
          AttributeName,
          AttributeType: 'S' as const,
        })),
        KeySchema: keySchema('PK', 'SK'),
        GlobalSecondaryIndexes: [
          {
            IndexName: 'GSI1',
            KeySchema: keySchema('GSI1PK', 'GSI1SK'),
            Projection: {
              ProjectionType: 'INCLUDE',
              NonKeyAttributes: ['email', 'status', 'created_at', 'updated_at'],
            },
          },
        ],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
    table.client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  });
  afterAll(() => end?.());
  return table;
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
