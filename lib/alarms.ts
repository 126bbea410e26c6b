import { Duration } from 'aws-cdk-lib';
import type { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Alarms, Watched } from './constructs/alarmed.ts';
import { INDEX, type ServiceFunction } from './constructs/service-function.ts';

/**
 * Alarms for the failures that no user would report. They watch what users lose, not single functions: if a function fails or
 * cannot run, its queue or stream gets old. Errors of the API are seen by its callers.
 */

const MINUTE = Duration.minutes(1);
const PERIOD = Duration.minutes(5);
const HOUR = Duration.hours(1);
const DAY = Duration.days(1);

const sum = { period: PERIOD, statistic: 'sum' };
const most = { period: MINUTE, statistic: 'max' };

export const tableAlarms = (table: ITable): Alarms => {
  // Reads of the index are those of the sweep and the API, which have alarms of their own.
  const index = table.metric('WriteThrottleEvents', {
    ...sum,
    dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: INDEX },
  });
  const throttled = ['ReadThrottleEvents', 'WriteThrottleEvents'].map(name => table.metric(name, sum));
  return {
    TableThrottled: {
      metric: total([...throttled, index]),
      // An import may write to one partition fast enough to be throttled for a moment: then the client retries.
      above: 100,
      periods: 2,
      meaning: 'The table refuses many reads or writes: calls are slow, or fail.',
    },
  };
};

/** For all emails that the account sends in this region: SES has no metrics of single identities. */
export const mailAlarms = (): Alarms => {
  // https://docs.aws.amazon.com/ses/latest/dg/reputationdashboardmessages.html: above these, an account is put under review.
  const rate = (metricName: string) =>
    new Metric({ namespace: 'AWS/SES', metricName, period: HOUR, statistic: 'avg' });
  return {
    MailBounces: {
      metric: rate('Reputation.BounceRate'),
      above: 0.04,
      meaning:
        'Of what SES sends, more than 4% bounces: from 5% on, AWS may stop it, and nobody can sign in.',
    },
    MailComplaints: {
      metric: rate('Reputation.ComplaintRate'),
      above: 0.0008,
      meaning:
        'Of what SES sends, more than 0.08% is reported as spam: from 0.1% on, AWS may stop it, and nobody can sign in.',
    },
  };
};

const MOST_SERVER_ERRORS = 5;

/** `serverErrors`: those of the API routes, without tracking and the events of the provider. */
export const apiAlarms = (serverErrors: Metric): Alarms => ({
  ServerErrors: {
    metric: serverErrors.with(sum),
    above: MOST_SERVER_ERRORS,
    meaning: `The API failed more than ${MOST_SERVER_ERRORS} calls within ${PERIOD.toMinutes()} minutes.`,
  },
  RepeatedServerErrors: {
    metric: serverErrors.with(sum),
    above: 0,
    periods: 3,
    of: 12,
    meaning: 'The API fails calls again and again: a route that few people use may never work.',
  },
});

const OLDEST_PACK = Duration.minutes(30);
const LONGEST_BEHIND = Duration.minutes(10);
const LONGEST_SILENCE = Duration.minutes(3);
// If nothing is due, the watermark is moved only every ten minutes.
const MOST_LAG = 15;

type Sending = {
  sweep: ServiceFunction;
  sender: ServiceFunction;
  packs: IQueue;
  dead: ServiceFunction;
  sweepMetrics: Record<'swept' | 'behind' | 'lag', Metric>;
};

export const sendingAlarms = ({ sweep, sender, packs, dead, sweepMetrics }: Sending): Alarms => ({
  // What fails here is not repeated: a run of a single shard, and what was posted when a sender ended.
  SweepErrors: failing(sweep),
  SenderErrors: failing(sender),
  PacksAge: waiting(packs, OLDEST_PACK, 'A pack of emails'),
  DeadPacks: {
    metric: dead.metricInvocations(sum),
    above: 0,
    meaning: 'A pack failed every time it was tried: some of its emails were not sent, or may not have been.',
  },
  SweepSilence: {
    metric: sweepMetrics.swept.with({ period: MINUTE, statistic: 'sum' }),
    below: 1,
    silence: true,
    periods: LONGEST_SILENCE.toMinutes(),
    meaning: `No run of the sweep has succeeded for ${LONGEST_SILENCE.toMinutes()} minutes: nothing that is due is sent.`,
  },
  SweepLag: {
    metric: sweepMetrics.lag.with(most),
    above: MOST_LAG,
    meaning: `The watermark of a shard was more than ${MOST_LAG} minutes behind: what is due in it is late.`,
  },
  SweepBehind: {
    metric: sweepMetrics.behind.with(most),
    above: 0,
    periods: LONGEST_BEHIND.toMinutes(),
    meaning: `Organizations have been behind for ${LONGEST_BEHIND.toMinutes()} minutes: what is due in them is late.`,
  },
});

// A purge is delayed for 15 minutes, the longest delay of SQS, and each of its rounds runs for minutes.
const OLDEST_PURGE = Duration.minutes(60);
// A stream keeps its records for a day.
const OLDEST_CHANGE = Duration.minutes(30);

type Background = {
  readers: ServiceFunction[];
  purges: IQueue;
  deadPurges: IQueue;
  lostChanges: IQueue;
  uncounted: Metric;
};

export const backgroundAlarms = ({
  readers,
  purges,
  deadPurges,
  lostChanges,
  uncounted,
}: Background): Alarms => ({
  ...Object.fromEntries(
    readers.map(fn => [
      `${fn.node.id}Delay`,
      {
        metric: fn.metric('IteratorAge', { period: PERIOD, statistic: 'max' }),
        above: OLDEST_CHANGE.toMilliseconds(),
        meaning: `${fn.entry} is more than ${OLDEST_CHANGE.toMinutes()} minutes behind what is written to the table.`,
      },
    ]),
  ),
  PurgesAge: waiting(purges, OLDEST_PURGE, 'A purge'),
  DeadPurges: holding(
    deadPurges,
    'A purge failed every time it was tried: what was deleted is still stored.',
  ),
  LostChanges: holding(
    lostChanges,
    'A reader of the stream could not handle a change for a day, or an event of SES failed every time: what follows from it did not.',
  ),
  Uncounted: {
    metric: uncounted.with(sum),
    above: 0,
    meaning:
      'Something can never be counted, so it is missing in the reports of an organization, or the guard has failed, or the shares of the next day of an automation could not be computed.',
  },
});

// A delivery that is to be retried later is delayed by 15 minutes at a time.
const OLDEST_WEBHOOK = Duration.minutes(30);

type Webhooks = { queue: IQueue; dead: IQueue };

export const webhookAlarms = ({ queue, dead }: Webhooks): Alarms => ({
  WebhooksAge: waiting(queue, OLDEST_WEBHOOK, 'A message for webhooks'),
  DeadWebhooks: holding(
    dead,
    'A message for webhooks failed every time it was tried: some of them were not told.',
  ),
});

// The functions have a limited share of the concurrency, and the gateway a rate. In a burst, some throttling is intended.
const MOST_THROTTLED = 5;

type Visits = Record<'errors' | 'visits' | 'refused', Metric>;

/**
 * From logs, as metrics of each function would cost more than all else of an idle stage. `errors`: what the functions log, and
 * what the gateway answers for one that crashed.
 */
export const trackingAlarms = ({ errors, visits, refused }: Visits): Alarms => ({
  VisitsLost: {
    metric: errors.with(sum),
    above: 0,
    periods: 2,
    of: 6,
    meaning: 'Opens, clicks or unsubscribes fail again and again: they are not stored.',
  },
  VisitsThrottled: {
    metric: new MathExpression({
      expression: '100 * FILL(refused, 0) / FILL(visits, 1)',
      usingMetrics: { refused: refused.with(sum), visits: visits.with(sum) },
      period: PERIOD,
    }),
    above: MOST_THROTTLED,
    periods: 3,
    meaning: `For 15 minutes, more than ${MOST_THROTTLED}% of opens, clicks or unsubscribes were refused, as too many came at once.`,
  },
});

// Mailgun retries for eight hours.
const MOST_EVENTS_THROTTLED = 100;

export const providerEventsAlarms = ({ errors, refused }: Record<'errors' | 'refused', Metric>): Alarms => ({
  ProviderEventsLost: {
    metric: errors.with(sum),
    above: 0,
    periods: 3,
    of: 6,
    meaning: 'Events of the provider fail again and again: bounces and complaints are not stored.',
  },
  ProviderEventsThrottled: {
    metric: refused.with(sum),
    above: MOST_EVENTS_THROTTLED,
    periods: 6,
    meaning: `For half an hour, more than ${MOST_EVENTS_THROTTLED} of the provider's calls were refused in each five minutes, as too many came at once.`,
  },
});

const MOST_EDGE_ERRORS = 5;
// ACM renews a certificate 60 days before it ends: https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html
const RENEWED_BEFORE = 30;

/** In the region where CloudFront and its certificate publish their metrics. */
export const edgeAlarms = (certificate: Certificate, distribution: Distribution): Alarms => ({
  EdgeErrors: {
    metric: distribution.metric5xxErrorRate({ period: PERIOD }),
    above: MOST_EDGE_ERRORS,
    periods: 3,
    meaning: `For 15 minutes, CloudFront answered more than ${MOST_EDGE_ERRORS}% of all requests with a failure.`,
  },
  CertificateExpiry: {
    metric: certificate.metricDaysToExpiry({ period: DAY, statistic: 'min' }),
    below: RENEWED_BEFORE,
    meaning: `The certificate ends in less than ${RENEWED_BEFORE} days, and AWS has not renewed it.`,
  },
});

const failing = (fn: ServiceFunction): Watched => ({
  metric: fn.metricErrors(sum),
  above: 0,
  meaning: `${fn.entry} failed. Its log says why.`,
});

const waiting = (queue: IQueue, longest: Duration, what: string): Watched => ({
  metric: queue.metricApproximateAgeOfOldestMessage({ period: PERIOD }),
  above: longest.toSeconds(),
  meaning: `${what} has been waiting for more than ${longest.toMinutes()} minutes.`,
});

const holding = (queue: IQueue, meaning: string): Watched => ({
  metric: queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD }),
  above: 0,
  meaning,
});

// Without data a metric is missing, and an expression has no value if one of its metrics is missing.
const total = (metrics: IMetric[]) => combined(metrics, names => `SUM([${names.map(filled).join(', ')}])`);

const filled = (name: string) => `FILL(${name}, 0)`;

function combined(metrics: IMetric[], expressionOf: (names: string[]) => string): MathExpression {
  const byName = Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric]));
  return new MathExpression({
    expression: expressionOf(Object.keys(byName)),
    usingMetrics: byName,
    period: PERIOD,
  });
}
