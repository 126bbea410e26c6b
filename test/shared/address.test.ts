import { describe, expect, it } from 'vitest';
import { mailboxOf, normalizeAddress, normalizeDomain } from '#shared/address.ts';

const LABEL = 'a'.repeat(63);
const LONGEST = `${'a'.repeat(64)}@${LABEL}.${LABEL}.${'a'.repeat(57)}.com`;

describe('an address', () => {
  it.each([
    ['Anna@Example.COM', 'anna@example.com'],
    ['  anna@example.com \n', 'anna@example.com'],
    ['anna+news@example.com', 'anna+news@example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
    ['anna@BÜCHER.example', 'anna@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [LONGEST, LONGEST],
  ])('%j is normalized to %j', (raw, kept) => {
    expect(normalizeAddress(raw)).toBe(kept);
  });

  it.each([
    '',
    'anna',
    '@example.com',
    'anna@',
    'anna@example',
    'anna@@example.com',
    'an na@example.com',
    'anna@exa mple.com',
    'anna@example.com\r\nBcc: other@example.com',
    'anna\n@example.com',
    'anna\0@example.com',
    'anna@example.com\0',
    'anna@example.com\u0001',
    'anna@exam\u001fple.com',
    '"anna"@example.com',
    'anna.@example.com',
    '.anna@example.com',
    'an..na@example.com',
    'anna@-example.com',
    'anna@example-.com',
    'anna@127.0.0.1',
    'anna@[127.0.0.1]',
    'anna@0x7f.1',
    'anna@0x7f.0x1',
    'anna@example.com/path',
    'anna@example.com:25',
    'anna@example.com?subject=x',
    'änna@example.com',
    `${'a'.repeat(65)}@example.com`,
    `anna@${'a'.repeat(64)}.com`,
    LONGEST.replace('.com', 'a.com'),
  ])('%j is not valid', raw => {
    expect(normalizeAddress(raw)).toBeUndefined();
  });

  it('does not change when it is normalized again', () => {
    const once = normalizeAddress('Anna@BÜCHER.example') ?? '';
    expect(normalizeAddress(once)).toBe(once);
  });
});

describe('a domain', () => {
  it.each(
    `x/../../v3/routes example.com# user@example.com example.com. localhost 1.2.3.4 1.2.3 example.09
  0x7f.0x1 0x7f.1 x.0xa x.0x X.0XA x.０xa %65.com`.split(/\s+/),
  )('%j is not valid', raw => {
    expect(normalizeDomain(raw)).toBeUndefined();
  });

  it.each(['0x7f.com', '1.example.com', 'x.0xg', 'example.1a', 'xn--bcher-kva.example'])(
    '%j is valid',
    raw => {
      expect(normalizeDomain(raw)).toBe(raw);
    },
  );
});

it.each([
  ['anna+x@example.com', 'anna@example.com'],
  ['anna+x+y@example.com', 'anna@example.com'],
  ['anna+@example.com', 'anna@example.com'],
  ['an.na@example.com', 'an.na@example.com'],
  ['+anna@example.com', '+anna@example.com'],
  ['+anna+x@example.com', '+anna@example.com'],
  ['an.n.a@gmail.com', 'anna@gmail.com'],
  ['a.nna+x.y@googlemail.com', 'anna@gmail.com'],
  ['an.na@gmail.com.example', 'an.na@gmail.com.example'],
])('the mail of %j arrives in the mailbox of %j', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
