import { describe, expect, it } from 'vitest';
import { NewList, SendingKeyChange, sendsFrom } from '../../shared/list.ts';

const form = { name: 'Readers', domain: 'example.com', sender_name: 'The editors' };
const faults = (sender_address: string, domain = 'example.com') =>
  NewList.safeParse({ ...form, domain, sender_address }).error?.issues.map(({ message }) => message);

describe('the sender of a list', () => {
  it.each(['letters@example.com', 'Letters@EXAMPLE.com', 'example.org@example.com'])('may be %s', address => {
    expect(faults(address)).toBeUndefined();
  });

  it.each([
    'letters@notexample.com',
    'letters@mail.example.com',
    'letters@example.com.example.org',
    'letters@example.co',
    'example.com@example.org',
  ])('may not be %s, of another domain', address => {
    expect(faults(address)).toEqual(['Email domain must match the list domain (example.com)']);
    expect(sendsFrom(address, 'example.com')).toBe(false);
  });
});

it('a sending key has 256 characters at most', () => {
  const parsed = (length: number) =>
    SendingKeyChange.safeParse({ mailgun_sending_key: 'k'.repeat(length) }).success;
  expect([parsed(256), parsed(257)]).toEqual([true, false]);
});
