import { composed, type Variant } from '../lib/templates.ts';
import { plus, times, type Use } from './prices.ts';

const MINUTES = 30 * 24 * 60;
const SENDER_GB = 1_769 / 1_024;
/** Lambda looks into each queue by five long polls of 20 seconds at a time: in a month. */
export const POLLS = 5 * 3 * MINUTES;
/** Where no automation is on: a query, and the watermark every ten minutes (MOST_IDLE). */
const IDLE_RUN = { seconds: 0.05, writeUnit: 0.1, readUnit: 1 };
/** Where some are: the lease and the watermark, and what the sources are of. */
const BUSY_RUN = { seconds: 0.2, writeUnit: 2, readUnit: 2 };

const sweeps = ({ seconds, ...units }: typeof IDLE_RUN): Use =>
  times({ invocation: 1, gigabyteSecond: seconds * SENDER_GB, logGigabyte: 400 / 1e9, ...units }, MINUTES);

/** Of each thousand organizations of which some have an automation, in a month. */
export const shard = (): Use => plus(sweeps(BUSY_RUN), { event: MINUTES });

const FREE = { alarmMetric: 10, metric: 10, dashboard: 3 };

/** What a stage uses in a month of 30 days while nobody does anything, as its templates say. */
export function idle(variant: Variant): Record<string, Use> {
  const { all } = composed(variant);
  const count = (type: string) => all(type).length;
  const alarmMetrics = all('AWS::CloudWatch::Alarm').flatMap(({ Properties: { Metrics } }) =>
    Metrics ? Metrics.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat) : [{}],
  );
  const metrics = new Set(
    all('AWS::Logs::MetricFilter').map(({ Properties }) => Properties.MetricTransformations[0].MetricName),
  );
  const sources = all('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => !Properties.StartingPosition,
  );
  const rules = all('AWS::WAFv2::WebACL').flatMap(({ Properties }) => Properties.Rules);
  return {
    alarms: { alarmMetric: Math.max(0, alarmMetrics.length - FREE.alarmMetric) },
    'metrics and dashboard': {
      metric: Math.max(0, metrics.size - FREE.metric),
      dashboard: Math.max(0, count('AWS::CloudWatch::Dashboard') - FREE.dashboard),
    },
    'keys and secrets': { key: count('AWS::KMS::Key'), secret: count('AWS::SecretsManager::Secret') },
    'looking into queues': { queueRequest: sources.length * POLLS },
    'the sweep': sweeps(IDLE_RUN),
    'the firewall': { firewall: count('AWS::WAFv2::WebACL'), firewallRule: rules.length },
  };
}
