import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';

/**
 * What follows from a write to the table. Two functions read its stream, and no third one may: DynamoDB would hold all
 * of them back. Who wants to hear of more listens to the bus.
 */
export class BackgroundStack extends Stack {
  readonly functions: ServiceFunction[];
  readonly deadJobs: Queue;
  readonly events: EventBus;

  constructor(scope: Construct, id: string, { stage, data }: { stage: Stage; data: DataStack }) {
    super(scope, id, { env: { region: HOME_REGION } });
    this.deadJobs = new Queue(this, 'DeadJobs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.deadJobs, { 'AwsSolutions-SQS3': 'It is where the dead letters of a stream end.' });
    this.events = new EventBus(this, 'Events', {
      eventBusName: `letterflow-${stage.name}`,
      description: 'What happened to the members of lists',
    });
    this.functions = [this.purge(stage, data), this.projector(stage, data)];
  }

  /** Called by the one kind of item that asks for a purge; all other writes are filtered out at no cost. */
  private purge(stage: Stage, { table, objects }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'Purge', {
      stage,
      entry: 'functions/background/purge.ts',
      timeout: Duration.minutes(5),
    })
      .writes(table)
      .queriesIndex(table)
      .erasesFiles(objects)
      .followsTable(table, {
        only: {
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: { Keys: { PK: { S: FilterRule.isEqual('PURGE') } } },
        },
        dead: this.deadJobs,
        batchSize: 1,
        retryAttempts: 10,
      });
  }

  /** Counts list members and tells what happened to them, in the order in which it did. */
  private projector(stage: Stage, { table }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'Projector', {
      stage,
      entry: 'functions/projector/projector.ts',
      timeout: Duration.minutes(1),
    })
      .writes(table)
      .tellsEvents(this.events)
      .followsTable(table, {
        only: { dynamodb: { Keys: { SK: { S: FilterRule.beginsWith('IN#') } } } },
        dead: this.deadJobs,
        batchSize: 500,
        bisectBatchOnError: true,
        parallelizationFactor: 1,
        retryAttempts: 100,
        // Only with a window does Lambda say which shard the changes are of: counting each once hangs on it.
        tumblingWindow: Duration.minutes(15),
      });
  }
}
