import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';
import type { SendingStack } from './sending.ts';

const PURGE_TIMEOUT = Duration.minutes(5);
const MOST_TRIES = 5;

type Props = { stage: Stage; data: DataStack; sending: SendingStack };

/**
 * What follows from a write to the table. Two functions read its stream; with a third one DynamoDB would throttle all of
 * them. Other functions listen to the event bus.
 */
export class BackgroundStack extends Stack {
  readonly functions: ServiceFunction[];
  readonly deadJobs: Queue;
  /** Work with a delay. */
  readonly later: Queue;
  readonly events: EventBus;

  constructor(scope: Construct, id: string, { stage, data, sending }: Props) {
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
    this.functions = [this.purge(stage, data), this.projector(stage, data, sending)];
  }

  /** Invoked by items that ask for a purge; all other writes are filtered out at no cost. */
  private purge(stage: Stage, { table, objects }: DataStack): ServiceFunction {
    const purge = new ServiceFunction(this, 'Purge', {
      stage,
      entry: 'functions/background/purge.ts',
      timeout: PURGE_TIMEOUT,
    });
    purge.addEventSource(new SqsEventSource(this.later, { batchSize: 1 }));
    return purge
      .accesses(table, {
        read: ['LIST#*', 'ORG#*', 'PURGE', 'R#*', 'SWEEP', 'TRG#*'],
        write: ['EMAIL#*', 'INVITE#*', 'LIST#*', 'ORG#*', 'PURGE', 'R#*', 'SWEEP', 'TRG#*', 'USER#*'],
        index: ['LEFT#*', 'LIST#*', 'ORG#*'],
      })
      .deletesFiles(objects)
      .sendsLater(this.later)
      .readsStream(table, {
        only: [
          {
            eventName: FilterRule.or('INSERT', 'MODIFY'),
            dynamodb: { Keys: { PK: { S: FilterRule.isEqual('PURGE') } } },
          },
        ],
        deadLetters: this.deadJobs,
        batchSize: 1,
        retryAttempts: 10,
      });
  }

  /**
   * Counts list members and what happens to emails, puts events on the bus, and queues what is due at once, in the order
   * of the changes.
   */
  private projector(stage: Stage, { table }: DataStack, { packs }: SendingStack): ServiceFunction {
    return new ServiceFunction(this, 'Projector', {
      stage,
      entry: 'functions/projector/projector.ts',
      timeout: Duration.minutes(1),
    })
      .accesses(table, {
        read: ['CHECKPOINT#*', 'LIST#*', 'ORG#*', 'SWEEP'],
        write: ['CHECKPOINT#*', 'LIST#*', 'ORG#*#REPORT'],
      })
      .queuesPacks(packs)
      .putsEvents(this.events)
      .readsStream(table, {
        only: [
          { dynamodb: { Keys: { SK: { S: FilterRule.beginsWith('IN#') } } } },
          // Nothing has happened yet to an email whose claim is inserted.
          {
            eventName: FilterRule.isEqual('MODIFY'),
            dynamodb: {
              Keys: { SK: { S: FilterRule.beginsWith('J#') } },
              NewImage: { type: { S: FilterRule.isEqual('send') } },
            },
          },
        ],
        deadLetters: this.deadJobs,
        batchSize: 500,
        parallelizationFactor: 1,
        // Retries as long as the stream keeps a change: one that is given up would not be counted. Delays set off an alarm.
        retryAttempts: -1,
        // Only with a window does Lambda pass the id of the shard, without which a change could be counted twice.
        tumblingWindow: Duration.minutes(15),
      });
  }
}
