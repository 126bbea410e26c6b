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
import type { WebhooksStack } from './webhooks.ts';

type Props = {
  stage: Stage;
  api: ApiStack;
  background: BackgroundStack;
  providerEvents: ProviderEventsStack;
  sending: SendingStack;
  tracking: TrackingStack;
  webhooks: WebhooksStack;
};
type Watched = {
  name: string;
  metric: Metric;
  /** It alarms above this number, in so many periods one after the other; or below the other one, also where there is none. */
  above?: number;
  periods?: number;
  least?: number;
  meaning: string;
};

const PERIOD = Duration.minutes(5);
const MOST_SERVER_ERRORS = 5;
const OLDEST_PACK = Duration.minutes(15);
// A purge is delayed for 15 minutes, the most that SQS can, and a round of it runs for minutes.
const OLDEST_PURGE = Duration.minutes(60);
// What is to be tried later waits for 15 minutes at a time.
const OLDEST_WEBHOOK = Duration.minutes(30);
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
    const { packs, purges, webhooks, dead, deadPurges, deadWebhooks, lostChanges } = queuesOf(watched);
    const { behind, lag, swept } = sweepOf(watched);
    const uncounted = uncountedOf(watched);
    const queues = [packs, purges, webhooks, dead, deadPurges, deadWebhooks, lostChanges];
    const others = [serverErrors, ...queues, uncounted, behind, swept];
    const alarms = [...errors, ...throttles, ...delays, ...others].map(each => this.watch(each));

    new Dashboard(this, 'Dashboard', {
      dashboardName: `letterflow-${stage.name}`,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 })],
        [graph('API calls', [calls, serverErrors.metric]), graph('API latency', latency)],
        [graph('Function errors', metricsOf(errors)), graph('Function throttles', metricsOf(throttles))],
        [
          graph(
            'Oldest pack, purge and message for webhooks, in seconds',
            metricsOf([packs, purges, webhooks]),
          ),
          graph('Oldest change, in milliseconds', metricsOf(delays)),
        ],
        [
          graph(
            'Dead letters, and what cannot be counted',
            metricsOf([dead, deadPurges, deadWebhooks, lostChanges, uncounted]),
          ),
          graph('Sweep', [behind.metric, lag]),
        ],
      ],
    });
  }

  private watch({ name, metric, above = 0, least, periods = 1, meaning }: Watched): Alarm {
    const { GREATER_THAN_THRESHOLD, LESS_THAN_THRESHOLD } = ComparisonOperator;
    const { BREACHING, NOT_BREACHING } = TreatMissingData;
    const alarm = metric.createAlarm(this, name, {
      alarmDescription: meaning,
      threshold: least ?? above,
      evaluationPeriods: periods,
      comparisonOperator: least === undefined ? GREATER_THAN_THRESHOLD : LESS_THAN_THRESHOLD,
      treatMissingData: least === undefined ? NOT_BREACHING : BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.alarms));
    return alarm;
  }
}

function functionsOf({ api, background, providerEvents, sending, tracking, webhooks }: Omit<Props, 'stage'>) {
  const stacks = [api, background, providerEvents, sending, tracking, webhooks];
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
const delaysOf = ({ background: { readers } }: Omit<Props, 'stage'>) =>
  readers.map(
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

function queuesOf({ background, sending: { packs, dead }, webhooks }: Omit<Props, 'stage'>) {
  return {
    packs: {
      name: 'PacksAge',
      metric: packs.metricApproximateAgeOfOldestMessage({ period: PERIOD, label: 'oldest pack' }),
      above: OLDEST_PACK.toSeconds(),
      meaning: `A pack has been waiting for more than ${OLDEST_PACK.toMinutes()} minutes.`,
    },
    purges: {
      name: 'PurgesAge',
      metric: background.purges.metricApproximateAgeOfOldestMessage({
        period: PERIOD,
        label: 'oldest purge',
      }),
      above: OLDEST_PURGE.toSeconds(),
      meaning: `A purge has been waiting for more than ${OLDEST_PURGE.toMinutes()} minutes.`,
    },
    webhooks: {
      name: 'WebhooksAge',
      metric: webhooks.queue.metricApproximateAgeOfOldestMessage({
        period: PERIOD,
        label: 'oldest message for webhooks',
      }),
      above: OLDEST_WEBHOOK.toSeconds(),
      meaning: `A message for webhooks has been waiting for more than ${OLDEST_WEBHOOK.toMinutes()} minutes.`,
    },
    dead: {
      name: 'DeadPacks',
      metric: dead.metricInvocations(sum('dead packs')),
      above: 0,
      meaning:
        'A pack failed every time it was tried: some of its emails were not sent, or may not have been.',
    },
    deadPurges: {
      name: 'DeadPurges',
      metric: background.deadPurges.metricApproximateNumberOfMessagesVisible({
        period: PERIOD,
        label: 'dead purges',
      }),
      above: 0,
      meaning: 'A purge failed every time it was tried: what was deleted is still stored.',
    },
    deadWebhooks: {
      name: 'DeadWebhooks',
      metric: webhooks.dead.metricApproximateNumberOfMessagesVisible({
        period: PERIOD,
        label: 'dead webhooks',
      }),
      above: 0,
      meaning: 'A message for webhooks failed every time it was tried: some of them were not told.',
    },
    lostChanges: {
      name: 'LostChanges',
      metric: background.lostChanges.metricApproximateNumberOfMessagesVisible({
        period: PERIOD,
        label: 'lost changes',
      }),
      above: 0,
      meaning: 'A reader of the stream could not handle a change for a day: what follows from it did not.',
    },
  };
}

const uncountedOf = ({ background: { uncounted } }: Omit<Props, 'stage'>): Watched => ({
  name: 'Uncounted',
  metric: uncounted.with({ period: PERIOD, statistic: 'sum' }),
  above: 0,
  meaning: 'Something can never be counted: it is missing in the reports of an organization.',
});

const MINUTE = Duration.minutes(1);
const LONGEST_BEHIND = Duration.minutes(10);

function sweepOf({ sending: { sweepMetrics } }: Omit<Props, 'stage'>) {
  const most = { period: MINUTE, statistic: 'max' };
  return {
    behind: {
      name: 'SweepBehind',
      metric: sweepMetrics.behind.with(most),
      above: 0,
      periods: LONGEST_BEHIND.toMinutes(),
      meaning: `Organizations have been behind for ${LONGEST_BEHIND.toMinutes()} minutes: what is due in them is late.`,
    },
    lag: sweepMetrics.lag.with(most),
    swept: {
      name: 'SweepSilence',
      metric: sweepMetrics.swept.with({ period: PERIOD, statistic: 'sum' }),
      least: 1,
      meaning: `No run of the sweep has succeeded for ${PERIOD.toMinutes()} minutes: nothing that is due is sent.`,
    },
  };
}

const sum = (label: string) => ({ period: PERIOD, statistic: 'sum', label });

const metricsOf = (watched: Watched[]) => watched.map(({ metric }) => metric);

const graph = (title: string, left: Metric[]) => new GraphWidget({ title, left, width: 12 });
