import { expect, it } from 'vitest';
import { composed } from './templates.ts';

it('mails are sent from the domain that is verified, with its DKIM records', () => {
  const { stacks, only, all } = composed('prod');
  expect(`no-reply@${only('AWS::SES::EmailIdentity').EmailIdentity}`).toBe(stacks.data.mailFrom);
  const records = all('AWS::Route53::RecordSet').filter(({ Properties }) => Properties.Type === 'CNAME');
  expect(records).toHaveLength(3);
});
