import { expect, it } from 'vitest';
import { MEMBERSHIP_WRITER_TIMEOUT } from '#core/timeouts.ts';
import { composed } from './templates.ts';

const { all, functions } = composed('prod');

/** The functions that may note that a list may not mail somebody any more. */
const writers = all('AWS::IAM::Policy').flatMap(({ Properties: { PolicyDocument, Roles } }) => {
  const isWriting = JSON.stringify(PolicyDocument.Statement).includes('"ORG#*#STOPPED"');
  const [{ Ref: role }] = Roles;
  return isWriting ? functions().filter(fn => fn.Properties.Role['Fn::GetAtt'][0] === role) : [];
});

it('no function that ends subscriptions runs longer than a sender looks back for them', () => {
  expect(writers.map(({ entry }) => entry).sort()).toEqual([
    'functions/api/list-member.ts',
    'functions/api/member-import.ts',
    'functions/api/v1.ts',
    'functions/sending/provider-events.ts',
    'functions/sending/ses-events.ts',
    'functions/tracking/unsubscribe.ts',
  ]);
  for (const { entry, Properties } of writers)
    expect(Properties.Timeout * 1000, entry).toBeLessThanOrEqual(MEMBERSHIP_WRITER_TIMEOUT);
});
