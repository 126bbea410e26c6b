import { expect, it } from 'vitest';
import { composed, type Resource, type Variant } from './templates.ts';

const SENDERS = [
  'functions/api/automation.ts',
  'functions/api/login.ts',
  'functions/api/member.ts',
  'functions/background/guard.ts',
  'functions/background/unsubscribe-webhook.ts',
];

const identitiesOf = (variant: Variant) =>
  composed(variant)
    .all('AWS::SES::EmailIdentity')
    .map(({ Properties }) => Properties.EmailIdentity);
const sendersOf = (variant: Variant) =>
  Object.fromEntries(
    composed(variant)
      .functions()
      .flatMap(({ entry, Properties: { Environment } }) =>
        Environment.Variables.MAIL_FROM ? [[entry, Environment.Variables.MAIL_FROM]] : [],
      ),
  );
const allFrom = (address: string) =>
  Object.fromEntries(SENDERS.map(entry => [entry, `Letterflow <${address}>`]));
const rightsOf = (variant: Variant) =>
  composed(variant)
    .all('AWS::IAM::Policy')
    .flatMap(({ Properties }: Resource) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => JSON.stringify(Action).includes('ses:SendEmail'));

it.each<[Variant, string, string]>([
  ['dev with a domain', 'dev.letterflow.example', 'no-reply@dev.letterflow.example'],
  ['prod', 'letterflow.example', 'no-reply@letterflow.example'],
  ['dev with an address', 'ann@example.com', 'ann@example.com'],
])(
  '%s sends its own emails with the identity %s, from %s and from nobody else',
  (variant, identity, from) => {
    expect(identitiesOf(variant)).toEqual([identity]);
    expect(sendersOf(variant)).toEqual(allFrom(from));
    expect(rightsOf(variant)).toEqual(
      SENDERS.map(() => ({
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        // That of the recipient counts too while SES is in its sandbox.
        Resource: {
          'Fn::Join': ['', ['arn:aws:ses:eu-central-1:', { Ref: 'AWS::AccountId' }, ':identity/*']],
        },
        Condition: { StringEquals: { 'ses:FromAddress': from } },
      })),
    );
  },
);

it('the domain has its DKIM records, an address has none', () => {
  const cnames = (variant: Variant) =>
    composed(variant)
      .all('AWS::Route53::RecordSet')
      .filter(({ stack, Properties }) => stack.endsWith('-mail') && Properties.Type === 'CNAME');
  expect(cnames('prod')).toHaveLength(3);
  expect(cnames('dev with an address')).toEqual([]);
});

it('dev with neither has no identity, and no function has a right to send', () => {
  expect(identitiesOf('dev')).toEqual([]);
  expect(sendersOf('dev')).toEqual({});
  expect(rightsOf('dev')).toEqual([]);
  expect(composed('dev').stacks.mails).toBeUndefined();
});

it('no stack refers to that of the identity: another domain replaces it, which a reference would prevent', () => {
  for (const variant of ['dev with a domain', 'prod'] as const) {
    const { stacks } = composed(variant);
    for (const stack of Object.values(stacks)) expect(stack.dependencies).not.toContain(stacks.mails);
  }
});
