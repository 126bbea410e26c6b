import { describe, expect, it } from 'vitest';
import { leastConcurrency, type Settings, type StageName, stageOf } from '#lib/stages.ts';
import {
  type Account,
  checkAccount,
  type DeployedStack,
  nextSteps,
  STACKS,
} from '../../bin/deployment/checks.ts';
import { composed } from './templates.ts';

const DOMAIN = {
  domain: 'mail.acme.org',
  hostedZoneId: 'Z08ABC',
  account: '111122223333',
  alarmEmail: 'ops@acme.org',
};
const SERVERS = ['ns-1.awsdns-01.com', 'ns-2.awsdns-02.net'];

const stack = (resources: string[] = [], status = 'UPDATE_COMPLETE'): DeployedStack => ({
  status,
  resources,
  outputs: {},
});
const deployed = (stage: StageName): Record<string, DeployedStack> => ({
  CDKToolkit: stack(),
  [`letterflow-${stage}-data`]: stack([`letterflow-${stage}`]),
  [`letterflow-${stage}-mail`]: stack([DOMAIN.domain]),
});

const PRODUCTION = { isSandboxed: false, daily: 50_000, perSecond: 14, plan: undefined };
const QUOTA = 'SES is in production: it sends 50,000 emails a day, 14 a second, for all lists together.';

/** An account in which a stage is deployed, and nothing is to be done. */
const account = (stage: StageName, other: Partial<Account> = {}): Account => ({
  number: async () => '111122223333',
  stack: async name => deployed(stage)[name],
  concurrency: async () => 1000,
  identity: async () => ({ isVerified: true }),
  mail: async () => PRODUCTION,
  hasTable: async () => true,
  zone: async () => ({ name: 'acme.org', nameServers: SERVERS }),
  nameServers: async () => SERVERS,
  ...other,
});

const look = (settings: Settings, other: Partial<Account> = {}, stage: StageName = 'prod') =>
  checkAccount(stageOf(stage, { [stage]: settings }), account(stage, other));
const withStacks =
  (stacks: Record<string, DeployedStack | undefined>, stage: StageName = 'prod'): Account['stack'] =>
  async name =>
    ({ ...deployed(stage), ...stacks })[name];
const absent = async () => undefined;

it('nothing is to be done where a stage is deployed already', async () => {
  expect(await look(DOMAIN)).toEqual([
    { says: 'Account 111122223333, eu-central-1 and us-east-1.' },
    { says: QUOTA },
  ]);
});

it('without credentials nothing else is asked', async () => {
  const expired = () => Promise.reject(new Error('The security token is expired'));
  const [only, ...others] = await look(DOMAIN, { number: expired, stack: expired, zone: expired });
  expect(only).toMatchObject({ stops: true, todo: expect.stringContaining('AWS_PROFILE') });
  expect(others).toEqual([]);
});

it('credentials are enough for dev: no domain, no email, ten functions at a time', async () => {
  const findings = await look(
    {},
    {
      stack: withStacks({ 'letterflow-dev-data': undefined }, 'dev'),
      concurrency: async () => 10,
      hasTable: async () => false,
      zone: absent,
    },
    'dev',
  );
  expect(findings.map(({ says, stops }) => [says, stops])).toEqual([
    ['Account 111122223333, eu-central-1.', undefined],
    ['Nothing says that dev belongs to the account 111122223333.', false],
    [expect.stringMatching(/^10 functions may run .* readers of the table's stream/), undefined],
    ['Nothing is deployed yet: this takes about 15 minutes.', undefined],
    ['This stage sends no emails of its own: codes to sign in come from npm run sign-in.', undefined],
    [QUOTA, undefined],
  ]);
});

describe('it stops, and says what to do, where', () => {
  it.each<[string, Partial<Account>, string]>([
    [
      'CDK has not been prepared in one of two regions',
      { stack: async (name, region) => (region === 'us-east-1' ? undefined : deployed('prod')[name]) },
      'npx cdk bootstrap aws://111122223333/us-east-1',
    ],
    [
      'the preparation of CDK has failed',
      { stack: withStacks({ CDKToolkit: stack([], 'ROLLBACK_COMPLETE') }) },
      'npx cdk bootstrap aws://111122223333/eu-central-1 aws://111122223333/us-east-1',
    ],
    [
      'a stack of its own can neither go on nor back',
      { stack: withStacks({ 'letterflow-prod-api': stack([], 'UPDATE_ROLLBACK_FAILED') }) },
      'continue-update-rollback --region eu-central-1 --stack-name letterflow-prod-api',
    ],
    [
      'it is another account',
      { number: async () => '444455556666' },
      'Use that one, or write "account": "4444',
    ],
    ['prod could run too few functions', { concurrency: async () => 10 }, 'Ask for 1000 in Service Quotas'],
    [
      'a table is left over from a stack that was removed',
      { stack: withStacks({ 'letterflow-prod-data': undefined }) },
      'npx cdk import letterflow-prod-data -c stage=prod',
    ],
    [
      'a table is left over beside a stack whose first deployment failed',
      { stack: withStacks({ 'letterflow-prod-data': stack([], 'ROLLBACK_COMPLETE') }) },
      'aws dynamodb delete-table --region eu-central-1 --table-name letterflow-prod',
    ],
    ['the zone is not in this account', { zone: absent }, 'Correct hostedZoneId'],
    [
      'the zone is that of another domain',
      { zone: async () => ({ name: 'e.org', nameServers: SERVERS }) },
      'Correct domain or',
    ],
    [
      'the zone is not delegated to Route 53',
      { nameServers: async () => ['ns.registrar.example'] },
      SERVERS.join(', '),
    ],
    ['the domain is not known at all', { nameServers: async () => [] }, SERVERS.join(', ')],
  ])('%s', async (_, other, todo) => {
    const stopping = (await look(DOMAIN, other)).filter(({ stops }) => stops);
    expect(stopping).toEqual([expect.objectContaining({ todo: expect.stringContaining(todo) })]);
  });
});

it('prod is deployed only to the account that cdk.json names, and with an address that gets its alarms', async () => {
  const { account, alarmEmail, ...rest } = DOMAIN;
  const stopping = (await look(rest)).filter(({ stops }) => stops);
  expect(stopping.map(({ says }) => says)).toEqual([
    `Nothing says that prod belongs to the account ${account}.`,
    'Nobody gets the alarms of prod.',
  ]);
});

it('knows the stacks of a stage', () => {
  const { templates } = composed('prod');
  const known = Object.values(STACKS).flat();
  expect(templates.map(({ stack }) => stack.replace('letterflow-prod-', '')).sort()).toEqual(known.sort());
});

describe('what it finds changes the deployment:', () => {
  const foundBy = async (settings: Settings, other: Partial<Account>) =>
    Object.assign({}, ...(await look(settings, other)).map(({ found }) => found));

  it('an identity that was there before is used', async () => {
    const before = { stack: withStacks({ 'letterflow-prod-mail': undefined }) };
    expect(await foundBy(DOMAIN, before)).toEqual({ identityExists: true });
    expect(await foundBy(DOMAIN, { ...before, identity: absent })).toEqual({});
  });

  it('one that the stage has created stays in its stack', async () => {
    expect(await foundBy(DOMAIN, { identity: async () => ({ isVerified: false }) })).toEqual({});
  });

  it.each([undefined, stack([], 'ROLLBACK_COMPLETE'), stack([], 'REVIEW_IN_PROGRESS')])(
    'a first deployment is one where the stack of data is %j',
    async data => {
      const first = { stack: withStacks({ 'letterflow-prod-data': data }), hasTable: async () => false };
      expect(await foundBy(DOMAIN, first)).toEqual({ isFirst: true });
    },
  );
});

it('what it may not look at does not stop it', async () => {
  const denied = () => Promise.reject(new Error('AccessDenied'));
  const findings = await look(DOMAIN, { concurrency: denied, zone: denied, mail: denied });
  expect(findings.filter(({ says }) => says.startsWith('Could not look at'))).toHaveLength(4);
  expect(findings.filter(({ stops }) => stops)).toEqual([]);
});

it('an address is told to confirm, and the sandbox named', async () => {
  const findings = await look(
    { mail: 'ann@acme.org' },
    { identity: absent, mail: async () => ({ ...PRODUCTION, isSandboxed: true, daily: 200, perSecond: 1 }) },
    'dev',
  );
  expect(findings.map(({ todo }) => todo)).toEqual([
    undefined,
    expect.stringContaining('If it does, write "account"'),
    expect.stringContaining('Follow the link in the email that SES sends to ann@acme.org'),
    expect.stringContaining('Ask for production access'),
  ]);
  expect(findings.at(-1)?.says).toBe(
    'SES is in its sandbox: it sends 200 emails a day, 1 a second, to verified addresses alone. So lists that send by SES reach nobody else, and nobody else can sign in.',
  );
});

it('an account with a plan of SES is told what it costs, and how to leave it; nothing stops for it', async () => {
  const mail = async () => ({ ...PRODUCTION, daily: -1, plan: 'ESSENTIALS' });
  const [, quota, prices] = await look(DOMAIN, { mail });
  expect(quota?.says).toContain('it sends any number of emails a day, 14 a second');
  expect(prices).toEqual({
    says: 'SES has the plan ESSENTIALS, which accounts created since 2026-07-21 begin with: it takes $0.16 for 1,000 emails, in place of $0.10.',
    todo: 'Unless you want what is in the plan: aws sesv2 put-account-pricing-attributes --region eu-central-1 --plan NONE',
  });
});

it('the next command signs in where no code is mailed', () => {
  const steps = (settings: Settings) =>
    nextSteps(stageOf('dev', { dev: settings }), 'https://d1.cloudfront.net');
  expect(steps({})).toContain('dev is at https://d1.cloudfront.net');
  expect(steps({})).toContain('npm run sign-in -- --stage dev <your address>');
  expect(steps(DOMAIN)).not.toContain('sign-in');
});

it('the account has to run what prod reserves, its senders, and the hundred that AWS leaves unreserved', () => {
  const { functions, all } = composed('prod');
  const reserved = functions().map(({ Properties }) => Properties.ReservedConcurrentExecutions ?? 0);
  const packs = all('AWS::Lambda::EventSourceMapping').find(({ id }) => id.startsWith('SenderSqs'));
  const senders = packs?.Properties.ScalingConfig.MaximumConcurrency;
  const prod = stageOf('prod', { prod: DOMAIN });
  expect(leastConcurrency(prod)).toBe(reserved.reduce((sum, one) => sum + one, senders + 100));
});

it('dev reserves nothing: a new account runs ten at a time', () => {
  for (const { Properties, entry } of composed('dev').functions())
    expect(Properties.ReservedConcurrentExecutions, entry).toBeUndefined();
});
