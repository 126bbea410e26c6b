import type { StageName } from '#lib/stages.ts';
import { composed, type Variant } from '../lib/templates.ts';
import { plus, type Use } from './prices.ts';

const MINUTES = 30 * 24 * 60;
const SENDER_GB = 1_769 / 1_024;
/** Lambda looks into each queue by five long polls of 20 seconds at a time. */
const POLLS_A_MINUTE = 5 * 3;
const SWEEP_SECONDS = 0.2;
/** Of a run: the lease, the watermark and the sources. */
const SWEEP_UNITS = { writeUnit: 2, readUnit: 2 };
const SHARDS: Record<StageName, number> = { local: 2, dev: 2, prod: 20 };

const FREE = { alarmMetric: 10, metric: 10, dashboard: 3 };

/** What a stage uses in a month of 30 days while nobody does anything, as its templates say. */
export function idle(variant: Variant, stage: StageName): Record<string, Use> {
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
  const runs = MINUTES * (1 + SHARDS[stage]);
  return {
    alarms: { alarmMetric: Math.max(0, alarmMetrics.length - FREE.alarmMetric) },
    'metrics and dashboard': {
      metric: Math.max(0, metrics.size - FREE.metric),
      dashboard: Math.max(0, count('AWS::CloudWatch::Dashboard') - FREE.dashboard),
    },
    'keys and secrets': { key: count('AWS::KMS::Key'), secret: count('AWS::SecretsManager::Secret') },
    'looking into queues': { queueRequest: sources.length * POLLS_A_MINUTE * MINUTES },
    'the sweep': plus(
      { invocation: runs, gigabyteSecond: runs * SWEEP_SECONDS * SENDER_GB, logGigabyte: (runs * 400) / 1e9 },
      { writeUnit: runs * SWEEP_UNITS.writeUnit, readUnit: runs * SWEEP_UNITS.readUnit },
    ),
    'the firewall': { firewall: count('AWS::WAFv2::WebACL'), firewallRule: rules.length },
  };
}
