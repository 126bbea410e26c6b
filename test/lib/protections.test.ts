import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { SHARD_EVENT } from '#core/sources/source.ts';
import { AlarmsStack } from '#lib/stacks/alarms.ts';
import { type Settings, stageOf } from '#lib/stages.ts';
import { composed, type Properties, type Variant } from './templates.ts';

// What infrastructure protects, by name and value: docs/infrastructure.md is for readers, and an update of it accepts anything.
const stages = { dev: composed('dev'), prod: composed('prod') };
const { all, functions, only, stacks } = stages.prod;

const entryOf = (ref: string) =>
  functions()
    .find(fn => fn.id === ref)
    ?.entry.replace(/^functions\/|\.ts$/g, '');

it('alarms ring at these values', () => {
  const shown = all('AWS::CloudWatch::Alarm').map(({ Properties }) => {
    const { AlarmName, ComparisonOperator, Threshold, EvaluationPeriods, DatapointsToAlarm } = Properties;
    const sign = { GreaterThanThreshold: '>', LessThanThreshold: '<' }[ComparisonOperator as string];
    const missing = Properties.TreatMissingData === 'breaching' ? ', or silent' : '';
    const periods = `${DatapointsToAlarm ?? EvaluationPeriods} of ${EvaluationPeriods}`;
    return `${AlarmName.replace('letterflow-prod-', '')} ${sign} ${Threshold}, ${periods}${missing}`;
  });
  expect(shown.sort()).toEqual(ALARMS.trim().split('\n').sort());
});

it('what failed in a batch comes again alone, from these sources, so many at a time', () => {
  const sources = all('AWS::Lambda::EventSourceMapping').map(({ Properties }) => {
    const { FunctionName, FunctionResponseTypes = [], ScalingConfig, BatchSize } = Properties;
    const at = ScalingConfig?.MaximumConcurrency ?? Properties.ParallelizationFactor ?? 'one a shard';
    return [
      entryOf(FunctionName.Ref),
      BatchSize,
      at,
      FunctionResponseTypes.join(),
      Properties.MaximumRetryAttempts,
    ];
  });
  expect(sources.sort()).toEqual([
    ['background/purge', 1, 5, '', undefined],
    ['background/unsubscribe-webhook', 10, 20, 'ReportBatchItemFailures', undefined],
    ['sending/dead-packs', 1, 200, '', undefined],
    ['sending/sender', 1, 200, 'ReportBatchItemFailures', undefined],
    ['stream/dispatcher', 500, 'one a shard', '', -1],
    ['stream/projector', 500, 1, '', -1],
  ]);
});

it('an event of SES that fails three times is kept in the queue of what is lost', () => {
  const [config, ...others] = all('AWS::Lambda::EventInvokeConfig').filter(
    ({ Properties }) => Properties.DestinationConfig,
  );
  expect([entryOf(config?.Properties.FunctionName.Ref), others]).toEqual(['sending/ses-events', []]);
  expect(config?.Properties.MaximumRetryAttempts).toBeUndefined();
  expect(JSON.stringify(config?.Properties.DestinationConfig.OnFailure)).toContain('LostChanges');
});

it.each(['dev', 'prod'] as const)('of what SES says, the stage %s hears of its own emails alone', stage => {
  const [rule, ...others] = stages[stage]
    .all('AWS::Events::Rule')
    .filter(({ Properties }) => Properties.EventPattern?.source?.[0] === 'aws.ses');
  const { Name } = stages[stage].only('AWS::SES::ConfigurationSet');
  expect([Name, others]).toEqual([`letterflow-${stage}`, []]);
  expect(rule?.Properties.EventPattern.detail).toEqual({
    mail: { tags: { 'ses:configuration-set': [Name] } },
  });
});

it('the API takes so many calls a second, and so many that sign in', () => {
  const rates = (stage: keyof typeof stages) => {
    const { DefaultRouteSettings, RouteSettings } = stages[stage].only('AWS::ApiGatewayV2::Stage');
    return [DefaultRouteSettings, ...Object.values<Properties>(RouteSettings)].map(
      ({ ThrottlingRateLimit, ThrottlingBurstLimit }) => [ThrottlingRateLimit, ThrottlingBurstLimit],
    );
  };
  expect(rates('prod')).toEqual([
    [1000, 2000],
    [50, 100],
    [50, 100],
  ]);
  expect(rates('dev')).toEqual([
    [100, 200],
    [10, 20],
    [10, 20],
  ]);
});

describe('rights', () => {
  const statements = all('AWS::IAM::Policy').flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  const of = (service: string) =>
    statements.filter(({ Action }: Properties) =>
      [Action].flat().every(action => action.startsWith(service)),
    );

  it('to items always name partitions, also in a request that has no keys', () => {
    const items = of('dynamodb:').filter(({ Action }: Properties) => !/Stream/.test(JSON.stringify(Action)));
    expect(items.length).toBeGreaterThan(20);
    for (const { Condition } of items) {
      expect(Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys']).not.toContain('*');
      expect(Condition.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
  });

  it('to mail fix the sender', () => {
    const sender = { StringEquals: { 'ses:FromAddress': 'no-reply@letterflow.example' } };
    expect(of('ses:SendEmail').map(({ Condition }: Properties) => Condition)).toEqual([
      sender,
      sender,
      sender,
      sender,
      sender,
    ]);
  });

  const tag = { StringEquals: { 'aws:ResourceTag/letterflow:stage': 'prod' } };

  it('to emails of lists are those of who sends them, from identities that carry the stage', () => {
    // Of the sender, of what ends its packs, and of test emails.
    expect(of('ses:SendBulkEmail').map(({ Condition }: Properties) => Condition)).toEqual([
      tag,
      undefined,
      tag,
      undefined,
      tag,
      undefined,
    ]);
    expect(of('ses:GetAccount')).toHaveLength(2);
  });

  it('to domains and tenants are to those that carry the stage, and to create one gives it that', () => {
    const requested = { StringEquals: { 'aws:RequestTag/letterflow:stage': 'prod' } };
    const creating = /^ses:(Create(EmailIdentity|Tenant)|TagResource)$/;
    // Emails of the platform itself fix the sender instead, and an account has no tag.
    const others = ['ses:SendEmail', 'ses:GetAccount'];
    const rights = statements
      .filter(({ Resource }: Properties) => /:(identity|tenant)\/|"\*"/.test(JSON.stringify(Resource)))
      .flatMap(({ Action, Condition }: Properties) =>
        [Action].flat().map(action => ({ action: String(action), Condition })),
      )
      .filter(({ action }) => action.startsWith('ses:') && !others.includes(action));
    const actions = ['ses:CreateTenant', 'ses:CreateTenantResourceAssociation', 'ses:DeleteTenant'];
    expect(rights.map(({ action }) => action)).toEqual(expect.arrayContaining(actions));
    for (const { action, Condition } of rights) {
      expect(Condition, action).toEqual(creating.test(action) ? requested : tag);
    }
  });

  it('to uploads are those of distributions of this account', () => {
    const [statement] = all('AWS::S3::BucketPolicy')
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Resource }: Properties) => JSON.stringify(Resource).includes('files/*'));
    const account = { Ref: 'AWS::AccountId' };
    expect(statement.Condition).toEqual({
      StringEquals: { 'aws:SourceAccount': account },
      ArnLike: {
        'aws:SourceArn': { 'Fn::Join': ['', ['arn:aws:cloudfront::', account, ':distribution/*']] },
      },
    });
  });
});

it('data is kept: the table at each point in time, files for 30 days after they were replaced, dead letters for 14', () => {
  const { PointInTimeRecoverySpecification, DeletionProtectionEnabled } = only('AWS::DynamoDB::Table');
  expect(PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  expect(DeletionProtectionEnabled).toBe(true);
  const rules = all('AWS::S3::Bucket').flatMap(
    ({ Properties }) => Properties.LifecycleConfiguration?.Rules ?? [],
  );
  expect(rules).toMatchObject([{ NoncurrentVersionExpiration: { NoncurrentDays: 30 }, Status: 'Enabled' }]);
  const dead = all('AWS::SQS::Queue').filter(({ id }) => /^(Dead|Lost)/.test(id));
  expect(dead.map(({ Properties }) => Properties.MessageRetentionPeriod)).toEqual([
    1209600, 1209600, 1209600, 1209600,
  ]);
  const logs = (stage: keyof typeof stages) =>
    new Set(stages[stage].all('AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays));
  expect([logs('dev'), logs('prod')]).toEqual([new Set([7]), new Set([90])]);
});

it('the index of prod is as warm as its table, as a slower one would slow it down', () => {
  const { WarmThroughput, GlobalSecondaryIndexes } = only('AWS::DynamoDB::Table');
  expect(WarmThroughput).toEqual({ ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 20_000 });
  expect(GlobalSecondaryIndexes).toMatchObject([{ WarmThroughput }]);
});

it('there is a key for the events of lists without one of their own where cdk.json says so, and nobody knows its first value', () => {
  const secrets = (variant: Variant) =>
    composed(variant)
      .all('AWS::SecretsManager::Secret')
      .map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''));
  expect(secrets('prod').sort()).toEqual(['OriginKey', 'TrackingKey']);
  expect(secrets('local')).toContain('ProviderSigningKey');
  for (const { Properties } of composed('local').all('AWS::SecretsManager::Secret'))
    expect(Properties.GenerateSecretString).toMatchObject({ PasswordLength: 64 });
});

it('an event that waits for webhooks has its organization as its group', () => {
  const [rule] = all('AWS::Events::Rule').filter(({ Properties }) =>
    /subscribed/.test(JSON.stringify(Properties.EventPattern)),
  );
  expect(rule?.Properties.Targets).toMatchObject([{ SqsParameters: { MessageGroupId: '$.detail.group' } }]);
});

it('an event has each further shard swept within a minute, or the next one does', () => {
  const [rule] = all('AWS::Events::Rule').filter(({ Properties }) =>
    /sweep/.test(JSON.stringify(Properties.EventPattern)),
  );
  expect(rule?.Properties.EventPattern).toEqual({ source: ['letterflow'], 'detail-type': [SHARD_EVENT] });
  expect(rule?.Properties.Targets).toMatchObject([
    { RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } },
  ]);
  expect(entryOf(rule?.Properties.Targets[0].Arn['Fn::GetAtt'][0])).toBe('sending/sweep');
});

describe('the budget', () => {
  const budgetOf = (settings: Settings) => {
    const stack = new AlarmsStack(new App(), 'alarms', stageOf('dev', { dev: settings }));
    const [found] = Object.values(Template.fromStack(stack).findResources('AWS::Budgets::Budget'));
    return found?.Properties;
  };
  const alarmEmail = 'ops@example.com';

  it('of the account tells the address of alarms, at four fifths, and when a month is expected to exceed it', () => {
    const told = (NotificationType: string, Threshold: number) => ({
      Notification: { NotificationType, Threshold, ComparisonOperator: 'GREATER_THAN' },
      Subscribers: [{ SubscriptionType: 'EMAIL', Address: alarmEmail }],
    });
    expect(budgetOf({ alarmEmail })).toEqual({
      Budget: {
        BudgetName: 'letterflow-dev',
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: 20, Unit: 'USD' },
      },
      NotificationsWithSubscribers: [told('ACTUAL', 80), told('FORECASTED', 100)],
    });
    expect(budgetOf({ alarmEmail, budget: 7.5 })?.Budget.BudgetLimit.Amount).toBe(7.5);
  });

  it('is not there without an address, or of nothing; one that would tell nobody, or is no number, is refused', () => {
    for (const without of [{}, { alarmEmail, budget: 0 }]) expect(budgetOf(without)).toBeUndefined();
    expect(() => budgetOf({ budget: 50 })).toThrow('cdk.json needs alarmEmail beside budget');
    for (const budget of [-1, 'much'] as number[]) {
      expect(() => budgetOf({ alarmEmail, budget })).toThrow(
        'budget of the stage dev in cdk.json is no number',
      );
    }
  });
});

it('each stack has the tags of the product and its stage, which its resources inherit', () => {
  const tags = Object.values(stacks).map(stack => stack.tags.tagValues());
  expect(tags).toEqual(tags.map(() => ({ application: 'letterflow', stage: 'prod' })));
});

const ALARMS = `
CertificateExpiry < 30, 1 of 1
DeadPacks > 0, 1 of 1
DeadPurges > 0, 1 of 1
DeadWebhooks > 0, 1 of 1
DispatcherDelay > 1800000, 1 of 1
EdgeErrors > 5, 3 of 3
LostChanges > 0, 1 of 1
MailBounces > 0.04, 1 of 1
MailComplaints > 0.0008, 1 of 1
PacksAge > 1800, 1 of 1
ProjectorDelay > 1800000, 1 of 1
ProviderEventsLost > 0, 3 of 6
ProviderEventsThrottled > 100, 6 of 6
PurgesAge > 3600, 1 of 1
RepeatedServerErrors > 0, 3 of 12
SenderErrors > 0, 1 of 1
ServerErrors > 5, 1 of 1
SweepBehind > 0, 10 of 10
SweepErrors > 0, 1 of 1
SweepLag > 15, 1 of 1
SweepSilence < 1, 3 of 3, or silent
TableThrottled > 100, 2 of 2
Uncounted > 0, 1 of 1
VisitsLost > 0, 2 of 6
VisitsThrottled > 5, 3 of 3
WebhooksAge > 1800, 1 of 1
release > 0, 1 of 1
`;
