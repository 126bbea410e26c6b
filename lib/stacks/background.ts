import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';

const PURGE_TIMEOUT = Duration.minutes(5);
const MOST_TRIES = 5;

/**
 * What follows from a write to the table. Two functions read its stream, and no third one may: DynamoDB would hold all
 * of them back. Who wants to hear of more listens to the bus.
 */
export class BackgroundStack extends Stack {
  readonly functions: ServiceFunction[];
  readonly deadJobs: Queue;
  /** What was put off until later. */
  readonly later: Queue;
  readonly events: EventBus;

  constructor(scope: Construct, id: string, { stage, data }: { stage: Stage; data: DataStack }) {
    super(scope, id, { env: { region: HOME_REGION } });
    this.deadJobs = new Queue(this, 'DeadJobs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.later = new Queue(this, 'Later', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.minutes(6 * PURGE_TIMEOUT.toMinutes()),
      deadLetterQueue: { queue: this.deadJobs, maxReceiveCount: MOST_TRIES },
    });
    this.events = new EventBus(this, 'Events', {
      eventBusName: `letterflow-${stage.name}`,
      description: 'What happened to the members of lists',
    });
    this.functions = [this.purge(stage, data), this.projector(stage, data)];
  }

  /** Called by the one kind of item that asks for a purge; all other writes are filtered out at no cost. */
  private purge(stage: Stage, { table, objects }: DataStack): ServiceFunction {
    const purge = new ServiceFunction(this, 'Purge', {
      stage,
      entry: 'functions/background/purge.ts',
      timeout: PURGE_TIMEOUT,
    });
    purge.addEventSource(new SqsEventSource(this.later, { batchSize: 1 }));
    return purge
      .writes(table)
      .queriesIndex(table)
      .erasesFiles(objects)
      .putsOff(this.later)
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
        parallelizationFactor: 1,
        // As long as the stream keeps a change: what were given up would not be counted. An alarm tells when it hangs.
        retryAttempts: -1,
        // Only with a window does Lambda say which shard the changes are of: counting each once hangs on it.
        tumblingWindow: Duration.minutes(15),
      });
  }
}
