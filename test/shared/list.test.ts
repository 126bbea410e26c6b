import { describe, expect, it } from 'vitest';
import {
  domainMismatch,
  ListChange,
  NewList,
  publicNameOf,
  SendingKeyChange,
  sendsFrom,
} from '#shared/list.ts';
import { ReplyTo } from '#shared/reply-to.ts';

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

describe('the public name of a list', () => {
  const SENDER = { sender_address: 'letters@example.com' };
  const read = (public_name: unknown) => NewList.safeParse({ ...FORM, ...SENDER, public_name });

  it.each([
    [undefined, null],
    [null, null],
    ['', null],
    ['  ', null],
    [' Weekly news ', 'Weekly news'],
    ['n'.repeat(100), 'n'.repeat(100)],
  ])('%j is stored as %j', (typed, stored) => expect(read(typed).data?.public_name).toBe(stored));

  it.each([
    ['Weekly\r\nBcc: x@example.com', 'Public name must not contain control characters'],
    ['Weekly\nnews', 'Public name must not contain control characters'],
    ['Weekly\u2028news', 'Public name must not contain control characters'],
    ['Weekly \u202enews', 'Public name must not contain control characters'],
    ['\u200b', 'Public name must contain a letter or a digit'],
    ['n'.repeat(101), 'Public name must be at most 100 characters'],
    ['See www.example.com', 'Public name must not contain a link'],
    [7, 'Public name must be text'],
  ])('%j is refused', (typed, message) => {
    expect(read(typed).error?.issues).toMatchObject([{ path: ['public_name'], message }]);
  });

  it('is left as it is by a change that does not name it, and removed by null', () => {
    expect(ListChange.parse({ name: 'New' })).not.toHaveProperty('public_name');
    expect(ListChange.parse({ public_name: null })).toEqual({ public_name: null });
  });

  it('is the name of the sender where there is none, else the address', () => {
    const sender = { sender_name: 'The editors', ...SENDER };
    expect(publicNameOf({ ...sender, public_name: 'Weekly news' })).toBe('Weekly news');
    expect(publicNameOf({ ...sender, public_name: null })).toBe('The editors');
    expect(publicNameOf(sender)).toBe('The editors');
    expect(publicNameOf({ ...sender, sender_name: '' })).toBe(SENDER.sender_address);
  });
});

it.each([
  'a..b@example.com',
  '.a@example.com',
  'a.@example.com',
  'a@-x.com',
  'a@x-.com',
  'a@b',
  'a\nb@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'a@example.com b',
  `${'a'.repeat(65)}@example.com`,
])('no answers go to %j', address => expect(ReplyTo.safeParse(address).success).toBe(false));

it('answers go to an address in small letters, or to the sender', () => {
  expect([' Ann.Lee+news@Sub.Example.com ', '', null].map(address => ReplyTo.parse(address))).toEqual([
    'ann.lee+news@sub.example.com',
    null,
    null,
  ]);
});
