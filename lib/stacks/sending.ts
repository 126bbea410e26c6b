import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';

const SENDER_TIMEOUT = Duration.minutes(1);
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html asks for six times the function's.
const VISIBILITY = Duration.minutes(6);
const MOST_TRIES = 5;

/** Every minute the sweep finds what is due; the sender takes the packs of it from a queue. */
export class SendingStack extends Stack {
  readonly functions: ServiceFunction[];
  readonly packs: Queue;
  readonly deadPacks: Queue;

  constructor(scope: Construct, id: string, { stage, data }: { stage: Stage; data: DataStack }) {
    super(scope, id, { env: { region: HOME_REGION } });

    this.deadPacks = new Queue(this, 'DeadPacks', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.packs = new Queue(this, 'Packs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: VISIBILITY,
      deadLetterQueue: { queue: this.deadPacks, maxReceiveCount: MOST_TRIES },
    });
    this.functions = [this.sweep(stage, data), this.sender(stage)];
  }

  private sweep(stage: Stage, { table }: DataStack): ServiceFunction {
    const sweep = new ServiceFunction(this, 'Sweep', {
      stage,
      entry: 'functions/sending/sweep.ts',
      timeout: Duration.minutes(1),
      reservedConcurrentExecutions: 1,
      // A run that could not start is not retried: the run of the next minute catches up.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
    }).accesses(table, { read: ['SWEEP'], write: ['SWEEP'] });
    new Rule(this, 'EveryMinute', {
      description: 'Starts the sweep',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweep, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    return sweep;
  }

  private sender(stage: Stage): ServiceFunction {
    const sender = new ServiceFunction(this, 'Sender', {
      stage,
      entry: 'functions/sending/sender.ts',
      timeout: SENDER_TIMEOUT,
    });
    sender.addEventSource(new SqsEventSource(this.packs, { batchSize: 1, reportBatchItemFailures: true }));
    return sender;
  }
}
