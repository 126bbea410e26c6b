import { Duration, Stack } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { backgroundAlarms } from '../alarms.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { exportAlways } from '../constructs/export-always.ts';
import { logged, loggedErrors } from '../constructs/logged.ts';
import { deadLettersIn, queueIn } from '../constructs/queue.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';
import type { FrontStack } from './front.ts';
import type { SendingStack } from './sending.ts';

const PURGE_TIMEOUT = Duration.minutes(5);
const ALLOCATION_TIMEOUT = Duration.minutes(5);
const MOST_TRIES = 5;
const MOST_CHANGES = 500;
// Retries for as long as the stream keeps a record. Delays raise an alarm.
const WITHOUT_END = -1;

type Props = { stage: Stage; data: DataStack; front: FrontStack; sending: SendingStack };

/**
 * The functions that process changes of the table. Two of them read its stream; with a third reader, DynamoDB would throttle
 * all of them. Others take messages that these queue, or subscribe to the event bus.
 */
export class BackgroundStack extends Stack {
  readonly readers: ServiceFunction[];
  readonly purges: Queue;
  readonly deadPurges: Queue;
  /** Gets the position of changes that a reader of the stream could not process within a day, and events of SES that failed in every attempt. */
  readonly lostChanges: Queue;
  /** Counts changes that the projector has skipped, as they can never be counted. */
  readonly uncounted: Metric;

  constructor(scope: Construct, id: string, { stage, data, front, sending }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });
    this.lostChanges = deadLettersIn(this, 'LostChanges');
    acknowledge(this.lostChanges, {
      'AwsSolutions-SQS3':
        'It is where event sources put what failed: nothing takes its messages but a person.',
    });
    exportAlways(this, [this.lostChanges.queueArn]);
    this.deadPurges = deadLettersIn(this, 'DeadPurges');
    this.purges = queueIn(this, 'Purges', {
      visibilityTimeout: Duration.minutes(6 * PURGE_TIMEOUT.toMinutes()),
      deadLetterQueue: { queue: this.deadPurges, maxReceiveCount: MOST_TRIES },
    });
    const dispatcher = this.dispatcher(stage, data, sending);
    const projector = this.projector(stage, data);
    const guard = this.guard(stage, data, front);
    this.uncounted = this.uncountedOf(projector, [guard, this.allocation(stage, data)], stage);
    this.readers = [dispatcher, projector];
    this.purge(stage, data, front);
    alarmed(this, stage, backgroundAlarms(this));
  }

  private purge(stage: Stage, { table, objects }: DataStack, front: FrontStack): ServiceFunction {
    const purge = new ServiceFunction(this, 'Purge', {
      stage,
      entry: 'functions/background/purge.ts',
      timeout: PURGE_TIMEOUT,
    });
    purge.addEventSource(new SqsEventSource(this.purges, { batchSize: 1, maxConcurrency: stage.mostPurges }));
    return purge
      .accesses(table)
      .deletesFiles(objects)
      .sendsTo(this.purges, 'PURGES_QUEUE')
      .removesDomains(stage)
      .removesTracking(stage, front.tracking);
  }

  /** Looks at an automation when one of its emails bounced or was complained about. */
  private guard(stage: Stage, { table, events }: DataStack, front: FrontStack): ServiceFunction {
    const guard = new ServiceFunction(this, 'Guard', {
      stage,
      entry: 'functions/background/guard.ts',
      timeout: Duration.minutes(1),
      environment: { PUBLIC_URL: front.publicUrl },
    })
      .accesses(table)
      .sendsMailOf(stage);
    new Rule(this, 'Guarded', {
      description: 'Has the guard look at an automation',
      eventBus: events,
      eventPattern: { source: ['letterflow'], detailType: ['guard.check'] },
      targets: [new LambdaFunction(guard)],
    });
    return guard;
  }

  /** Stores the shares of the next day. Each run does what the ones before have left, or what failed. */
  private allocation(stage: Stage, { table }: DataStack): ServiceFunction {
    const allocation = new ServiceFunction(this, 'Allocation', {
      stage,
      entry: 'functions/background/allocation.ts',
      timeout: ALLOCATION_TIMEOUT,
      // Fits models to the counts of two months.
      memorySize: 1024,
    }).accesses(table);
    new Rule(this, 'BeforeMidnight', {
      description: 'Computes how often each content is sent on the next day',
      schedule: Schedule.cron({ hour: '23', minute: '10,30,50' }),
      targets: [new LambdaFunction(allocation)],
    });
    return allocation;
  }

  /** Processes changes: queues purges and packs that are due at once, and stores provider events that arrived early. */
  private dispatcher(stage: Stage, { table }: DataStack, { packs }: SendingStack): ServiceFunction {
    return new ServiceFunction(this, 'Dispatcher', {
      stage,
      entry: 'functions/stream/dispatcher.ts',
      timeout: Duration.minutes(1),
    })
      .accesses(table)
      .sendsTo(this.purges, 'PURGES_QUEUE')
      .sendsTo(packs, 'PACKS_QUEUE')
      .readsStream(table, {
        as: 'dispatcher',
        deadLetters: this.lostChanges,
        batchSize: MOST_CHANGES,
        // A whole batch with many unknown emails may take longer than the timeout.
        bisectBatchOnError: true,
        retryAttempts: WITHOUT_END,
      });
  }

  /** Counts list members and the events of emails, and puts events on the bus, in the order of the changes. */
  private projector(stage: Stage, { table, events }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'Projector', {
      stage,
      entry: 'functions/stream/projector.ts',
      timeout: Duration.minutes(1),
    })
      .accesses(table)
      .putsEvents(events)
      .readsStream(table, {
        as: 'projector',
        deadLetters: this.lostChanges,
        batchSize: MOST_CHANGES,
        parallelizationFactor: 1,
        // A change that is given up would never be counted.
        retryAttempts: WITHOUT_END,
        // Lambda passes the id of the shard only with a window. Without it, a change could be counted twice.
        tumblingWindow: Duration.minutes(15),
      });
  }

  /** One metric for all, as each alarm costs. */
  private uncountedOf({ logGroup }: ServiceFunction, others: ServiceFunction[], stage: Stage): Metric {
    const uncounted = logged(this, stage, 'Uncounted', {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', 'something cannot be counted'),
    });
    loggedErrors(this, stage, 'Uncounted', others);
    return uncounted;
  }
}
