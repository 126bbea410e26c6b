import { expect, it } from 'vitest';
import { composed, type Properties, type Resource } from './templates.ts';

it('docs/architecture.md draws what the templates of a deployment have; `npx vitest run test/lib/architecture.test.ts -u` updates it', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/architecture.md');
});

const INTRODUCTION = `# Architecture

The parts of a deployment in one picture, which a test draws from the templates of \`prod\`: what calls what, and what each function may
use. Dead-letter queues, keys, alarms and logs are left out; they are in [infrastructure.md](infrastructure.md), what each stack has is
in [deploy.md](deploy.md#the-stacks), and how an email passes through it in [sending.md](sending.md#the-steps).
`;

/** Functions that are drawn as one: all that are called alike, and use what any of them may. */
const GROUPS: Record<string, string> = { 'functions/api/': 'API', 'functions/tracking/': 'Tracking' };
/** Called by the gateway for each request, and by nobody else. */
const AUTHORIZER = 'functions/http/origin.ts';

/** What a variable of a function names. */
const USES: Record<string, string> = {
  TABLE_NAME: 'Table',
  PACKS_QUEUE: 'Packs',
  PURGES_QUEUE: 'Purges',
  WEBHOOKS_QUEUE: 'Webhooks',
  EVENT_BUS: 'Events',
  OBJECTS_BUCKET: 'Objects',
  MAIL_FROM: 'SES',
  SES_CONFIGURATION_SET: 'SES',
  MAILGUN_US_URL: 'Mailgun',
};

const { all, functions } = composed('prod');
/** Without the hash at its end. */
const nameOf = ({ id }: Pick<Resource, 'id'>) => id.replace(/[0-9A-F]{8}$/, '');
const STORES = [
  'AWS::SQS::Queue',
  'AWS::DynamoDB::Table',
  'AWS::Events::EventBus',
  'AWS::S3::Bucket',
].flatMap(all);
const FUNCTIONS = functions().filter(({ entry }) => entry !== AUTHORIZER);
const ALIASES = all('AWS::Lambda::Alias');

function drawnAs(fn: { id: string; entry: string }): string {
  const [, group] = Object.entries(GROUPS).find(([folder]) => fn.entry.startsWith(folder)) ?? [];
  return group ?? nameOf(fn);
}

/** The function or the resource that a value of a template refers to, in its own stack or in another one. */
function referredTo(value: unknown): string[] {
  const text = JSON.stringify(value ?? '');
  const alias = ALIASES.find(({ id }) => text.includes(`"${id}"`));
  const fn = FUNCTIONS.find(({ id }) => (alias ? JSON.stringify(alias.Properties) : text).includes(id));
  if (fn) return [drawnAs(fn)];
  return STORES.filter(({ id }) => text.includes(id)).map(nameOf);
}

const routesTo = (path: string) =>
  all('AWS::ApiGatewayV2::Route')
    .filter(({ Properties }) => Properties.RouteKey.includes(` ${path}`))
    .flatMap(({ stack, Properties }) => {
      const called = JSON.stringify(Properties.Target);
      const integrations = all('AWS::ApiGatewayV2::Integration');
      const integration = integrations.find(one => one.stack === stack && called.includes(one.id));
      return referredTo(integration?.Properties.IntegrationUri);
    });

function edges(): Set<string> {
  // The one for tenants serves links of emails alone, by the same functions.
  const { CacheBehaviors, DefaultCacheBehavior, Origins } = all('AWS::CloudFront::Distribution')
    .map(({ Properties }) => Properties.DistributionConfig)
    .find(({ ConnectionMode }) => !ConnectionMode);
  const served = [...CacheBehaviors, { ...DefaultCacheBehavior, PathPattern: 'other paths' }];
  const fromFront = served.flatMap(({ PathPattern, TargetOriginId }: Properties) => {
    const routes = routesTo(PathPattern.replace('*', ''));
    const origin = Origins.find(({ Id }: Properties) => Id === TargetOriginId);
    return (routes.length > 0 ? routes : referredTo(origin.DomainName)).map(
      to => `CloudFront -- "${PathPattern}" --> ${to}`,
    );
  });
  const fromStores = all('AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) =>
    referredTo(Properties.EventSourceArn).flatMap(from =>
      referredTo(Properties.FunctionName).map(to => `${from} ==> ${to}`),
    ),
  );
  const sourceOf = ({ EventBusName, EventPattern }: Properties) =>
    EventBusName ? 'Events' : EventPattern ? 'SES' : 'Clock';
  const fromRules = all('AWS::Events::Rule').flatMap(({ Properties }) =>
    referredTo(Properties.Targets).map(to => `${sourceOf(Properties)} ==> ${to}`),
  );
  const uses = FUNCTIONS.flatMap(fn =>
    Object.keys(fn.Properties.Environment.Variables).flatMap(name =>
      USES[name] ? [`${drawnAs(fn)} --> ${USES[name]}`] : [],
    ),
  );
  return new Set([
    'Readers --> CloudFront',
    'Mailgun --> CloudFront',
    ...fromFront,
    ...fromStores,
    ...fromRules,
    ...uses,
  ]);
}

const SHAPES: Record<string, [string, string]> = {
  'AWS::SQS::Queue': ['[/', '/]'],
  'AWS::DynamoDB::Table': ['[(', ')]'],
  'AWS::S3::Bucket': ['[(', ')]'],
  'AWS::Events::EventBus': ['{{', '}}'],
};

function nodes(drawn: Set<string>): string[] {
  const text = [...drawn].join('\n');
  const stores = Object.entries(SHAPES).flatMap(([type, [open, close]]) =>
    all(type).map(one => ({ name: nameOf(one), shape: `${open}"${nameOf(one)}"${close}` })),
  );
  const groups = Object.entries(GROUPS).map(([folder, name]) => ({
    name,
    shape: `["${name}: ${FUNCTIONS.filter(({ entry }) => entry.startsWith(folder)).length} functions"]`,
  }));
  const outside = [
    { name: 'Readers', shape: '(["Users, programs, and readers of emails"])' },
    { name: 'Clock', shape: '(["every minute"])' },
  ];
  return [...outside, ...stores, ...groups]
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text))
    .map(({ name, shape }) => `${name}${shape}`);
}

function page(): string {
  const drawn = edges();
  const lines = [...nodes(drawn), ...drawn].map(line => `  ${line}`);
  return [INTRODUCTION, '```mermaid', 'flowchart LR', ...lines, '```', ''].join('\n');
}
