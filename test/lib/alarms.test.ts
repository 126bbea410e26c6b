import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { MOST_IDLE } from '#core/sending/sweep/sweep.ts';
import { VISIBILITY } from '#core/timeouts.ts';
import { AlarmsStack } from '#lib/stacks/alarms.ts';
import { stageOf } from '#lib/stages.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { composed, type Properties, type Resource } from './templates.ts';

const { all, functions, only, templates } = composed('prod');
/** Those that send a release back tell nobody: test/lib/releases.test.ts. */
const ofReleases = all('AWS::CodeDeploy::DeploymentGroup').flatMap(({ Properties }) =>
  Properties.AlarmConfiguration.Alarms.map(({ Name }: Properties) => Name.Ref),
);
const toldBy = ({ all }: ReturnType<typeof composed>) =>
  all('AWS::CloudWatch::Alarm').filter(({ id }) => !ofReleases.includes(id));
const alarms = toldBy(composed('prod'));
const topics = all('AWS::SNS::Topic');
const nameIn = ({ Properties: { AlarmName } }: Resource): string => AlarmName.replace('letterflow-prod-', '');
const alarmOf = (name: string) => alarms.find(alarm => nameIn(alarm) === name)?.Properties ?? {};
const regionOf = (stack: string) => (/-edge/.test(stack) ? 'us-east-1' : 'eu-central-1');
const text = JSON.stringify;
const SECONDS_OF_LONGEST_DELAY = 900;
const MINUTE = 60_000;

/** The metrics of an alarm, each with the logical id of the resource that it is about, or its namespace. */
function watched({ Properties }: Resource): string[] {
  const metrics = (Properties.Metrics ?? [{ MetricStat: { Metric: Properties } }]).flatMap(
    ({ MetricStat }: Properties) => MetricStat?.Metric ?? [],
  );
  return metrics.map(({ MetricName, Namespace, Dimensions = [] }: Properties) => {
    const values = Dimensions.map(({ Value }: Properties) =>
      typeof Value === 'string' ? Value : (Value.Ref ?? Value['Fn::GetAtt']?.[0] ?? 'another stack'),
    );
    return `${MetricName} of ${values.join(' ') || Namespace}`;
  });
}
const seen = alarms.flatMap(watched);

/** Which alarms tell that a function fails: its message or change waits, and is given up in the end. */
const TELLING: Record<string, string[]> = {
  'background/allocation': ['Uncounted'],
  'background/guard': ['Uncounted'],
  'background/purge': ['PurgesAge', 'DeadPurges'],
  'background/unsubscribe-webhook': ['WebhooksAge', 'DeadWebhooks'],
  // The message comes back, and each attempt is an invocation.
  'sending/dead-packs': ['DeadPacks'],
  'sending/provider-events': ['ProviderEventsLost'],
  'sending/ses-events': ['ProviderEventsLost', 'LostChanges'],
  'sending/sender': ['SenderErrors', 'PacksAge', 'DeadPacks'],
  'sending/sweep': ['SweepErrors', 'SweepSilence', 'SweepLag'],
  'stream/dispatcher': ['DispatcherDelay', 'LostChanges'],
  'stream/projector': ['ProjectorDelay', 'LostChanges'],
  // Counted in logs, those of the functions and that of the API: test/lib/logs.test.ts.
  'tracking/click': ['VisitsLost'],
  'tracking/open': ['VisitsLost'],
  'tracking/unsubscribe': ['VisitsLost'],
};

const runs = (entry: string) => functions().find(fn => fn.entry === `functions/${entry}.ts`)?.id;

describe('the topic of a region', () => {
  const policyOf = (topic: Resource) =>
    all('AWS::SNS::TopicPolicy').find(
      ({ stack, Properties }) => stack === topic.stack && Properties.Topics[0].Ref === topic.id,
    )?.Properties.PolicyDocument.Statement;

  it('lets CloudWatch publish the alarms of this account and stage, and nobody else anything', () => {
    expect(topics.map(({ stack }) => regionOf(stack)).sort()).toEqual(['eu-central-1', 'us-east-1']);
    for (const topic of topics) {
      const allowed = policyOf(topic).filter(({ Effect }: Properties) => Effect === 'Allow');
      expect(allowed).toEqual([
        expect.objectContaining({
          Action: 'sns:Publish',
          Resource: { Ref: topic.id },
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: {
            StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
            ArnLike: { 'aws:SourceArn': expect.anything() },
          },
        }),
      ]);
    }
  });

  it('is the one that each alarm names, which is one of those that may publish', () => {
    for (const alarm of alarms) {
      const topic = topics.find(({ stack }) => regionOf(stack) === regionOf(alarm.stack));
      if (!topic) throw new Error(`There is no topic in the region of ${nameIn(alarm)}`);
      expect(text(alarm.Properties.AlarmActions)).toBe(
        text([arn('sns', regionOf(alarm.stack), `:${topic.Properties.TopicName}`)]),
      );
      const [{ Condition }] = policyOf(topic).filter(({ Effect }: Properties) => Effect === 'Allow');
      const may = text(Condition.ArnLike['aws:SourceArn']);
      expect(may).toBe(text(arn('cloudwatch', regionOf(alarm.stack), ':alarm:letterflow-prod-*')));
      expect(alarm.Properties.AlarmName).toMatch(/^letterflow-prod-\w+$/);
    }
  });

  const arn = (service: string, region: string, rest: string) => ({
    'Fn::Join': ['', [`arn:aws:${service}:${region}:`, { Ref: 'AWS::AccountId' }, rest]],
  });

  it('mails to the address of cdk.json, where there is one', () => {
    const settings = cdkJson.context.stages;
    const subscribed = (alarmEmail?: string) => {
      const stage = { ...stageOf('prod', settings), ...(alarmEmail !== undefined && { alarmEmail }) };
      const app = new App();
      return Template.fromStack(new AlarmsStack(app, 'alarms', stage)).toJSON().Resources as Record<
        string,
        Properties
      >;
    };
    expect(Object.values(subscribed('ops@example.com')).map(({ Type }) => Type)).toContain(
      'AWS::SNS::Subscription',
    );
    expect(text(subscribed('ops@example.com'))).toContain('"Endpoint":"ops@example.com","Protocol":"email"');
    expect(text(subscribed())).not.toContain('Subscription');
    for (const wrong of ['', 'ops', 'a@example.com, b@example.com']) {
      expect(() => subscribed(wrong)).toThrow(
        'alarmEmail of the stage prod in cdk.json is no email address.',
      );
    }
  });
});

describe('alarms', () => {
  it('are in the stack of what they watch, so that CloudFormation looks up nothing in another one', () => {
    const crossing = alarms.filter(({ Properties }) =>
      /Fn::(GetStackOutput|ImportValue)/.test(text(Properties)),
    );
    // CloudFront and its certificate are measured in another region.
    expect(crossing.map(nameIn).sort()).toEqual(['CertificateExpiry', 'EdgeErrors']);
    expect(text(templates.find(({ stack }) => /observability/.test(stack)))).not.toMatch(
      /Fn::(GetStackOutput|ImportValue)/,
    );
  });

  it('have a section of their name in docs/operations.md, which begins with their meaning, and no section names another one', () => {
    const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split(/^## Alarms$/m);
    const [told = ''] = section.split(/^## /m);
    const titles = [...told.matchAll(/^### (.+)$/gm)].map(([, title]) => title);
    expect(titles.sort()).toEqual([...new Set(alarms.map(nameIn))].sort());
    for (const alarm of alarms) {
      const name = nameIn(alarm);
      const [, meaning] = told.match(new RegExp(`^### ${name}\n\n> (.+)$`, 'm')) ?? [];
      expect(alarm.Properties.AlarmDescription).toBe(`${meaning} See ${name} in docs/operations.md.`);
    }
  });

  it('are on the dashboard, those of this region', () => {
    const shown = text(only('AWS::CloudWatch::Dashboard').DashboardBody);
    for (const alarm of alarms.filter(({ stack }) => regionOf(stack) === 'eu-central-1')) {
      expect(shown).toContain(`:alarm:${alarm.Properties.AlarmName}\\"`);
    }
  });
});

it('a stage without a domain and without mail has the same ones, but for what it does not have', () => {
  const missing = ['CertificateExpiry', 'EdgeErrors', 'MailBounces', 'MailComplaints'];
  const own = toldBy(composed('dev')).map(({ Properties }) =>
    Properties.AlarmName.replace('letterflow-dev-', ''),
  );
  expect(own.sort()).toEqual(
    alarms
      .map(nameIn)
      .filter(name => !missing.includes(name))
      .sort(),
  );
});

describe('there is an alarm', () => {
  it('for each function that fails and whose caller would not tell', () => {
    const told = functions().filter(({ entry }) => !/^functions\/(api|http|mcp)\//.test(entry));
    const names = told.map(({ entry }) => entry.replace(/^functions\/|\.ts$/g, ''));
    expect(names.sort()).toEqual(Object.keys(TELLING).sort());
    for (const telling of Object.values(TELLING).flat()) expect(alarmOf(telling), telling).not.toEqual({});
  });

  it('for the errors of the functions whose work nobody repeats, as its queue or stream is not there to get old', () => {
    const errors = seen.filter(metric => metric.startsWith('Errors of'));
    expect(errors.sort()).toEqual(
      ['sending/sender', 'sending/sweep'].map(entry => `Errors of ${runs(entry)}`).sort(),
    );
  });

  it('for a table that refuses reads or writes, and for writes that its index refuses, which refuses those of the table', () => {
    const throttled = seen
      .filter(metric => /ThrottleEvents/.test(metric))
      .map(metric => metric.replace(/[0-9A-F]{8}/, ''));
    expect(throttled).toEqual([
      'ReadThrottleEvents of Table',
      'WriteThrottleEvents of Table',
      'WriteThrottleEvents of GSI1 Table',
    ]);
  });

  it('for each reader of the stream that falls behind', () => {
    const readers = all('AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => Properties.StartingPosition,
    );
    expect(seen.filter(metric => metric.startsWith('IteratorAge')).sort()).toEqual(
      readers.map(({ Properties }) => `IteratorAge of ${Properties.FunctionName.Ref}`).sort(),
    );
  });

  it('for the age of packs, purges and messages for webhooks, and for dead letters', () => {
    const queues = all('AWS::SQS::Queue');
    const dead = queues.filter(({ Properties }) => !Properties.RedrivePolicy);
    const live = queues.filter(({ Properties }) => Properties.RedrivePolicy);
    expect([live.length, dead.length]).toEqual([3, 4]);
    expect(seen).toEqual(
      expect.arrayContaining([
        ...live.map(({ id }) => `ApproximateAgeOfOldestMessage of ${id}`),
        // Dead packs are ended at once by a function, and the others by somebody who looks after them.
        ...dead.flatMap(({ id }) =>
          /Packs/.test(id) ? [] : [`ApproximateNumberOfMessagesVisible of ${id}`],
        ),
        `Invocations of ${runs('sending/dead-packs')}`,
      ]),
    );
  });

  it('for packs that wait for longer than a delay and two tries take', () => {
    const { Threshold } = alarmOf('PacksAge');
    expect(Threshold).toBeGreaterThan(SECONDS_OF_LONGEST_DELAY + 2 * (VISIBILITY / 1000));
  });

  it('for a watermark that lags by more than that of a shard which had nothing to do', () => {
    expect(alarmOf('SweepLag').Threshold * MINUTE).toBeGreaterThan(MOST_IDLE + MINUTE);
  });
});

it('an expression has a value where one of its metrics has none', () => {
  const expressions = alarms.flatMap(({ Properties }) =>
    (Properties.Metrics ?? []).flatMap(({ Expression }: Properties) => Expression ?? []),
  );
  expect(expressions.length).toBeGreaterThan(0);
  for (const expression of expressions) {
    const bare = expression.replaceAll(/FILL\(\w+, [01]\)/g, '').match(/\b[a-z]\w*/g);
    expect(bare, expression).toBeNull();
  }
});
