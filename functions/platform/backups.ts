import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

const TTL = 'ttl';

type Needs = { client: Pick<DynamoDBClient, 'send'>; name: string; pause: () => Promise<void> };

export function backupsOf({ client, name: source, pause }: Needs) {
  async function describe(name: string): Promise<TableDescription | undefined> {
    try {
      return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
    } catch (error) {
      if (isNamed(error, 'ResourceNotFoundException')) return undefined;
      throw error;
    }
  }

  async function begin(name: string, to: Date): Promise<void> {
    const found = await describe(name);
    if (found) return requireCopy(found, source, to);
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: name,
        RestoreDateTime: to,
        BillingModeOverride: 'PAY_PER_REQUEST',
      }),
    );
  }

  const isReady = async (name: string): Promise<boolean> => isActive(await describe(name));

  /**
   * A copy has the data and the index, but none of these settings:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery.Tutorial.html
   */
  async function complete(name: string): Promise<{ stream: string }> {
    const original = await describe(source);
    await change(name, ({ StreamSpecification }) => !StreamSpecification?.StreamEnabled, {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
    await expire(name);
    await backUp(name);
    const isProtected = original?.DeletionProtectionEnabled ?? true;
    await change(name, ({ DeletionProtectionEnabled = false }) => DeletionProtectionEnabled !== isProtected, {
      DeletionProtectionEnabled: isProtected,
    });
    const stream = (await describe(name))?.LatestStreamArn;
    if (!stream) throw new Error(`${name} has no stream`);
    return { stream };
  }

  /** Makes one change at a time: a table accepts the next one when it is active again. */
  async function change(
    name: string,
    isWanted: (table: TableDescription) => boolean,
    to: Omit<UpdateTableCommandInput, 'TableName'>,
  ): Promise<void> {
    const found = await describe(name);
    if (!found || isWanted(found)) await client.send(new UpdateTableCommand({ TableName: name, ...to }));
    while (!(await isReady(name))) await pause();
  }

  async function expire(name: string): Promise<void> {
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
    if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) return;
    const TimeToLiveSpecification = { Enabled: true, AttributeName: TTL };
    await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
  }

  async function backUp(name: string): Promise<void> {
    const isBackedUp = async () => {
      const { ContinuousBackupsDescription } = await client.send(
        new DescribeContinuousBackupsCommand({ TableName: name }),
      );
      const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      return recovery?.PointInTimeRecoveryStatus === 'ENABLED';
    };
    while (!(await isBackedUp())) {
      try {
        const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
        await client.send(
          new UpdateContinuousBackupsCommand({ TableName: name, PointInTimeRecoverySpecification }),
        );
      } catch (error) {
        // This error occurs for a while after a restore.
        if (!isNamed(error, 'ContinuousBackupsUnavailableException')) throw error;
        await pause();
      }
    }
  }

  return { begin, isReady, complete };
}

const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

const isActive = (table: TableDescription | undefined): boolean =>
  table?.TableStatus === 'ACTIVE' &&
  (table.GlobalSecondaryIndexes ?? []).every(({ IndexStatus }) => IndexStatus === 'ACTIVE');

function requireCopy({ TableName, RestoreSummary }: TableDescription, source: string, to: Date): void {
  const { SourceTableArn = '', RestoreDateTime } = RestoreSummary ?? {};
  const isOfIt = SourceTableArn.endsWith(`:table/${source}`);
  if (isOfIt && RestoreDateTime?.getTime() === to.getTime()) return;
  throw new Error(`${TableName} exists, and is not ${source} as it was at ${to.toISOString()}.`);
}
