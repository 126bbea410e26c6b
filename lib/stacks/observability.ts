import { CfnOutput, CrossStackReferences, Duration, ReferenceStrength, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { ApiStack } from './api.ts';
import type { BackgroundStack } from './background.ts';
import type { ProviderEventsStack } from './provider-events.ts';
import type { SendingStack } from './sending.ts';
import type { TrackingStack } from './tracking.ts';

type Props = {
  stage: Stage;
  api: ApiStack;
  background: BackgroundStack;
  providerEvents: ProviderEventsStack;
  sending: SendingStack;
  tracking: TrackingStack;
};
type Watched = { name: string; metric: Metric; above: number; meaning: string };

const PERIOD = Duration.minutes(5);
const MOST_SERVER_ERRORS = 5;
const OLDEST_PACK = Duration.minutes(15);
// A job may be delayed for 15 minutes, the most that SQS can, and runs for minutes.
const OLDEST_LATER = Duration.minutes(60);
// A stream keeps a change for a day.
const OLDEST_CHANGE = Duration.minutes(30);

/** An alarm for each failure that no user would report, and one dashboard. */
export class ObservabilityStack extends Stack {
  readonly alarms: Topic;

  constructor(scope: Construct, id: string, { stage, ...watched }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });
    // A strong reference would keep a function from being removed.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    this.alarms = new Topic(this, 'Alarms', { enforceSSL: true });
    new CfnOutput(this, 'AlarmTopic', { value: this.alarms.topicArn });

    const { errors, throttles } = functionsOf(watched);
    const delays = delaysOf(watched);
    const { serverErrors, calls, latency } = apiOf(watched);
    const { age, late, dead, deadJobs } = queuesOf(watched);
    const alarms = [...errors, ...throttles, ...delays, serverErrors, age, late, dead, deadJobs].map(each =>
      this.watch(each),
    );

    new Dashboard(this, 'Dashboard', {
      dashboardName: `letterflow-${stage.name}`,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 })],
        [graph('API calls', [calls, serverErrors.metric]), graph('API latency', latency)],
        [graph('Function errors', metricsOf(errors)), graph('Function throttles', metricsOf(throttles))],
        [
          graph('Oldest pack, in seconds', [age.metric]),
          graph('Oldest change, in milliseconds', metricsOf(delays)),
        ],
        [graph('Dead letters', [dead.metric, deadJobs.metric])],
      ],
    });
  }

  private watch({ name, metric, above, meaning }: Watched): Alarm {
    const alarm = metric.createAlarm(this, name, {
      alarmDescription: meaning,
      threshold: above,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.alarms));
    return alarm;
  }
}

function functionsOf({ api, background, providerEvents, sending, tracking }: Omit<Props, 'stage'>) {
  const stacks = [api, background, providerEvents, sending, tracking];
  const functions = stacks.flatMap(stack => stack.functions);
  return {
    errors: functions.map(
      (fn): Watched => ({
        name: `${fn.node.id}Errors`,
        metric: fn.metricErrors(sum(fn.entry)),
        above: 0,
        meaning: `${fn.entry} failed. Its log says why.`,
      }),
    ),
    throttles: functions.map(
      (fn): Watched => ({
        name: `${fn.node.id}Throttles`,
        metric: fn.metricThrottles(sum(fn.entry)),
        above: 0,
        meaning: `${fn.entry} was called more often than it may run at a time.`,
      }),
    ),
  };
}

/** How far the readers of the table's stream are behind. */
const delaysOf = ({ background: { functions } }: Omit<Props, 'stage'>) =>
  functions.map(
    (fn): Watched => ({
      name: `${fn.node.id}Delay`,
      metric: fn.metric('IteratorAge', { period: PERIOD, statistic: 'max', label: fn.entry }),
      above: OLDEST_CHANGE.toMilliseconds(),
      meaning: `${fn.entry} is more than ${OLDEST_CHANGE.toMinutes()} minutes behind what is written to the table.`,
    }),
  );

function apiOf({ api: { httpApi } }: Omit<Props, 'stage'>) {
  const latency = (statistic: string) =>
    httpApi.metricLatency({ period: PERIOD, statistic, label: statistic });
  return {
    calls: httpApi.metricCount(sum('calls')),
    latency: [latency('p50'), latency('p99')],
    serverErrors: {
      name: 'ServerErrors',
      metric: httpApi.metricServerError(sum('5xx')),
      above: MOST_SERVER_ERRORS,
      meaning: 'The API answered several calls with a failure of its own.',
    },
  };
}

function queuesOf({ background, sending: { packs, dead } }: Omit<Props, 'stage'>) {
  return {
    age: {
      name: 'PacksAge',
      metric: packs.metricApproximateAgeOfOldestMessage({ period: PERIOD, label: 'oldest pack' }),
      above: OLDEST_PACK.toSeconds(),
      meaning: `A pack has been waiting for more than ${OLDEST_PACK.toMinutes()} minutes.`,
    },
    late: {
      name: 'LaterAge',
      metric: background.later.metricApproximateAgeOfOldestMessage({ period: PERIOD, label: 'put off' }),
      above: OLDEST_LATER.toSeconds(),
      meaning: `A job that was put off has been waiting for more than ${OLDEST_LATER.toMinutes()} minutes.`,
    },
    dead: {
      name: 'DeadPacks',
      metric: dead.metricInvocations(sum('dead packs')),
      above: 0,
      meaning:
        'A pack failed every time it was tried: some of its emails were not sent, or may not have been.',
    },
    deadJobs: {
      name: 'DeadJobs',
      metric: background.deadJobs.metricApproximateNumberOfMessagesVisible({
        period: PERIOD,
        label: 'dead jobs',
      }),
      above: 0,
      meaning: 'A job in the background failed every time it was tried.',
    },
  };
}

const sum = (label: string) => ({ period: PERIOD, statistic: 'sum', label });

const metricsOf = (watched: Watched[]) => watched.map(({ metric }) => metric);

const graph = (title: string, left: Metric[]) => new GraphWidget({ title, left, width: 12 });
