import { describe, expect, it } from 'vitest';
import { createAccess } from '#local/access/access.ts';
import { identify } from '#local/template/identity.ts';
import { resolver } from '#local/template/resolver.ts';

const TABLE = { 'Fn::GetAtt': ['Table', 'Arn'] };
const key = (name: string) => [{ AttributeName: name, KeyType: 'HASH' }];
const within = (...partitions: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
const allow = (verbs: string[], Resource: unknown, Condition?: object) => ({
  Effect: 'Allow',
  Action: verbs.map(verb => `dynamodb:${verb}`),
  Resource,
  ...(Condition && { Condition }),
});

function accessOf(...statements: object[]) {
  const Resources = {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        TableName: 'things',
        AttributeDefinitions: [],
        KeySchema: key('PK'),
        GlobalSecondaryIndexes: [
          { IndexName: 'GSI1', KeySchema: key('GSI1PK'), Projection: { ProjectionType: 'ALL' } },
        ],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      },
    },
    Mine: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: { Statement: statements } },
    },
  };
  const stack = { name: 'app', region: 'eu-central-1', directory: '.', template: { Resources } };
  const resolved = resolver([stack], {
    identify: (resource, attribute) => identify(resource, attribute, String),
    secret: () => undefined,
  });
  return createAccess(
    resolved,
    resolved.resources.filter(({ type }) => type === 'AWS::Lambda::Function'),
  );
}

const access = accessOf(
  allow(['GetItem', 'BatchGetItem', 'Query'], TABLE, within('ORG#*', 'CONFIG')),
  allow(['PutItem', 'BatchWriteItem'], TABLE, within('ORG#*')),
  allow(['DeleteItem'], TABLE, within('USER#*')),
  allow(['Query'], { 'Fn::Join': ['', [TABLE, '/index/GSI1']] }, within('LIST#*')),
  // What the local stack does not judge, and could not resolve.
  { Effect: 'Allow', Action: 'ses:SendEmail', Resource: { Ref: 'AWS::Partition' } },
);

const item = (PK: string) => ({ PK: { S: PK }, SK: { S: 'x' } });
const one = (PK: string) => ({ TableName: 'things', Key: item(PK) });
const batch = (...keys: string[]) => ({ RequestItems: { things: { Keys: keys.map(item) } } });
const put = (PK: string) => ({ Put: { TableName: 'things', Item: item(PK) } });
const remove = (PK: string) => ({ Delete: one(PK) });
const query = (condition: string, value: string, more: object = {}) => ({
  TableName: 'things',
  KeyConditionExpression: condition,
  ExpressionAttributeValues: { ':pk': { S: value }, ':sk': { S: 'LIST#1' } },
  ...more,
});

describe('The policies of a role', () => {
  it.each<[string, object]>([
    ['GetItem', one('ORG#1')],
    ['GetItem', one('CONFIG')],
    ['BatchGetItem', batch('ORG#1', 'ORG#2', 'CONFIG')],
    ['BatchWriteItem', { RequestItems: { things: [{ PutRequest: { Item: item('ORG#1') } }] } }],
    ['TransactWriteItems', { TransactItems: [put('ORG#1'), remove('USER#1'), put('ORG#2')] }],
    ['Query', query('PK = :pk AND begins_with(SK, :sk)', 'ORG#1')],
    ['Query', query('#pk=:pk', 'ORG#1', { ExpressionAttributeNames: { '#pk': 'PK' } })],
    ['Query', query('GSI1PK = :pk', 'LIST#1', { IndexName: 'GSI1' })],
  ])('allow %s %j', (operation, body) => {
    expect(access.refusal('app-Mine', operation, body)).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['GetItem', one('USER#1'), 'GetItem'],
    ['GetItem', one('CONFIG#1'), 'GetItem'],
    ['GetItem', one('org#1'), 'GetItem'],
    ['GetItem', { ...one('ORG#1'), TableName: 'others' }, 'GetItem'],
    ['BatchGetItem', batch('ORG#1', 'USER#1'), 'BatchGetItem'],
    [
      'BatchWriteItem',
      { RequestItems: { things: [{ DeleteRequest: { Key: item('USER#1') } }] } },
      'BatchWriteItem',
    ],
    ['UpdateItem', one('ORG#1'), 'UpdateItem'],
    ['TransactWriteItems', { TransactItems: [put('ORG#1'), remove('ORG#1')] }, 'DeleteItem'],
    ['TransactWriteItems', { TransactItems: [put('ORG#1'), put('USER#1')] }, 'PutItem'],
    ['TransactWriteItems', { TransactItems: [{ ConditionCheck: one('ORG#1') }] }, 'ConditionCheckItem'],
    ['Query', query('PK = :pk AND SK = :sk', 'LIST#1'), 'Query'],
    ['Query', query('SK = :sk AND PK = :pk', 'LIST#1'), 'Query'],
    ['Query', query('GSI1PK = :pk', 'ORG#1', { IndexName: 'GSI1' }), 'Query'],
    ['Query', query('GSI1PK = :pk', 'LIST#1'), 'Query'],
    ['Scan', { TableName: 'things' }, 'Scan'],
  ])('refuse %s %j', (operation, body, action) => {
    expect(access.refusal('app-Mine', operation, body)).toContain(`perform: dynamodb:${action} on`);
  });

  it('refuse a call without a partition where the partition decides, and one by another role', () => {
    const scanning = accessOf(allow(['Scan'], TABLE, within('ORG#*')));
    expect(scanning.refusal('app-Mine', 'Scan', { TableName: 'things' })).toContain('not authorized');
    expect(access.refusal('app-Other', 'GetItem', one('ORG#1'))).toContain('not authorized');
  });

  it('are refused themselves where they say more than is enforced', () => {
    expect(() => accessOf({ ...allow(['GetItem'], TABLE), Effect: 'Deny' })).toThrow(
      /policy of Mine: Effect/,
    );
    expect(() => accessOf(allow(['GetItem'], TABLE, { StringEquals: { 'aws:SourceAccount': '1' } }))).toThrow(
      /policy of Mine: Condition: .*StringEquals/,
    );
  });
});
