import { describe, expect, it } from 'vitest';
import { domainMismatch, NewList, SendingKeyChange, sendsFrom } from '../../shared/list.ts';

const FORM = { name: 'Readers', domain: 'example.com', sender_name: 'The editors' };

describe('a sender of example.com', () => {
  it.each([
    'letters@notexample.com',
    'letters@mail.example.com',
    'letters@example.com.evil.test',
    'letters@example.co',
    'example.com@evil.test',
  ])('is not %s', sender_address => {
    const { error } = NewList.safeParse({ ...FORM, sender_address });
    expect(error?.issues).toMatchObject([
      { path: ['sender_address'], message: domainMismatch('example.com') },
    ]);
    expect(sendsFrom(sender_address, 'example.com')).toBe(false);
  });

  it.each(['letters@example.com', 'Letters+news@EXAMPLE.com'])('may be %s', sender_address => {
    expect(NewList.safeParse({ ...FORM, sender_address }).success).toBe(true);
  });
});

it.each(['0x7f.0x1', 'x.0xa', '1.2.3', '127.0.0.1'])('the domain of a list is not %s', domain => {
  const { error } = NewList.safeParse({ ...FORM, domain, sender_address: `letters@${domain}` });
  expect(error?.issues).toMatchObject([
    { path: ['domain'], message: 'Enter a domain such as example.com' },
    { path: ['sender_address'], message: 'Enter a valid email address' },
  ]);
});

it('a sending key has 256 characters at most', () => {
  const parsed = (length: number) =>
    SendingKeyChange.safeParse({ mailgun_sending_key: 'k'.repeat(length) }).success;
  expect([parsed(256), parsed(257)]).toEqual([true, false]);
});

it.each([
  'https://mail.example.com/',
  'HTTP://Mail.Example.com',
  ' mail.example.com. ',
  'mail.example.com/path?x=1#y',
])('the domain of a list is read from %s', domain => {
  expect(NewList.parse({ ...FORM, domain, sender_address: 'letters@mail.example.com' }).domain).toBe(
    'mail.example.com',
  );
});

it.each(['https://', 'https://user@example.com', 'ftp://example.com', 'example.com:443'])(
  'the domain of a list is not read from %s',
  domain => {
    expect(NewList.safeParse({ ...FORM, domain, sender_address: 'letters@example.com' }).success).toBe(false);
  },
);
