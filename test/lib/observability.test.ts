import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { composed, type Properties } from './templates.ts';

const { all, only, functions, templates } = composed('prod');
const alarms = all('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const metricOf = ({ Metrics: [{ MetricStat }] }: Properties): Properties => MetricStat.Metric;

/** The metric of an alarm, and the logical id of the resource that it is about; a metric of ours is of its stage. */
function watched(alarm: Properties): string {
  const { MetricName, Dimensions, Namespace } = metricOf(alarm);
  if (!Dimensions) return `${MetricName} of ${Namespace}`;
  const [{ Value }] = Dimensions;
  const { StackName, OutputName } = Value['Fn::GetStackOutput'];
  const output = templates.find(({ stack }) => stack === StackName)?.outputs[OutputName];
  return `${MetricName} of ${output?.Value.Ref ?? output?.Value['Fn::GetAtt'][0]}`;
}

it.each(['Errors', 'Throttles'])('there is an alarm for the %s of every function', metric => {
  const seen = alarms.map(watched);
  for (const { id, entry } of functions()) expect(seen, entry).toContain(`${metric} of ${id}`);
});

it('there is an alarm for each reader of the stream that falls behind', () => {
  const readers = all('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties.StartingPosition,
  );
  const late = alarms.filter(alarm => watched(alarm).startsWith('IteratorAge'));
  expect(late.map(watched).sort()).toEqual(
    readers.map(({ Properties }) => `IteratorAge of ${Properties.FunctionName.Ref}`).sort(),
  );
});

it('there is an alarm for the age of packs, purges and messages for webhooks, for dead letters, and for server errors', () => {
  // The sweep has alarms of its own.
  const queues = all('AWS::SQS::Queue').filter(({ id }) => !/^Sweeps/.test(id));
  const dead = queues.filter(({ Properties }) => !Properties.RedrivePolicy);
  const live = queues.filter(({ Properties }) => Properties.RedrivePolicy);
  expect([live.length, dead.length]).toEqual([3, 4]);
  const expected = [
    ...live.map(({ id }) => `ApproximateAgeOfOldestMessage of ${id}`),
    // Dead packs are ended at once by a function, and the others by somebody who looks after them.
    ...dead.flatMap(({ id }) => (/Packs/.test(id) ? [] : [`ApproximateNumberOfMessagesVisible of ${id}`])),
    ...functions()
      .filter(({ entry }) => entry === 'functions/sending/dead-packs.ts')
      .map(({ id }) => `Invocations of ${id}`),
    ...all('AWS::ApiGatewayV2::Api').map(({ id }) => `5xx of ${id}`),
  ];
  expect(alarms.map(watched)).toEqual(expect.arrayContaining(expected));
});

it('there is an alarm for organizations that are behind, and for a sweep that does not run', () => {
  const alarm = (name: string) => alarms.find(one => watched(one) === `${name} of Letterflow/prod`);
  const metric = (name: string) => alarm(name)?.Metrics[0].MetricStat;
  expect(alarm('SweepBehind')).toMatchObject({
    ...{ Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' },
    ...{ EvaluationPeriods: 10, TreatMissingData: 'notBreaching' },
  });
  expect(metric('SweepBehind')).toMatchObject({ Period: 60, Stat: 'Maximum' });
  expect(alarm('Swept')).toMatchObject({
    ...{ Threshold: 1, ComparisonOperator: 'LessThanThreshold' },
    ...{ EvaluationPeriods: 1, TreatMissingData: 'breaching' },
  });
  expect(metric('Swept')).toMatchObject({ Period: 300, Stat: 'Sum' });
});

it('there is an alarm for what can never be counted', () => {
  const alarm = alarms.find(one => watched(one) === 'Uncounted of Letterflow/prod');
  expect(alarm).toMatchObject({
    ...{ Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' },
    ...{ EvaluationPeriods: 1, TreatMissingData: 'notBreaching' },
  });
});

it.each([
  ['Swept', 'functions/sending/sweep.ts'],
  ['SweepBehind', 'functions/sending/sweep.ts'],
  ['SweepLag', 'functions/sending/sweep.ts'],
  ['Uncounted', 'functions/projector/projector.ts'],
])('the metric %s follows from what %s logs', (name, entry) => {
  const filters = all('AWS::Logs::MetricFilter').map(({ Properties }) => Properties);
  const filter = filters.find(({ MetricTransformations: [{ MetricName }] }) => MetricName === name);
  const fn = functions().find(one => one.entry === entry);
  expect(filter?.LogGroupName).toEqual(fn?.Properties.LoggingConfig.LogGroup);
  const message = /^\{ \$\.message = "(.+)" \}$/.exec(filter?.FilterPattern)?.[1];
  expect(readFileSync(entry, 'utf8')).toContain(`'${message}'`);
});

it('the dashboard shows all of them', () => {
  const shown = JSON.stringify(only('AWS::CloudWatch::Dashboard').DashboardBody);
  for (const { id } of all('AWS::CloudWatch::Alarm')) expect(shown).toContain(`"Fn::GetAtt":["${id}","Arn"]`);
});
