import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { backupsOf } from '#functions/platform/backups.ts';
import { mockedClient } from '../support/mocked-client.ts';

/** No local engine has backups: what is tested here is what AWS is asked for, and that its state is waited for. */
const dynamodb = mockedClient(DynamoDBClient);
// Other files of this worker use the client.
afterAll(() => dynamodb.restore());
const NAME = 'letterflow-prod-20300131t170000';
const to = new Date('2030-01-31T17:00:00Z');

/** AWS, with a table that has a copy when it was asked for one. */
let tables: Map<string, TableDescription>;
let [ttl, isBackedUp, pauses] = ['DISABLED', false, 0];

/** As with AWS, whoever waits finds the next state. */
async function pause(): Promise<void> {
  pauses++;
  for (const table of tables.values()) table.TableStatus = 'ACTIVE';
}
const backups = backupsOf({ client: new DynamoDBClient({}), name: 'letterflow-prod', pause });

const named = (error: string) => Object.assign(new Error(error), { name: error });

beforeEach(() => {
  dynamodb.reset();
  [ttl, isBackedUp, pauses] = ['DISABLED', false, 0];
  const active = { TableStatus: 'ACTIVE' as const };
  tables = new Map([['letterflow-prod', { ...active, DeletionProtectionEnabled: true }]]);
  dynamodb.on(DescribeTableCommand).callsFake(({ TableName }) => {
    const Table = tables.get(TableName);
    if (!Table) throw named('ResourceNotFoundException');
    return { Table };
  });
  dynamodb.on(RestoreTableToPointInTimeCommand).callsFake(input => {
    const SourceTableArn = `arn:aws:dynamodb:eu-central-1:111122223333:table/${input.SourceTableName}`;
    const RestoreSummary = {
      SourceTableArn,
      RestoreDateTime: input.RestoreDateTime,
      RestoreInProgress: true,
    };
    tables.set(input.TargetTableName, { TableName: NAME, TableStatus: 'CREATING', RestoreSummary });
    return {};
  });
  dynamodb.on(UpdateTableCommand).callsFake(({ TableName, ...to }) => {
    const found = tables.get(TableName);
    if (found?.TableStatus !== 'ACTIVE') throw named('ResourceInUseException');
    const stream = to.StreamSpecification && { LatestStreamArn: 'the stream' };
    tables.set(TableName, { ...found, ...to, ...stream, TableStatus: 'UPDATING' });
    return {};
  });
  dynamodb
    .on(DescribeTimeToLiveCommand)
    .callsFake(() => ({ TimeToLiveDescription: { TimeToLiveStatus: ttl } }));
  dynamodb.on(UpdateTimeToLiveCommand).callsFake(() => {
    ttl = 'ENABLING';
    return {};
  });
  dynamodb
    .on(DescribeContinuousBackupsCommand)
    .callsFake(() => ({
      ContinuousBackupsDescription: {
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: isBackedUp ? 'ENABLED' : 'DISABLED' },
      },
    }));
  let tries = 0;
  dynamodb.on(UpdateContinuousBackupsCommand).callsFake(() => {
    if (++tries === 1) throw named('ContinuousBackupsUnavailableException');
    isBackedUp = true;
    return {};
  });
});

async function copied(): Promise<void> {
  await backups.begin(NAME, to);
  while (!(await backups.isReady(NAME))) await pause();
}

it('a copy is ready when AWS has made it, and then gets stream, expiry, backups and protection', async () => {
  await backups.begin(NAME, to);
  expect(await backups.isReady(NAME)).toBe(false);
  await copied();
  expect(await backups.complete(NAME)).toEqual({ stream: 'the stream' });
  expect(tables.get(NAME)).toMatchObject({
    TableStatus: 'ACTIVE',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    DeletionProtectionEnabled: true,
  });
  expect([ttl, isBackedUp]).toEqual(['ENABLING', true]);
  const asked = dynamodb.commandCalls(RestoreTableToPointInTimeCommand).map(({ args: [{ input }] }) => input);
  expect(asked).toEqual([
    {
      SourceTableName: 'letterflow-prod',
      TargetTableName: NAME,
      RestoreDateTime: to,
      BillingModeOverride: 'PAY_PER_REQUEST',
    },
  ]);
});

it('what was done is not done again when it is repeated', async () => {
  await copied();
  await backups.complete(NAME);
  const changes = () =>
    dynamodb.calls().filter(({ args: [command] }) => !command.constructor.name.startsWith('Describe'));
  const before = changes().length;
  await copied();
  expect(await backups.complete(NAME)).toEqual({ stream: 'the stream' });
  expect(changes()).toHaveLength(before);
});

it('a copy whose index is not ready is not ready', async () => {
  await copied();
  tables.set(NAME, { ...tables.get(NAME), GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING' }] });
  expect(await backups.isReady(NAME)).toBe(false);
});

it('another table with the name of the copy is left alone', async () => {
  await copied();
  await expect(backups.begin(NAME, new Date('2030-01-31T18:00:00Z'))).rejects.toThrow(
    `${NAME} exists, and is not`,
  );
  tables.set(NAME, { TableName: NAME, TableStatus: 'ACTIVE' });
  await expect(backups.begin(NAME, to)).rejects.toThrow(`${NAME} exists, and is not`);
  expect(pauses).toBeGreaterThan(0);
});
