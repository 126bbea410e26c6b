import { CfnParameter, Duration, Stack } from 'aws-cdk-lib';
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
const MOST_TRIES = 3;
// Of the thousand invocations at once that an account has: the rest is the API's, however much is due.
const MOST_SENDERS = 200;

/** Every minute the sweep finds what is due; the sender takes the packs of it from a queue. */
export class SendingStack extends Stack {
  readonly functions: ServiceFunction[];
  readonly packs: Queue;
  readonly deadPacks: Queue;
  /** Runs only when a pack failed every time. */
  readonly dead: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, data }: { stage: Stage; data: DataStack }) {
    super(scope, id, { env: { region: HOME_REGION } });

    this.deadPacks = new Queue(this, 'DeadPacks', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: VISIBILITY,
    });
    this.packs = new Queue(this, 'Packs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: VISIBILITY,
      deadLetterQueue: { queue: this.deadPacks, maxReceiveCount: MOST_TRIES },
    });
    const publicUrl = new CfnParameter(this, 'PublicUrl', {
      default: `https://${stage.domain}`,
      description: 'Where the product is reached: the beginning of the links in its emails',
    });
    this.dead = this.ending(stage, data, publicUrl);
    this.functions = [this.sweep(stage, data), this.sender(stage, data, publicUrl), this.dead];
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
      memorySize: 1_769,
    })
      .accesses(table, { read: ['ORG#*', 'SWEEP', 'TRG#*'], write: ['SWEEP'] })
      .queuesPacks(this.packs);
    new Rule(this, 'EveryMinute', {
      description: 'Starts the sweep',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweep, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    return sweep;
  }

  private sender(stage: Stage, data: DataStack, publicUrl: CfnParameter): ServiceFunction {
    const sender = this.posting('Sender', 'functions/sending/sender.ts', { stage, data, publicUrl });
    sender.addEventSource(
      new SqsEventSource(this.packs, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: MOST_SENDERS,
      }),
    );
    return sender;
  }

  private ending(stage: Stage, data: DataStack, publicUrl: CfnParameter): ServiceFunction {
    const dead = this.posting('Dead', 'functions/sending/dead-packs.ts', { stage, data, publicUrl });
    dead.addEventSource(new SqsEventSource(this.deadPacks, { batchSize: 1 }));
    return dead;
  }

  /** A function that knows packs, claims and batches. */
  private posting(
    id: string,
    entry: string,
    { stage, data, publicUrl }: { stage: Stage; data: DataStack; publicUrl: CfnParameter },
  ): ServiceFunction {
    const { table, sendingKeys, trackingKey } = data;
    const fn = new ServiceFunction(this, id, {
      stage,
      entry,
      timeout: SENDER_TIMEOUT,
      memorySize: 1_769,
      environment: { PUBLIC_URL: publicUrl.valueAsString },
    })
      .accesses(table, { read: ['ORG#*', 'R#*', 'TRG#*'], write: ['ORG#*', 'R#*', 'TRG#*'] })
      .queuesPacks(this.packs)
      .decryptsWith(sendingKeys)
      .callsMailgun();
    fn.readsSecret(trackingKey, 'TRACKING_KEY_SECRET');
    return fn;
  }
}
