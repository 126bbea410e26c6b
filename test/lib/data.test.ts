import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import type { StageName } from '../../lib/stages.ts';
import { composed } from './templates.ts';

const KEPT: [StageName, boolean][] = [
  ['local', false],
  ['dev', false],
  ['prod', true],
];

describe.each(KEPT)('the data of %s', (stage, guarded) => {
  const { stacks, only, all } = composed(stage);
  const table = only('AWS::DynamoDB::Table');

  it(guarded ? 'is retained, and protected from deletion' : 'is deleted with its stack', () => {
    const policy = guarded ? 'Retain' : 'Delete';
    expect(table.DeletionProtectionEnabled).toBe(guarded);
    const { Resources } = Template.fromStack(stacks.data).toJSON();
    for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::KMS::Key']) {
      const [resource] = Object.values<Record<string, string>>(Resources).filter(({ Type }) => Type === type);
      expect(resource, type).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
    }
  });

  it('is in one on-demand table with point-in-time recovery, a stream and TTL', () => {
    expect(table).toMatchObject({
      TableName: `letterflow-${stage}`,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  it('has one index, which projects address, status and dates, and no metadata', () => {
    expect(table.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: 'GSI1',
        KeySchema: [
          { AttributeName: 'GSI1PK', KeyType: 'HASH' },
          { AttributeName: 'GSI1SK', KeyType: 'RANGE' },
        ],
        Projection: {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: ['email', 'status', 'created_at', 'updated_at'],
        },
      },
    ]);
  });

  it('is read over TLS alone, from buckets without public access', () => {
    const buckets = all('AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    for (const { Properties } of buckets) {
      expect(Properties.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
    }
    for (const { Properties } of all('AWS::S3::BucketPolicy')) {
      expect(Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    }
  });

  it('has a key for sending keys that is rotated', () => {
    expect(only('AWS::KMS::Key').EnableKeyRotation).toBe(true);
  });

  it('has the DKIM records of its domain', () => {
    expect(`no-reply@${only('AWS::SES::EmailIdentity').EmailIdentity}`).toBe(stacks.data.mailFrom);
    expect(
      all('AWS::Route53::RecordSet').filter(({ Properties }) => Properties.Type === 'CNAME'),
    ).toHaveLength(3);
  });
});
