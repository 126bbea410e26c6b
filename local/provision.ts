import { call, EngineError } from './engines/call.ts';
import type { Engines } from './engines/start.ts';
import type { ObjectStore } from './objects/store.ts';
import { bucketName, queueName, tableName } from './template/identity.ts';
import type { Properties } from './template/kinds.ts';
import { readAll } from './template/read.ts';
import type { Resolver } from './template/resolver.ts';

export async function provision(resolver: Resolver, engines: Engines, objects: ObjectStore): Promise<void> {
  provisionBuckets(resolver, objects);
  await Promise.all([provisionTables(resolver, engines), provisionQueues(resolver, engines)]);
}

function provisionBuckets(resolver: Resolver, objects: ObjectStore): void {
  for (const { resource } of readAll(resolver, 'AWS::S3::Bucket')) objects.createBucket(bucketName(resource));
}

async function provisionTables(resolver: Resolver, { dynamodb }: Engines): Promise<void> {
  for (const { resource, properties } of readAll(resolver, 'AWS::DynamoDB::Table')) {
    await createTable(dynamodb, tableName(resource), properties, resource.stack.region);
  }
}

async function createTable(
  endpoint: string,
  TableName: string,
  { StreamSpecification, TimeToLiveSpecification, ...rest }: Properties<'AWS::DynamoDB::Table'>,
  region: string,
): Promise<void> {
  const command = (name: string, body: object) =>
    call(endpoint, `DynamoDB_20120810.${name}`, { ...body, TableName }, region);
  try {
    await command('CreateTable', {
      ...rest,
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { ...StreamSpecification, StreamEnabled: true },
    });
  } catch (error) {
    // A table of an earlier start is kept, with its items.
    if (error instanceof EngineError && error.code === 'ResourceInUseException') return;
    throw error;
  }
  if (TimeToLiveSpecification) await command('UpdateTimeToLive', { TimeToLiveSpecification });
}

async function provisionQueues(resolver: Resolver, { queues }: Engines): Promise<void> {
  // A queue refers to its dead-letter queue by an ARN, which may exist later.
  for (const { resource, properties } of readAll(resolver, 'AWS::SQS::Queue')) {
    const Attributes = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
    const body = { QueueName: queueName(resource), Attributes };
    await call(queues, 'AmazonSQS.CreateQueue', body, resource.stack.region);
  }
}
