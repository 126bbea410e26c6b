import { AwsSolutionsChecks } from 'cdk-nag';
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js';
import { expect, it } from 'vitest';
import { acknowledged, composed, constructOf, type Properties } from './templates.ts';

const { app, templates, all } = composed('prod');

type Statement = { Effect: string; Action?: string | string[]; NotAction?: unknown; Resource?: unknown };
type Found = { stack: string; id: string; statement: Statement };

/** Every statement of every policy, anywhere in a template. */
const statements = templates.flatMap(({ stack, resources }) =>
  Object.entries(resources).flatMap(([id, { Properties }]) =>
    within(Properties).map((statement): Found => ({ stack, id, statement })),
  ),
);

function within(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as Properties).Statement;
  const nested = Object.values(value).flatMap(within);
  return Array.isArray(own) && own.every(entry => entry.Effect) ? [...own, ...nested] : nested;
}

const listed = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const wildcards = ({ Action, Resource }: Statement) => [
  ...listed(Action)
    .filter(action => String(action).includes('*'))
    .map(action => `AwsSolutions-IAM5[Action::${action}]`),
  ...listed(Resource)
    .map(flattenCfnReference)
    .filter(resource => resource.includes('*'))
    .map(resource => `AwsSolutions-IAM5[Resource::${resource}]`),
];

const allowing = statements.filter(({ statement }) => statement.Effect === 'Allow');

it('the statements of all policies are found', () => {
  const roles = all('AWS::IAM::Policy').length;
  expect(roles).toBeGreaterThan(all('AWS::ApiGatewayV2::Api').length);
  expect(new Set(allowing.map(({ stack, id }) => `${stack}/${id}`)).size).toBeGreaterThan(roles);
  expect(
    wildcards({ Effect: 'Allow', Action: 'a:*', Resource: { 'Fn::Join': ['', ['x', '/*']] } }),
  ).toHaveLength(2);
});

it('no policy has a wildcard without an acknowledged reason', () => {
  const unexplained = allowing.flatMap(({ stack, id, statement }) => {
    const reasons = acknowledged(constructOf(app, stack, id));
    return wildcards(statement)
      .filter(wildcard => !reasons.includes(wildcard))
      .map(wildcard => `${stack}/${id} ${wildcard}`);
  });
  expect(unexplained).toEqual([]);
});

it('no policy allows everything with an exception', () => {
  expect(allowing.filter(({ statement }) => 'NotAction' in statement || 'NotResource' in statement)).toEqual(
    [],
  );
});

it('no reason is acknowledged for a wildcard that does not exist', () => {
  const needed = new Set(allowing.flatMap(({ statement }) => wildcards(statement)));
  const given = app.node.findAll().flatMap(node => acknowledged(node));
  const stale = given.filter(rule => rule.startsWith('AwsSolutions-IAM5') && !needed.has(rule));
  expect(stale).toEqual([]);
});

it('the AwsSolutions rules find nothing that is not acknowledged', () => {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  expect(violations.map(({ ruleName, description }) => `${ruleName}: ${description}`)).toEqual([]);
});

it('only signing in and inviting may send mail, and only as the product', () => {
  const mailing = allowing.filter(({ statement }) =>
    listed(statement.Action).some(action => `${action}`.startsWith('ses:')),
  );
  expect(mailing.map(({ id }) => id).sort()).toEqual([
    expect.stringMatching(/^loginRole/),
    expect.stringMatching(/^memberRole/),
  ]);
  for (const { statement } of mailing) {
    expect(statement).toMatchObject({
      Action: 'ses:SendEmail',
      Condition: { StringEquals: { 'ses:FromAddress': 'no-reply@letterflow.example' } },
    });
  }
});

it('no function may scan the table or delete it', () => {
  const verbs = allowing
    .flatMap(({ statement }) => listed(statement.Action).map(String))
    .filter(action => action.startsWith('dynamodb:'));
  expect(verbs).toContain('dynamodb:GetItem');
  expect(verbs).not.toContain('dynamodb:Scan');
  expect(verbs).not.toContain('dynamodb:DeleteTable');
});

/** What our own functions may do with a service: role and actions, with their resources. */
function grants(service: string) {
  const found = allowing
    .filter(({ id }) => /Role/.test(id) && !id.startsWith('CustomCDK'))
    .filter(({ statement }) => `${statement.Action}`.includes(`${service}:`));
  return found
    .map(({ id, statement: { Action, Resource } }) => ({
      grant: [id.split('Role')[0], ...listed(Action)].join(' '),
      resources: listed(Resource).map(it => flattenCfnReference(it)),
    }))
    .sort((one, other) => one.grant.localeCompare(other.grant));
}

/** The name under which a stack exports a value. */
const exportOf = (value: object): string => {
  const outputs = templates.flatMap(({ outputs }) => Object.values(outputs));
  return outputs.find(({ Value }) => JSON.stringify(Value) === JSON.stringify(value))?.Export.Name;
};
const arnOf = (type: string) => ({ 'Fn::GetAtt': [all(type)[0]?.id, 'Arn'] });

it('only the functions of lists, organizations and the purge may write or delete files', () => {
  expect(grants('s3').map(({ grant }) => grant)).toEqual([
    'list s3:DeleteObject s3:PutObject',
    'organization s3:DeleteObject s3:PutObject',
    'Purge s3:DeleteObject',
    'Purge s3:ListBucket',
  ]);
});

it('only the function of lists may use the key for sending keys, and no other key', () => {
  const key = exportOf(arnOf('AWS::KMS::Key'));
  expect(key).toMatch(/SendingKeys/);
  expect(grants('kms')).toEqual([{ grant: 'list kms:Decrypt kms:Encrypt', resources: [key] }]);
});

it('only the functions of list members and of the purge may query the index', () => {
  const index = `${exportOf(arnOf('AWS::DynamoDB::Table'))}/index/GSI1`;
  const querying = grants('dynamodb').filter(({ resources }) => resources.some(it => it.includes('/index/')));
  expect(querying).toEqual([
    { grant: 'listmember dynamodb:Query', resources: [index] },
    { grant: 'Purge dynamodb:Query', resources: [index] },
  ]);
});

it('only the projector may put events, on the bus of the product alone', () => {
  const bus = `<${all('AWS::Events::EventBus')[0]?.id}.Arn>`;
  expect(grants('events')).toEqual([{ grant: 'Projector events:PutEvents', resources: [bus] }]);
});
