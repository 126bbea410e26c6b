import { expect, it } from 'vitest';
import { composed, type Variant } from './templates.ts';

it('the table of prod is not protected against deletion by its first deployment, which may fail', () => {
  const table = composed('prod for the first time').only('AWS::DynamoDB::Table');
  expect(table.DeletionProtectionEnabled).toBe(false);
});

it('an identity that was there before is used, and not created', () => {
  expect(composed('prod with its identity').all('AWS::SES::EmailIdentity')).toEqual([]);
  const rights = (variant: Variant) =>
    composed(variant)
      .all('AWS::IAM::Policy')
      .filter(({ Properties }) => JSON.stringify(Properties).includes('ses:SendEmail'));
  expect(rights('prod with its identity')).toEqual(rights('prod'));
});
