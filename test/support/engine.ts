import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import type { Table } from '../../functions/core/table.store.ts';

/** A real table engine of this test file's own, with an empty table. */
export function freshTable(): Table {
  const table = { name: 'letterflow-test' } as Table;
  let end: () => void;
  beforeAll(async () => {
    const port = await freePort();
    const engine = spawn('node_modules/@dynoxide/linux-x64/dynoxide', ['serve', '--port', String(port)], {
      stdio: 'ignore',
    });
    end = () => engine.kill();
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 20,
    });
    await client.send(new ListTablesCommand({}));
    await client.send(
      new CreateTableCommand({
        TableName: table.name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['PK', 'SK'].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'PK', KeyType: 'HASH' },
          { AttributeName: 'SK', KeyType: 'RANGE' },
        ],
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
