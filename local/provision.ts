import { call, EngineError } from './engines/call.ts';
import type { Engines } from './engines/start.ts';
import type { ObjectStore } from './objects/store.ts';
import { bucketName, queueName, tableName } from './template/identity.ts';
import type { Properties } from './template/kinds.ts';
import { readAll } from './template/read.ts';
import type { Resolver } from './template/resolver.ts';

type Region = { region: string };

/** Creates what the template declares and the engines do not have yet. */
export async function provision(resolver: Resolver, engines: Engines, objects: ObjectStore): Promise<void> {
  provisionBuckets(resolver, objects);
  await Promise.all([provisionTables(resolver, engines), provisionQueues(resolver, engines)]);
}

function provisionBuckets(resolver: Resolver, objects: ObjectStore): void {
  for (const { resource } of readAll(resolver, 'AWS::S3::Bucket')) objects.createBucket(bucketName(resource));
}

async function provisionTables(resolver: Resolver, { dynamodb }: Engines): Promise<void> {
  for (const { resource, properties } of readAll(resolver, 'AWS::DynamoDB::Table')) {
    await createTable(dynamodb, tableName(resource), properties, resource.stack);
  }
}

async function createTable(
  endpoint: string,
  TableName: string,
  properties: Properties<'AWS::DynamoDB::Table'>,
  { region }: Region,
): Promise<void> {
  const { StreamSpecification: stream, TimeToLiveSpecification, TableName: _, ...rest } = properties;
  const command = (name: string, body: object) =>
    call(endpoint, `DynamoDB_20120810.${name}`, { TableName, ...body }, region);
  try {
    await command('CreateTable', {
      ...rest,
      BillingMode: 'PAY_PER_REQUEST',
      ...(stream && { StreamSpecification: { ...stream, StreamEnabled: true } }),
    });
  } catch (error) {
    // It is kept as it is: what it holds is the point of keeping it.
    if (error instanceof EngineError && error.code === 'ResourceInUseException') return;
    throw error;
  }
  if (TimeToLiveSpecification) await command('UpdateTimeToLive', { TimeToLiveSpecification });
}

async function provisionQueues(resolver: Resolver, { queues }: Engines): Promise<void> {
  const declared = readAll(resolver, 'AWS::SQS::Queue');
  // A queue names its dead letters by address, which does not have to exist yet.
  for (const { resource, properties } of declared) {
    const { RedrivePolicy, QueueName: _, ...settings } = properties;
    const Attributes = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, String(value)]),
    );
    if (RedrivePolicy) Attributes.RedrivePolicy = JSON.stringify(RedrivePolicy);
    await call(
      queues,
      'AmazonSQS.CreateQueue',
      { QueueName: queueName(resource), Attributes },
      resource.stack.region,
    );
  }
}
