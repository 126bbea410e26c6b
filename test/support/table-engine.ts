import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#core/storage/table.store.ts';
import { indexStream } from '#local/engines/dynamodb.ts';
import { freePort } from '#local/server.ts';
import { readAssembly } from '#local/template/assembly.ts';
import { requireValid } from './request-rules.ts';
import { ASSEMBLY } from './setup.ts';

/** The table as the template declares it: its keys, its index and its stream. */
function declaredTable() {
  const resources = readAssembly(ASSEMBLY).flatMap(({ template }) => Object.values(template.Resources));
  const table = resources.find(({ Type }) => Type === 'AWS::DynamoDB::Table');
  if (!table) throw new Error('The template declares no table');
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, StreamSpecification } =
    table.Properties as Partial<CreateTableCommandInput>;
  return {
    AttributeDefinitions,
    KeySchema,
    GlobalSecondaryIndexes,
    StreamSpecification: { StreamEnabled: true, ...StreamSpecification },
  };
}

/** The engine requires a signature, but does not verify it. Computing one would take a tenth of the time of these tests. */
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

export type EngineTable = Table & { endpoint: string };

export const TABLE_NAME = 'letterflow-test';

/** A directory in memory, if the machine has one: the engine waits for the disk with each write. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Starts a table engine with an empty table, in memory. With a stream, writes get slower with their number, unless the file of
 * the engine has an index. With `anyItems`, a test has items of its own in it.
 */
export async function startEngine({ stream, anyItems = false }: { stream: boolean; anyItems?: boolean }) {
  const port = await freePort();
  const directory = stream ? mkdtempSync(join(MEMORY, 'letterflow-')) : undefined;
  const file = directory && join(directory, 'dynamodb.sqlite');
  const engine = spawn(
    'node_modules/@dynoxide/linux-x64/dynoxide',
    ['serve', '--port', String(port), ...(file ? ['--db-path', file] : [])],
    { stdio: 'ignore' },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 20,
    signer: { sign: async request => ({ ...request, headers: { ...request.headers, ...SIGNED } }) },
  });
  await client.send(new ListTablesCommand({}));
  if (file) indexStream(file);
  await client.send(
    new CreateTableCommand({
      TableName: TABLE_NAME,
      BillingMode: 'PAY_PER_REQUEST',
      ...declaredTable(),
      ...(!stream && { StreamSpecification: { StreamEnabled: false } }),
    }),
  );
  client.middlewareStack.add(
    (next, { commandName }) =>
      args => {
        requireValid(commandName ?? '', args.input, { anyItems });
        return next(args);
      },
    { step: 'initialize' },
  );
  const marshallOptions = { removeUndefinedValues: true };
  return {
    table: { name: TABLE_NAME, endpoint, client: DynamoDBDocumentClient.from(client, { marshallOptions }) },
    end() {
      engine.kill();
      if (directory) rmSync(directory, { recursive: true });
    },
  };
}
