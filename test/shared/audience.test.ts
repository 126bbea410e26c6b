import { describe, expect, it } from 'vitest';
import { zoneNamed } from '#core/automation/due/zone.ts';
import {
  type Audience,
  type AudienceRule,
  audienceFault,
  describeAudience,
  describeMismatch,
  firstMismatch,
  listsOf,
  rulesOf,
} from '#shared/audience.ts';
import { AudienceText, Audience as Schema } from '#shared/audience-shapes.ts';
import { faultsIn } from '#test/support/faults.ts';

const LIST = 'aaaaaaaaaaaa';
const names = new Map([[LIST, 'Customers']]);
const MEMBER = {
  email: 'Ann.Lee@Example.com',
  created_at: '2026-03-10T23:30:00.000Z',
  lists: new Set([LIST]),
  metadata: {
    plan: ' Pro ',
    blank: '  ',
    seats: 10,
    seats_text: ' 10.0 ',
    minus: '-3',
    order: '10000000000000000001',
    exponent: '1e3',
    active: true,
    day: '2026-03-29',
    time: '2026-03-29T10:00:00Z',
    // Midnight in Vienna, after a day of 23 hours.
    late: '2026-03-29T22:00:00Z',
    phone: '+49170',
    most: Number.MAX_SAFE_INTEGER,
    tiny: 1.5e-7,
    street: 'Hauptstraße',
  },
};
// In Vienna, clocks go from 2:00 to 3:00 on 29 March 2026.
const when = (at = '2026-03-29T10:00:00Z', zone = 'Europe/Vienna') => ({
  at: new Date(at),
  zone: zoneNamed(zone),
});

type Case = [field: string, op: AudienceRule['op'], value: AudienceRule['value'], matches: boolean];
const VALUES: Case[] = [
  ['plan', 'is', 'PRO', true],
  ['plan', 'is', 'pr', false],
  ['plan', 'is_not', 'pro', false],
  ['plan', 'is_not', 'free', true],
  ['seats', 'is', '10.00', true],
  ['seats', 'is', 11, false],
  ['seats', 'is_not', 11, true],
  ['most', 'is', '9007199254740991.0', true],
  ['tiny', 'is', '1.5E-7', true],
  ['street', 'contains', 'SS', false],
  ['seats_text', 'is', 10, true],
  ['seats_text', 'is_not', 10, false],
  ['exponent', 'is', 1000, false],
  // As numbers, both are the same.
  ['order', 'is', '10000000000000000000', false],
  ['order', 'is', '10000000000000000001', true],
  ['phone', 'is', 49170, false],
  ['phone', 'greater', 3, false],
  ['active', 'is', 'TRUE', true],
  ['active', 'is', true, true],
  ['none', 'is', 'undefined', false],
  ['none', 'is_not', 'pro', true],
  ['blank', 'is_not', 'pro', true],
  ['toString', 'set', undefined, false],
  ['plan', 'contains', 'RO', true],
  ['plan', 'contains', 'ee', false],
  ['seats', 'contains', 1, true],
  ['none', 'contains', 'undef', false],
  ['plan', 'not_contains', 'ro', false],
  ['plan', 'not_contains', 'free', true],
  ['none', 'not_contains', 'ro', true],
  ['plan', 'contains', ' pro', true],
  ['plan', 'contains', 'p o', false],
  ['plan', 'not_contains', 'ro ', false],
  ['plan', 'starts_with', 'pro', true],
  ['plan', 'starts_with', '  PRO ', true],
  ['plan', 'starts_with', 'ro', false],
  ['none', 'starts_with', 'un', false],
  ['seats', 'greater', 9, true],
  ['seats', 'greater', 10, false],
  ['seats_text', 'greater', '9.5', true],
  ['plan', 'greater', 1, false],
  ['exponent', 'greater', 1, false],
  ['none', 'greater', -1, false],
  ['seats', 'less', 11, true],
  ['seats', 'less', 10, false],
  ['minus', 'less', '-2.5', true],
  ['plan', 'less', 1, false],
  ['none', 'less', 1, false],
  ['plan', 'set', undefined, true],
  ['blank', 'set', undefined, false],
  ['none', 'set', undefined, false],
  ['plan', 'not_set', undefined, false],
  ['blank', 'not_set', undefined, true],
  ['none', 'not_set', undefined, true],
  // A day against days: 29 March begins at 23:00 UTC of the 28th, and ends at 22:00 UTC.
  ['day', 'before', '2026-03-30', true],
  ['day', 'before', '2026-03-29', false],
  ['day', 'after', '2026-03-28', true],
  ['day', 'after', '2026-03-29', false],
  ['day', 'before', '2026-03-28T23:00:01Z', true],
  ['day', 'before', '2026-03-28T23:00:00Z', false],
  ['day', 'after', '2026-03-28T23:00:00Z', false],
  ['day', 'after', '2026-03-28T22:59:59Z', true],
  ['time', 'after', '2026-03-28', true],
  ['time', 'after', '2026-03-29', false],
  ['late', 'after', '2026-03-29', true],
  ['time', 'before', '2026-03-29', false],
  ['time', 'before', '2026-03-29T12:00:01+02:00', true],
  ['time', 'before', { days_ago: 0 }, false],
  ['time', 'after', { days_ago: 0 }, false],
  ['time', 'before', { days_ahead: 1 }, true],
  ['time', 'after', { days_ago: 1 }, true],
  ['time', 'after', { days_ahead: 1 }, false],
  ['day', 'before', { days_ago: 1 }, false],
  ['plan', 'before', '2030-01-01', false],
  ['seats', 'after', '2000-01-01', false],
  ['none', 'before', { days_ahead: 5 }, false],
  ['none', 'after', { days_ago: 5 }, false],
  // 0:30 of the 11th in Vienna.
  ['@added', 'before', '2026-03-11', false],
  ['@added', 'after', '2026-03-10', true],
  ['@added', 'after', { days_ago: 30 }, true],
  ['@added', 'before', { days_ago: 10 }, true],
  ['@email', 'is', 'ann.lee@example.com', true],
  ['@email', 'is_not', 'ann.lee@example.com', false],
  ['@email', 'contains', '@EXAMPLE', true],
  ['@email', 'not_contains', '@example', false],
  ['@email', 'starts_with', 'ann', true],
  ['@list', 'on', LIST, true],
  ['@list', 'on', 'bbbbbbbbbbbb', false],
  ['@list', 'not_on', LIST, false],
  ['@list', 'not_on', 'bbbbbbbbbbbb', true],
];

describe('a rule', () => {
  it.each(VALUES)('%s %s %o: %s', (field, op, value, matches) => {
    const rule = { field, op, value };
    expect(audienceFault({ all: [rule] })).toBeUndefined();
    expect(firstMismatch({ all: [rule] }, MEMBER, when())).toEqual(matches ? undefined : rule);
  });

  it('counts days by the local calendar: the same time of day, across a change of clocks', () => {
    const isAfter = (time: string, at: string, value: AudienceRule['value']) =>
      !firstMismatch({ field: 'time', op: 'after', value }, { ...MEMBER, metadata: { time } }, when(at));
    // 12:00 in Vienna is 10:00 UTC in summer, and 11:00 UTC the day before.
    expect(isAfter('2026-03-28T11:00:00Z', '2026-03-29T10:00:00Z', { days_ago: 1 })).toBe(false);
    expect(isAfter('2026-03-28T11:00:01Z', '2026-03-29T10:00:00Z', { days_ago: 1 })).toBe(true);
    expect(isAfter('2026-03-29T10:00:01Z', '2026-03-28T11:00:00Z', { days_ahead: 1 })).toBe(true);
    // 2:30 is skipped on the 29th: 3:00.
    expect(isAfter('2026-03-29T01:00:00Z', '2026-03-28T01:30:00Z', { days_ahead: 1 })).toBe(false);
    expect(isAfter('2026-03-29T01:00:01Z', '2026-03-28T01:30:00Z', { days_ahead: 1 })).toBe(true);
  });
});

const pro: AudienceRule = { field: 'plan', op: 'is', value: 'pro' };
const free: AudienceRule = { field: 'plan', op: 'is', value: 'free' };
const many: AudienceRule = { field: 'seats', op: 'greater', value: 5 };
const few: AudienceRule = { field: 'seats', op: 'less', value: 5 };

it('a group of which all must match names the first rule that does not, and one of any is named whole', () => {
  const mismatch = (audience: Audience) => firstMismatch(audience, MEMBER, when());
  expect(mismatch({ all: [pro, { any: [free, many] }] })).toBeUndefined();
  expect(mismatch({ all: [pro, few, free] })).toBe(few);
  expect(mismatch({ any: [free, { all: [pro, many] }] })).toBeUndefined();
  const none = { any: [free, few] };
  expect(mismatch({ all: [pro, none] })).toBe(none);
  expect(describeMismatch(free, MEMBER, when(), names)).toBe(
    'plan is Pro; this automation is for plan is free',
  );
  expect(describeMismatch(none, MEMBER, when(), names)).toBe(
    'plan is Pro, seats is 10; this automation is for plan is free or seats is less than 5',
  );
  expect(describeMismatch({ field: 'none', op: 'set' }, MEMBER, when(), names)).toBe(
    'none is not set; this automation is for none is set',
  );
  const [on, off] = ['they are on the list Customers', 'they are not on the list Customers'];
  const rule = { field: '@list', value: LIST };
  expect(describeMismatch({ ...rule, op: 'on' }, MEMBER, when(), names)).toBe(
    `${off}; this automation is for ${on}`,
  );
  expect(describeMismatch({ ...rule, op: 'not_on' }, MEMBER, when(), names)).toBe(
    `${on}; this automation is for ${off}`,
  );
});

it('the day on which somebody was added is that by which they do not match: of the zone, not of UTC', () => {
  const rule: AudienceRule = { field: '@added', op: 'before', value: '2026-03-11' };
  const wanted = 'this automation is for the day they were added is before 2026-03-11';
  expect(firstMismatch(rule, MEMBER, when())).toBe(rule);
  expect(describeMismatch(rule, MEMBER, when(), names)).toBe(
    `the day they were added is 2026-03-11; ${wanted}`,
  );
  expect(firstMismatch(rule, MEMBER, when(undefined, 'UTC'))).toBeUndefined();
});

it.each<[Audience | null, string]>([
  [null, 'All members of the lists'],
  [{ all: [pro, { any: [many, free] }] }, 'plan is pro and (seats is greater than 5 or plan is free)'],
  [{ any: [many, { all: [pro] }] }, 'seats is greater than 5 or plan is pro'],
  [{ any: [{ field: '@list', op: 'not_on', value: LIST }] }, 'they are not on the list Customers'],
  [{ any: [{ field: '@list', op: 'on', value: 'bbbbbbbbbbbb' }] }, 'they are on the list (deleted)'],
  [{ all: [{ field: '@email', op: 'contains', value: '@x.com' }] }, 'the address contains @x.com'],
  [
    { all: [{ field: '@added', op: 'before', value: { days_ago: 30 } }] },
    'the day they were added is more than 30 days ago',
  ],
  [{ all: [{ field: 'ends', op: 'before', value: { days_ahead: 1 } }] }, 'ends is less than 1 day ahead'],
  [{ all: [{ field: 'ends', op: 'after', value: { days_ahead: 2 } }] }, 'ends is more than 2 days ahead'],
  [{ all: [{ field: 'ends', op: 'after', value: { days_ago: 1 } }] }, 'ends is less than 1 day ago'],
  [{ all: [{ field: 'ends', op: 'after', value: { days_ago: 0 } }] }, 'ends is in the future'],
  [{ all: [{ field: 'ends', op: 'before', value: { days_ahead: 0 } }] }, 'ends is in the past'],
  [{ all: [{ field: 'ends', op: 'after', value: '2026-01-01' }] }, 'ends is after 2026-01-01'],
  [{ all: [{ field: 'converted_at', op: 'not_set' }] }, 'converted_at is not set'],
])('%j is described', (audience, text) => {
  expect(describeAudience(audience, names)).toBe(audience ? `Members for whom ${text}` : text);
});

const rule = (field: unknown, op: unknown, value?: unknown) => ({ all: [{ field, op, value }] });
const rules = (count: number) => Array.from({ length: count }, () => pro);
/** As JSON. */
const ofBytes = (bytes: number) => {
  const audience = { all: Array.from({ length: 9 }, () => ({ ...pro, value: 'x'.repeat(860) })) };
  const [first] = audience.all;
  if (first) first.value += 'x'.repeat(bytes - JSON.stringify(audience).length);
  return audience;
};
const DATES =
  '2030-12-24, 2030-12-24T09:00:00Z, {"days_ago": n} or {"days_ahead": n}, where n is a whole number from 0 to 3650';
const FORM = 'Send null for everybody, or a group of rules: {"all": [rules]} or {"any": [rules]}';

it.each<[unknown, string]>([
  ['everybody', FORM],
  [[], FORM],
  [{}, FORM],
  [pro, FORM],
  [{ all: 'plan' }, FORM],
  [{ all: 7 }, FORM],
  [{ all: [null] }, FORM],
  [{ any: [] }, 'A group needs at least one rule: add one, or remove the group'],
  [{ all: [pro, { any: [] }] }, 'A group needs at least one rule: add one, or remove the group'],
  [{ all: [pro], any: [pro] }, 'A group has either all or any: split it into two groups'],
  [{ all: [{ any: [{ all: [pro] }] }] }, 'Groups can be nested once: move the rules of the inner group out'],
  [
    { all: Array(9).fill({ ...pro, value: 'x'.repeat(1000) }) },
    'Conditions can have 8 KB in all: shorten their values',
  ],
  [
    { all: Array(9).fill({ ...pro, value: 'é'.repeat(500) }) },
    'Conditions can have 8 KB in all: shorten their values',
  ],
  [{ all: rules(21) }, 'At most 20 rules can be used: remove some'],
  // No more of them are looked at.
  [{ all: Array(21).fill(null) }, 'At most 20 rules can be used: remove some'],
  [{ all: [...rules(10), { any: rules(11) }] }, 'At most 20 rules can be used: remove some'],
  [rule('@name', 'is', 'x'), 'There is no field @name: use @added, @email, @list or a key of metadata'],
  [
    rule(`@${'x'.repeat(100)}`, 'is', 'x'),
    `There is no field @${'x'.repeat(63)}: use @added, @email, @list or a key of metadata`,
  ],
  [rule(undefined, 'is', 'x'), 'A rule needs a field: a key of metadata, @added, @email or @list'],
  [rule('constructor', 'is', 'x'), 'A key must not be called constructor'],
  [rule('@added', 'is', '2026-01-01'), 'Choose an operator for @added: before, after'],
  [rule('@list', 'is', LIST), 'Choose an operator for @list: on, not_on'],
  [rule('plan', 'constructor', 'x'), expect.stringContaining('Choose an operator for plan: is, is_not,')],
  [rule('plan', 'on', LIST), expect.stringContaining('Choose an operator for plan: is, is_not,')],
  [rule('plan', 'is'), 'Enter a value for plan is: text, a number, true or false'],
  [rule('plan', 'contains', ' '), 'Enter a value for plan contains: text, a number, true or false'],
  [rule('plan', 'is', { days_ago: 1 }), 'Enter a value for plan is: text, a number, true or false'],
  [rule('plan', 'is', 'x'.repeat(1025)), 'A value must be at most 1024 characters'],
  [rule('plan', 'set', 'x'), 'plan set takes no value: remove it'],
  [rule('seats', 'greater', 'many'), 'Enter a number for seats greater'],
  [rule('ends', 'before', 'soon'), `Enter a date for ends before: ${DATES}`],
  [rule('ends', 'before', '2026-02-30'), `Enter a date for ends before: ${DATES}`],
  [rule('ends', 'after', { days_ago: 3651 }), `Enter a date for ends after: ${DATES}`],
  [rule('ends', 'after', { days_ago: 1.5 }), `Enter a date for ends after: ${DATES}`],
  [rule('ends', 'after', { days_ago: 1, days_ahead: 1 }), `Enter a date for ends after: ${DATES}`],
  ...[undefined, null, 7, {}, [], { days: 1 }, { days_ago: -1 }, { days_ahead: '1' }].map(
    (value): [unknown, string] => [rule('ends', 'after', value), `Enter a date for ends after: ${DATES}`],
  ),
  [rule('@list', 'on', [LIST]), 'Enter the id of an email list for @list on'],
  [rule('@list', 'on', 'Customers'), 'Enter the id of an email list for @list on'],
  [rule('@list', 'on', `${LIST}a`), 'Enter the id of an email list for @list on'],
])('%j is refused', (audience, message) => {
  expect(audienceFault(audience)).toEqual(message);
});

it('is kept without fields that mean nothing, with values of 0 and false, and twenty rules may be used', () => {
  const values: AudienceRule[] = [
    { field: 'seats', op: 'greater', value: 0 },
    { field: 'active', op: 'is', value: false },
  ];
  const audience = {
    all: [
      { ...pro, note: 1 },
      ...values,
      // What has rules is a group, even if it has the fields of a rule.
      { ...pro, any: rules(17) },
    ],
    field: 'plan',
  };
  const stored = Schema.parse(audience);
  expect(stored).toEqual({ all: [pro, ...values, { any: rules(17) }] });
  expect(rulesOf(stored as Audience)).toHaveLength(20);
});

it('may have twenty rules, 8 KB, and a date up to ten years away', () => {
  expect(audienceFault({ all: rules(20) })).toBeUndefined();
  expect(audienceFault(ofBytes(8 * 1024))).toBeUndefined();
  expect(audienceFault(ofBytes(8 * 1024 + 1))).toBe('Conditions can have 8 KB in all: shorten their values');
  for (const value of [{ days_ago: 0 }, { days_ago: 3650 }, { days_ahead: 3650 }]) {
    expect(audienceFault(rule('ends', 'after', value))).toBeUndefined();
  }
});

it('in a query is JSON of conditions, and null is everybody', () => {
  const text = 'audience must be JSON: {"all": [rules]} or {"any": [rules]}';
  expect(AudienceText.parse(JSON.stringify({ any: [{ ...pro, note: 1 }] }))).toEqual({ any: [pro] });
  expect([AudienceText.parse('null'), Schema.parse(null)]).toEqual([null, null]);
  for (const nothing of ['', 0, false]) expect(faultsIn(Schema, nothing)).toEqual({ '': FORM });
  expect(faultsIn(AudienceText, '{')).toEqual({ '': text });
  expect(faultsIn(AudienceText, { all: [pro] })).toEqual({ '': text });
  expect(faultsIn(AudienceText, '[]')).toEqual({ '': FORM });
});

it('the lists that conditions name are those of a nested group too', () => {
  const rule: AudienceRule = { field: '@list', op: 'not_on', value: LIST };
  expect(listsOf({ all: [{ field: 'plan', op: 'set' }, { any: [rule] }] })).toEqual([LIST]);
});
