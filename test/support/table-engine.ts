import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { kindsOf } from '../../functions/core/storage/items/items.ts';
import { indexStream } from '../../local/engines/dynamodb.ts';
import { readAssembly } from '../../local/template/assembly.ts';
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

type Reading = { IndexName?: string; ConsistentRead?: boolean; RequestItems?: Batch };
type Batch = Record<string, { ConsistentRead?: boolean }>;

const READS = /^(GetItem|BatchGetItem|Query|Scan)Command$/;

/** Refuses a read of the table that does not say whether it may be stale: the local engine answers none so. An index has no other reads. */
function requireConsistent(command: string, { IndexName, ConsistentRead, RequestItems }: Reading): void {
  if (!READS.test(command) || IndexName) return;
  const reads = RequestItems ? Object.values(RequestItems) : [{ ConsistentRead }];
  if (reads.every(read => read.ConsistentRead !== undefined)) return;
  throw new Error(`${command} reads the table without ConsistentRead`);
}

/** Refuses a `ttl` in milliseconds, with which DynamoDB deletes nothing for thousands of years: no local engine deletes. */
function requireSeconds(input: object): void {
  if (/"(:|:new_)?ttl":\d{11,}/.test(JSON.stringify(input))) throw new Error('A ttl is not in seconds');
}

type Keys = { PK: string; SK: string };
type Written = { Item?: Keys; Key?: Keys };
type Writing = Written & {
  TransactItems?: Record<string, Written>[];
  RequestItems?: Record<string, { PutRequest?: Written; DeleteRequest?: Written }[]>;
};

function writtenBy(command: string, { Item, Key, TransactItems = [], RequestItems = {} }: Writing): Keys[] {
  const writes: (Written | undefined)[] =
    command === 'TransactWriteItemsCommand'
      ? TransactItems.flatMap(one => Object.values(one))
      : command === 'BatchWriteItemCommand'
        ? Object.values(RequestItems).flatMap(some => some.map(one => one.PutRequest ?? one.DeleteRequest))
        : /^(Put|Update|Delete)ItemCommand$/.test(command)
          ? [{ ...(Item && { Item }), ...(Key && { Key }) }]
          : [];
  return writes.flatMap(one => one?.Item ?? one?.Key ?? []);
}

/** Refuses what is of no kind that the table of items declares, or of two. */
function requireKind(command: string, input: Writing): void {
  for (const { PK, SK } of writtenBy(command, input)) {
    const kinds = kindsOf({ PK, SK });
    if (kinds.length !== 1) throw new Error(`${PK} ${SK} is of ${kinds.length} kinds of items: ${kinds}`);
  }
}

/** The engine wants a signature, but does not verify it. To compute one would take a tenth of the time of these tests. */
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

export const TABLE_NAME = 'letterflow-test';

/** Where files are in memory, where the machine has such a place: the engine waits for the disk with each write. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * A real table engine with an empty table, in memory. With its stream each write would cost more the more were written
 * before, unless the engine's file has an index. With `anyItems`, a test has items of its own in it.
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
      ...{ TableName: TABLE_NAME, BillingMode: 'PAY_PER_REQUEST' },
      ...declaredTable(),
      ...(!stream && { StreamSpecification: { StreamEnabled: false } }),
    }),
  );
  client.middlewareStack.add(
    (next, { commandName }) =>
      args => {
        requireConsistent(commandName ?? '', args.input as Reading);
        requireSeconds(args.input);
        if (!anyItems) requireKind(commandName ?? '', args.input as Writing);
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

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
