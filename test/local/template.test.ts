import { describe, expect, it } from 'vitest';
import { dueOf } from '../../local/sources/cron.ts';
import type { Stack } from '../../local/template/assembly.ts';
import { identify } from '../../local/template/identity.ts';
import { read, refuseUnknown } from '../../local/template/read.ts';
import { type Resolver, resolver } from '../../local/template/resolver.ts';

type Template = Partial<Stack['template']>;

const stackOf = (name: string, template: Template): Stack => ({
  name,
  region: 'eu-central-1',
  directory: '.',
  template: { Resources: {}, ...template },
});

function resolved(stacks: Stack[]): Resolver {
  return resolver(stacks, {
    account: '000000000000',
    parameters: { PublicUrl: 'http://127.0.0.1:3000' },
    identify: (resource, attribute) => identify(resource, attribute, queue => `http://queues/${queue}`),
    secret: (arn, key) => `secret of ${arn}${key && `, ${key}`}`,
  });
}

const data = stackOf('data', {
  Resources: {
    Table: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'things' } },
    Key: { Type: 'AWS::SecretsManager::Secret' },
    Work: { Type: 'AWS::SQS::Queue' },
  },
  Parameters: { PublicUrl: { Default: 'https://example.com' }, Size: { Default: 3 }, Open: {} },
  Outputs: {
    Name: { Value: { Ref: 'Table' }, Export: { Name: { 'Fn::Sub': `\${AWS::StackName}:name` } } },
    Arn: { Value: { 'Fn::GetAtt': ['Table', 'Arn'] } },
  },
});
const app = stackOf('app', {});
const { resolve, resources } = resolved([data, app]);

describe('The template reader resolves', () => {
  it.each<[string, unknown, unknown]>([
    ['a table to its name', { Ref: 'Table' }, 'things'],
    ['a queue to its address', { Ref: 'Work' }, 'http://queues/data-Work'],
    [
      'an attribute',
      { 'Fn::GetAtt': ['Table', 'Arn'] },
      'arn:aws:dynamodb:eu-central-1:000000000000:table/things',
    ],
    ['an attribute written with a dot', { 'Fn::GetAtt': 'Work.QueueName' }, 'data-Work'],
    ['a parameter that is given', { Ref: 'PublicUrl' }, 'http://127.0.0.1:3000'],
    ['a parameter left at its default', { Ref: 'Size' }, 3],
    [
      'pseudo parameters',
      { 'Fn::Join': ['/', [{ Ref: 'AWS::Region' }, { Ref: 'AWS::AccountId' }]] },
      'eu-central-1/000000000000',
    ],
    [
      'Fn::Sub',
      { 'Fn::Sub': `\${Table} \${Work.QueueName} \${!Literal} \${AWS::Partition}` },
      `things data-Work \${Literal} aws`,
    ],
    [
      'Fn::Sub with values of its own',
      { 'Fn::Sub': [`\${a}-\${Size}`, { a: { Ref: 'Table' } }] },
      'things-3',
    ],
    ['Fn::Select of Fn::Split', { 'Fn::Select': [2, { 'Fn::Split': ['/', 'https://host/path'] }] }, 'host'],
    [
      'what is not there to nothing',
      { a: { Ref: 'AWS::NoValue' }, b: [{ Ref: 'AWS::NoValue' }, 1] },
      { b: [1] },
    ],
    [
      'a secret put together from parts',
      { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Key' }, ':SecretString:::}}']] },
      'secret of arn:aws:secretsmanager:eu-central-1:000000000000:secret:data-Key',
    ],
    ['a field of a secret', '{{resolve:secretsmanager:name:SecretString:field::}}', 'secret of name, field'],
    [
      'deep inside of lists and objects',
      { a: [{ b: { Ref: 'Table' } }], c: true },
      { a: [{ b: 'things' }], c: true },
    ],
  ])('%s', (_, value, expected) => {
    expect(resolve(data, value)).toEqual(expected);
  });

  it('what another stack exports, and what it only puts out', () => {
    expect(resolve(app, { 'Fn::ImportValue': 'data:name' })).toBe('things');
    expect(
      resolve(app, {
        'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Arn', Region: 'eu-central-1' },
      }),
    ).toBe('arn:aws:dynamodb:eu-central-1:000000000000:table/things');
  });
});

describe('The template reader says', () => {
  it.each<[string, unknown, RegExp]>([
    [
      'an intrinsic it does not know',
      { 'Fn::Cidr': ['10.0.0.0/16', 1, 8] },
      /does not understand Fn::Cidr \(in data\)/,
    ],
    ['a resource that is missing', { Ref: 'Nowhere' }, /the resource Nowhere of data, which is not there/],
    [
      'an attribute it does not know',
      { 'Fn::GetAtt': ['Table', 'Size'] },
      /does not know the attribute Size of Table/,
    ],
    ['a parameter without a value', { Ref: 'Open' }, /a value of parameter Open, which is not there/],
    ['an export that is missing', { 'Fn::ImportValue': 'none' }, /the export none, which is not there/],
    [
      'a reference of another kind',
      '{{resolve:ssm:name}}',
      /does not understand the reference {{resolve:ssm:name}}/,
    ],
    ['an item beyond the list', { 'Fn::Select': [3, ['a']] }, /wants item 3 of 1/],
    ['a list where a text belongs', { 'Fn::Join': ['', [['a']]] }, /\["a"\] where a text belongs/],
  ])('%s', (_, value, expected) => {
    expect(() => resolve(data, value)).toThrow(expected);
  });

  it('a property that it does not know, by its name', () => {
    const odd = stackOf('odd', {
      Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 30, Magic: true } } },
    });
    const reader = resolved([odd]);
    const [queue] = reader.resources;
    expect(() => queue && read(reader, 'AWS::SQS::Queue', queue)).toThrow(
      /does not understand Queue \(AWS::SQS::Queue in odd\): .*"Magic"/,
    );
  });

  it('a resource that would have to run but cannot, and leaves alone what makes no difference here', () => {
    const odd = stackOf('odd', {
      Resources: { Role: { Type: 'AWS::IAM::Role' }, Machine: { Type: 'AWS::StepFunctions::StateMachine' } },
    });
    expect(() => refuseUnknown(resolved([odd]).resources)).toThrow(
      'The local stack cannot run AWS::StepFunctions::StateMachine (Machine in odd).',
    );
    expect(() => refuseUnknown(resources)).not.toThrow();
  });
});

describe('A schedule is due', () => {
  it.each<[string, string, string[], string[]]>([
    ['every minute', 'rate(1 minute)', ['2030-01-01T00:00:00Z', '2030-01-01T00:01:00Z'], []],
    [
      'every two hours',
      'rate(2 hours)',
      ['2030-01-01T02:00:00Z'],
      ['2030-01-01T01:00:00Z', '2030-01-01T02:01:00Z'],
    ],
    [
      'every night',
      'cron(30 3 * * ? *)',
      ['2030-01-01T03:30:00Z'],
      ['2030-01-01T03:31:00Z', '2030-01-01T15:30:00Z'],
    ],
    [
      'on weekdays, which AWS counts from Sunday',
      'cron(0 9 ? * 2-6 *)',
      ['2030-01-07T09:00:00Z'],
      ['2030-01-06T09:00:00Z'],
    ],
    ['on Sundays by name', 'cron(0 9 ? * SUN *)', ['2030-01-06T09:00:00Z'], ['2030-01-07T09:00:00Z']],
    ['on the last day of a month', 'cron(0 0 L * ? *)', ['2030-02-28T00:00:00Z'], ['2030-02-27T00:00:00Z']],
    ['in one year', 'cron(0 0 1 1 ? 2031)', ['2031-01-01T00:00:00Z'], ['2030-01-01T00:00:00Z']],
  ])('%s', (_, expression, due, not) => {
    const isDue = dueOf(expression);
    expect(due.filter(minute => !isDue(new Date(minute)))).toEqual([]);
    expect(not.filter(minute => isDue(new Date(minute)))).toEqual([]);
  });

  it('or is said not to be understood', () => {
    for (const expression of ['rate(one minute)', 'cron(* * * *)', 'at(2030-01-01T00:00:00)']) {
      expect(() => dueOf(expression)).toThrow(
        `The local stack does not understand the schedule ${expression}`,
      );
    }
  });
});
