import { describe, expect, it } from 'vitest';
import { ListChange } from '#shared/list.ts';
import { NewOrganization, OrganizationChange } from '#shared/organization.ts';
import { line } from '#shared/text.ts';
import { TokenName } from '#shared/token.ts';

const Name = line('Name is required', 'Name', 20);
const faults = (name: unknown) => Name.safeParse(name).error?.issues.map(({ message }) => message);

describe('a name', () => {
  it.each([
    'Post office',
    'Bücher & Söhne, 3.',
    'פוסט אופיס',
    'می‌خواهم',
    'クリエイティブ',
    '👩‍💻 ❤️',
    'Booking.com',
    'Awww',
    'a: b / c // d',
    'x'.repeat(20),
  ])('may be %j', name => {
    expect(Name.parse(` ${name} `)).toBe(name);
  });

  it.each([
    undefined,
    null,
    7,
    '',
    ' \u00a0\u2003\ufeff',
    '\u200b',
    '\u200d\ufe0f',
    '\u3164',
    '\u2800',
    '\u{e0041}',
  ])('is missing in %j', name => {
    expect(faults(name)).toEqual(['Name is required']);
  });

  it.each([
    ['a zero width space', '\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark', '\ufeff'],
    ['a word joiner', '\u2060'],
    ['an invisible operator', '\u2064'],
    ['an annotation', '\ufff9'],
    ['a combining grapheme joiner', '\u034f'],
    ['a Hangul filler', '\u3164'],
    ['a leading Hangul filler', '\u115f'],
    ['a vowel Hangul filler', '\u1160'],
    ['a halfwidth Hangul filler', '\uffa0'],
    ['a Mongolian vowel separator', '\u180e'],
    ['a blank Braille pattern', '\u2800'],
    ['a null notehead', '\u{1d159}'],
    ['the first tag', '\u{e0000}'],
    ['a tag', '\u{e0041}'],
    ['the last tag', '\u{e007f}'],
    ['a supplementary variation selector', '\u{e0100}'],
  ])('must not contain %s', (_, character) => {
    expect(faults(`Post${character}office`)).toEqual(['Name must not contain invisible characters']);
  });

  it.each([
    ...'\0\n\r\t\u001b\u007f\u0085\u2028\u2029\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  ])('must not contain the control character %j', character => {
    expect(faults(`Post${character}office`)).toEqual(['Name must not contain control characters']);
  });

  it.each([
    'http://evil.test',
    'x HTTPS://y',
    'a://b',
    'www.evil.test',
    'See WWW.evil',
    'ｗｗｗ．evil',
    'http：／／x',
  ])('must not contain a link such as %j', name => {
    expect(faults(name)).toEqual(['Name must not contain a link']);
  });

  it('must not be longer than its limit', () => {
    expect(faults('x'.repeat(21))).toEqual(['Name must be at most 20 characters']);
  });
});

describe.each([
  ['an organization', 100, (name: string) => NewOrganization.safeParse({ name })],
  ['an organization that is renamed', 100, (name: string) => OrganizationChange.safeParse({ name })],
  ['an API token', 64, (name: string) => TokenName.safeParse(name)],
  ['a list', 100, (name: string) => ListChange.safeParse({ name })],
  ['a sender', 100, (sender_name: string) => ListChange.safeParse({ sender_name })],
])('the name of %s', (_, longest, parse) => {
  it.each(['\u3164', 'a\u3164b', 'a\u202eb', 'a\u{e0041}b', 'www.evil.test', 'https://evil.test'])(
    'is not %j',
    name => {
      expect(parse(name).success).toBe(false);
    },
  );

  it(`has at most ${longest} characters`, () => {
    expect(parse('x'.repeat(longest)).success).toBe(true);
    expect(parse('x'.repeat(longest + 1)).success).toBe(false);
  });
});
