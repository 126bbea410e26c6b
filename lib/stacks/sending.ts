import { Duration, Stack } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { sendingAlarms } from '../alarms.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { exportAlways } from '../constructs/export-always.ts';
import { logged } from '../constructs/logged.ts';
import { deadLettersIn, queueIn } from '../constructs/queue.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, reserved, SCHEDULED_SWEEPS, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';
import type { FrontStack } from './front.ts';

const SENDER_TIMEOUT = Duration.minutes(1);
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html asks for six times the timeout of the function.
const VISIBILITY = Duration.minutes(6);
// A message is also received again if another process is working on its pack.
const MOST_TRIES = 5;
const SWEEP_TIMEOUT = Duration.minutes(1);

type SweepMetrics = Record<'swept' | 'behind' | 'lag', Metric>;

type Props = { stage: Stage; data: DataStack; front: FrontStack };

/** The sweep runs every minute and finds what is due; senders take its packs from a queue. */
export class SendingStack extends Stack {
  readonly sweep: ServiceFunction;
  readonly sender: ServiceFunction;
  readonly packs: Queue;
  readonly deadPacks: Queue;
  /** Runs only for a pack whose every attempt failed. */
  readonly dead: ServiceFunction;
  readonly sweepMetrics: SweepMetrics;

  constructor(scope: Construct, id: string, { stage, data, front }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });

    this.deadPacks = deadLettersIn(this, 'DeadPacks', { visibilityTimeout: VISIBILITY });
    this.packs = queueIn(this, 'Packs', {
      visibilityTimeout: VISIBILITY,
      deadLetterQueue: { queue: this.deadPacks, maxReceiveCount: MOST_TRIES },
    });
    const props = { stage, data, front };
    this.dead = this.ending(props);
    this.sweep = this.sweeping(stage, data);
    this.sweepMetrics = this.metricsOf(this.sweep, stage);
    this.sender = this.sending(props);
    alarmed(this, stage, sendingAlarms(this));
    exportAlways(this, [this.packs.queueArn, this.packs.queueUrl]);
  }

  private sweeping(stage: Stage, { table, events }: DataStack): ServiceFunction {
    const sweep = new ServiceFunction(this, 'Sweep', {
      stage,
      entry: 'functions/sending/sweep.ts',
      timeout: SWEEP_TIMEOUT,
      // Concurrency that neither the API nor senders can take.
      reservedConcurrentExecutions: reserved(stage, SCHEDULED_SWEEPS + stage.mostShards),
      // If a run could not start, it is not retried: the run of the next minute catches up.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
      memorySize: 1_769,
    })
      .accesses(table)
      .sendsTo(this.packs, 'PACKS_QUEUE')
      .putsEvents(events);
    // What failed or waited is useless: the next minute brings a new event.
    const targets = [new LambdaFunction(sweep, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })];
    new Rule(this, 'EveryMinute', {
      description: 'Starts the sweep',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets,
    });
    // The run of the first shard puts an event for each other one: a queue would be looked into where there is none.
    new Rule(this, 'EachShard', {
      description: 'Has each further shard swept',
      eventBus: events,
      eventPattern: { source: ['letterflow'], detailType: ['sweep.shard'] },
      targets,
    });
    return sweep;
  }

  private metricsOf({ logGroup }: ServiceFunction, stage: Stage): SweepMetrics {
    const says = (message: string) => FilterPattern.stringValue('$.message', '=', message);
    const filterPattern = says('swept');
    return {
      swept: logged(this, stage, 'Swept', { logGroup, filterPattern }),
      behind: logged(this, stage, 'SweepBehind', { logGroup, filterPattern, metricValue: '$.behind' }),
      lag: logged(this, stage, 'SweepLag', {
        logGroup,
        metricValue: '$.lag',
        // A run that finds another one at work logs the lag of that one.
        filterPattern: FilterPattern.any(filterPattern, says('another run sweeps')),
      }),
    };
  }

  private sending(props: Props): ServiceFunction {
    const sender = this.posting('Sender', 'functions/sending/sender.ts', props);
    sender.addEventSource(
      new SqsEventSource(this.packs, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: props.stage.mostSenders,
      }),
    );
    return sender;
  }

  private ending(props: Props): ServiceFunction {
    const dead = this.posting('Dead', 'functions/sending/dead-packs.ts', props);
    dead.addEventSource(
      new SqsEventSource(this.deadPacks, { batchSize: 1, maxConcurrency: props.stage.mostSenders }),
    );
    return dead;
  }

  private posting(id: string, entry: string, { stage, data, front }: Props): ServiceFunction {
    const { table, sendingKeys, trackingKey } = data;
    const fn = new ServiceFunction(this, id, {
      stage,
      entry,
      timeout: SENDER_TIMEOUT,
      memorySize: 1_769,
      environment: { PUBLIC_URL: front.publicUrl },
    })
      .accesses(table)
      .sendsTo(this.packs, 'PACKS_QUEUE')
      .decryptsWith(sendingKeys)
      .callsMailgun()
      .callsSes(stage, { asksPace: true });
    fn.readsSecret(trackingKey, 'TRACKING_KEY_SECRET');
    return fn;
  }
}
