import { describe, expect, it } from 'vitest';
import type { Stack } from '#local/template/assembly.ts';
import { identify } from '#local/template/identity.ts';
import { read, readAll, refuseUnknown } from '#local/template/read.ts';
import { type Resolver, resolver } from '#local/template/resolver.ts';

type Template = Partial<Stack['template']>;

const stackOf = (name: string, template: Template): Stack => ({
  name,
  region: 'eu-central-1',
  directory: '.',
  template: { Resources: {}, ...template },
});

function resolved(stacks: Stack[]): Resolver {
  return resolver(stacks, {
    identify: (resource, attribute) => identify(resource, attribute, queue => `http://queues/${queue}`),
    secret: arn => (arn.endsWith('Key') ? `secret of ${arn}` : undefined),
  });
}

const data = stackOf('data', {
  Resources: {
    Table: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'things' } },
    Key: { Type: 'AWS::SecretsManager::Secret' },
    Work: { Type: 'AWS::SQS::Queue' },
  },
  Parameters: { Size: { Default: 3 }, Open: {} },
  Outputs: { Name: { Value: { Ref: 'Table' }, Export: { Name: 'data:name' } } },
});
const app = stackOf('app', {});
const { resolve, resources } = resolved([data, app]);

describe('The template reader resolves', () => {
  it.each<[string, unknown, unknown]>([
    ['a table to its name', { Ref: 'Table' }, 'things'],
    ['a queue to its address', { Ref: 'Work' }, 'http://queues/data-Work'],
    [
      'an attribute',
      { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      'arn:aws:dynamodb:eu-central-1:000000000000:table/things/stream/local',
    ],
    ['a parameter to its default', { Ref: 'Size' }, 3],
    ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'Size' }]] }, 'a/3'],
    ['Fn::Select of Fn::Split', { 'Fn::Select': [2, { 'Fn::Split': ['/', 'https://host/path'] }] }, 'host'],
    [
      'a secret put together from parts',
      { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Key' }, ':SecretString:::}}']] },
      'secret of arn:aws:secretsmanager:eu-central-1:000000000000:secret:data-Key',
    ],
    [
      'deep inside of lists and objects',
      { a: [{ b: { Ref: 'Table' } }], c: true },
      { a: [{ b: 'things' }], c: true },
    ],
  ])('%s', (_, value, expected) => {
    expect(resolve(data, value)).toEqual(expected);
  });

  it('what another stack exports', () => {
    expect(resolve(app, { 'Fn::ImportValue': 'data:name' })).toBe('things');
  });
});

describe('The template reader leaves out', () => {
  it('properties that make no difference here, without resolving them', () => {
    const stack = stackOf('odd', {
      Resources: {
        Queue: {
          Type: 'AWS::SQS::Queue',
          Properties: { VisibilityTimeout: 30, SqsManagedSseEnabled: { 'Fn::If': ['a', true, false] } },
        },
        Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'bus', Policy: { 'Fn::If': [] } } },
      },
    });
    const reader = resolved([stack]);
    expect(readAll(reader, 'AWS::SQS::Queue')[0]?.properties).toEqual({ VisibilityTimeout: 30 });
    expect(readAll(reader, 'AWS::Events::EventBus')[0]?.properties).toEqual({ Name: 'bus' });
  });
});

describe('The template reader fails at', () => {
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
    [
      'a reference to a field of a secret',
      '{{resolve:secretsmanager:name:SecretString:field::}}',
      /does not understand the reference {{resolve:secretsmanager:name:SecretString:field::}}/,
    ],
    ['a secret that is missing', '{{resolve:secretsmanager:none:SecretString:::}}', /the secret none, which/],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, /the resource AWS::Region of data, which is not there/],
    ['an item beyond the list', { 'Fn::Select': [3, ['a']] }, /wants item 3 of 1/],
    ['a list where a text belongs', { 'Fn::Join': ['', [['a']]] }, /\["a"\] where a text belongs/],
  ])('%s', (_, value, expected) => {
    expect(() => resolve(data, value)).toThrow(expected);
  });

  it('a property that it would mislead to ignore, by its name', () => {
    const odd = stackOf('odd', {
      Resources: {
        Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 30, FifoQueue: true } },
      },
    });
    const reader = resolved([odd]);
    const [queue] = reader.resources;
    expect(() => queue && read(reader, 'AWS::SQS::Queue', queue)).toThrow(
      /does not understand Queue \(AWS::SQS::Queue in odd\): .*"FifoQueue"/,
    );
  });

  it('a resource that would have to run but cannot, and at none that makes no difference here', () => {
    const odd = stackOf('odd', {
      Resources: { Role: { Type: 'AWS::IAM::Role' }, Machine: { Type: 'AWS::StepFunctions::StateMachine' } },
    });
    expect(() => refuseUnknown(resolved([odd]).resources)).toThrow(
      'The local stack cannot run AWS::StepFunctions::StateMachine (Machine in odd).',
    );
    expect(() => refuseUnknown(resources)).not.toThrow();
  });
});
