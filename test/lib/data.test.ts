import { expect, it } from 'vitest';
import { composed, type Variant } from './templates.ts';

const NAMED = ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'];

const resourcesOf = (variant: Variant) => {
  const { stacks, templates } = composed(variant);
  const data = templates.find(({ stack }) => stack === stacks.data.stackName);
  return Object.values(data?.resources ?? {}).filter(({ Type }) => NAMED.includes(Type));
};
const isProtected = (variant: Variant) =>
  composed(variant).only('AWS::DynamoDB::Table').DeletionProtectionEnabled;

it('prod keeps its data, except where the deployment that creates it fails: its names are free for the next one', () => {
  const found = resourcesOf('prod');
  expect(new Set(found.map(({ Type }) => Type))).toEqual(new Set(NAMED));
  for (const { Type, DeletionPolicy, UpdateReplacePolicy } of found)
    expect([DeletionPolicy, UpdateReplacePolicy], Type).toEqual(['RetainExceptOnCreate', 'Retain']);
});

it('the table of prod is protected against deletion as a second step', () => {
  expect(isProtected('prod')).toBe(true);
  expect(isProtected('prod for the first time')).toBe(false);
  expect(isProtected('dev')).toBe(false);
});

it('dev is removed with all that it has: its buckets are emptied first', () => {
  for (const { Type, DeletionPolicy } of resourcesOf('dev')) expect(DeletionPolicy, Type).toBe('Delete');
  const emptied = (variant: Variant) =>
    composed(variant)
      .all('Custom::S3AutoDeleteObjects')
      .map(({ Properties }) => Properties.BucketName.Ref);
  const buckets = composed('dev').all('AWS::S3::Bucket');
  expect(emptied('dev').sort()).toEqual(buckets.map(({ id }) => id).sort());
  expect(emptied('prod')).toEqual([]);
});

it('an identity that was there before is used, and not created', () => {
  expect(composed('prod with its identity').all('AWS::SES::EmailIdentity')).toEqual([]);
  const rights = (variant: Variant) =>
    composed(variant)
      .all('AWS::IAM::Policy')
      .filter(({ Properties }) => JSON.stringify(Properties).includes('ses:SendEmail'));
  expect(rights('prod with its identity')).toEqual(rights('prod'));
});
