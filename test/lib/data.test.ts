import { expect, it } from 'vitest';
import { composed, type Variant } from './templates.ts';

const FIRST = 'prod for the first time, with its identity';

it('the table of prod is not protected against deletion by its first deployment, which may fail', () => {
  const table = composed(FIRST).only('AWS::DynamoDB::Table');
  expect(table.DeletionProtectionEnabled).toBe(false);
});

it('an identity that was there before is used, and not created', () => {
  expect(composed(FIRST).all('AWS::SES::EmailIdentity')).toEqual([]);
  const rights = (variant: Variant) =>
    composed(variant)
      .all('AWS::IAM::Policy')
      .filter(({ Properties }) => JSON.stringify(Properties).includes('ses:SendEmail'));
  expect(rights(FIRST)).toEqual(rights('prod'));
});
