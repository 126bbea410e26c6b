import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { App, Aspects, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { KeptLogs } from '#lib/constructs/kept-logs.ts';
import { ACCESS_LOG } from '#lib/stacks/api.ts';
import { STAGES, type StageName, stageOf } from '#lib/stages.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { composed, type Properties } from './templates.ts';

const { all, functions } = composed('prod');
const filters = all('AWS::Logs::MetricFilter').map(
  ({ stack, Properties }) => ({ stack, ...Properties }) as Properties,
);

describe('logs', () => {
  it.each<StageName>(['dev', 'prod'])(
    'of all functions and of the API are kept in %s as long as its stage says',
    stage => {
      const { all } = composed(stage);
      const groups = all('AWS::Logs::LogGroup');
      for (const { id, Properties } of groups)
        expect(Properties.RetentionInDays, id).toBe(STAGES[stage].logRetention);
      for (const { stack, id, Properties } of all('AWS::Lambda::Function')) {
        const own = groups.filter(
          group => group.stack === stack && group.id === Properties.LoggingConfig?.LogGroup.Ref,
        );
        expect(own, id).toHaveLength(1);
      }
    },
  );

  it('of a function that CDK adds by itself are kept as long as well', () => {
    const app = new App({ context: cdkJson.context });
    Aspects.of(app).add(new KeptLogs(stageOf('dev', cdkJson.context.stages)));
    const stack = new Stack(app, 'Stack');
    new Bucket(stack, 'Bucket', { autoDeleteObjects: true, removalPolicy: RemovalPolicy.DESTROY });
    const template = Template.fromStack(stack);
    const [[id] = []] = Object.entries(template.findResources('AWS::Logs::LogGroup'));
    template.hasResourceProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
    template.hasResourceProperties('AWS::Lambda::Function', { LoggingConfig: { LogGroup: { Ref: id } } });
  });

  it('are lines of JSON, and Lambda itself writes only warnings', () => {
    for (const { entry, Properties } of functions()) {
      expect(Properties.LoggingConfig, entry).toMatchObject({
        LogFormat: 'JSON',
        ApplicationLogLevel: 'INFO',
        SystemLogLevel: 'WARN',
      });
    }
  });
});

describe('a metric', () => {
  /** What a function would write to its log in Lambda's format, as an object. */
  const { stdout, stderr } = spawnSync(
    'node',
    [
      '--input-type=module',
      '-e',
      `const { log } = await import(${JSON.stringify(new URL('../../functions/platform/log.ts', import.meta.url))});
      log.info('swept', { shard: 0, lag: 1, behind: 2 });
      log.info('another run sweeps', { shard: 1, lag: 7, behind: 0 });
      log.info('projected', { records: 3 });
      log.error('something cannot be counted', { what: 'record 7' });`,
    ],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_LAMBDA_LOG_FORMAT: 'JSON',
        AWS_LAMBDA_LOG_LEVEL: 'INFO',
        POWERTOOLS_DEV: 'false',
      },
    },
  );
  // Lambda puts both into one log.
  const LINES: Properties[] = (stdout + stderr)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

  it('reads lines that Lambda leaves as they are: with a level, and a time of which it knows the form', () => {
    expect(LINES.map(({ level, message }) => [level, message])).toEqual([
      ['INFO', 'swept'],
      ['INFO', 'another run sweeps'],
      ['INFO', 'projected'],
      ['ERROR', 'something cannot be counted'],
    ]);
    for (const { timestamp } of LINES) expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  const called = (route: string, status: string) => ({ ...ACCESS_LOG, route, status });
  const CALLS = [
    called('GET /api/lists', '200'),
    called('GET /api/lists', '404'),
    called('GET /api/lists', '503'),
    called('GET /t/c/{token}', '503'),
    called('GET /t/c/{token}', '500'),
    called('GET /t/o/{token}', '429'),
    called('POST /t/e/{organization}/{list}', '500'),
    called('POST /t/e/{organization}/{list}', '429'),
  ];

  it.each<[string, Properties[]]>([
    ['Swept', LINES.slice(0, 1)],
    ['SweepBehind', LINES.slice(0, 1)],
    ['SweepLag', LINES.slice(0, 2)],
    ['Uncounted', LINES.slice(3)],
    ['VisitErrors', [...LINES.slice(3), ...CALLS.slice(4, 5)]],
    ['Visits', CALLS.slice(3, 6)],
    ['VisitsRefused', [...CALLS.slice(3, 4), ...CALLS.slice(5, 6)]],
    ['ProviderEventErrors', [...LINES.slice(3), ...CALLS.slice(6, 7)]],
    ['ProviderEventsRefused', CALLS.slice(7)],
    ['ServerErrors', CALLS.slice(2, 3)],
  ])('%s counts the lines that it should, and no other', (name, lines) => {
    const named = filters.filter(({ MetricTransformations: [{ MetricName }] }) => MetricName === name);
    expect(named).not.toEqual([]);
    const counted = named.map(({ FilterPattern }) => matching(FilterPattern));
    expect([...LINES, ...CALLS].filter(line => counted.some(counts => counts(line)))).toEqual(lines);
  });

  it.each([
    ['Swept', 'functions/sending/sweep.ts'],
    ['SweepBehind', 'functions/sending/sweep.ts'],
    ['SweepLag', 'functions/sending/sweep.ts'],
    ['Uncounted', 'functions/stream/projector.ts'],
  ])('%s follows from what %s logs', (name, entry) => {
    const filter = filters.find(({ MetricTransformations: [{ MetricName }] }) => MetricName === name);
    const fn = functions().find(one => one.entry === entry);
    expect(filter?.LogGroupName).toEqual({ Ref: fn?.Properties.LoggingConfig.LogGroup.Ref });
    const messages = [...(filter?.FilterPattern.matchAll(/\$\.message = "(.+?)"/g) ?? [])].map(
      ([, text]) => text,
    );
    expect(messages).not.toEqual([]);
    for (const message of messages) expect(readFileSync(entry, 'utf8')).toContain(`'${message}'`);
  });

  it.each([
    ['VisitErrors', /^functions\/tracking\//],
    ['ProviderEventErrors', /(provider|ses)-events\.ts$/],
  ])('%s is of all that %s log', (name, entries) => {
    const own = filters.filter(({ MetricTransformations: [{ MetricName }] }) => MetricName === name);
    const logging = functions().filter(({ entry }) => entries.test(entry));
    const logs = logging.map(({ Properties }) => Properties.LoggingConfig.LogGroup.Ref);
    const [access] = all('AWS::Logs::LogGroup').filter(({ id }) => /^AccessLog/.test(id));
    expect(own.map(({ LogGroupName }) => LogGroupName.Ref).sort()).toEqual([...logs, access?.id].sort());
  });

  /** https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html, as far as it is used. */
  function matching(pattern: string) {
    const groups = pattern
      .split(' && ')
      .map(group => [...group.matchAll(/\$\.(\w+) = (?:"([^"]*)"|%([^%]*)%)/g)])
      .map(terms =>
        terms.map(
          ([, field = '', value, regex]) =>
            (line: Properties) =>
              field in line &&
              new RegExp(
                regex ?? `^${(value ?? '').replaceAll(/[{}/]/g, '\\$&').replaceAll('*', '.*')}$`,
              ).test(String(line[field])),
        ),
      );
    return (line: Properties) => groups.every(terms => terms.some(term => term(line)));
  }
});
