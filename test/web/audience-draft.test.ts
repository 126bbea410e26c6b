import { expect, it } from 'vitest';
import type { Audience, AudienceRule } from '#shared/audience.ts';
import * as draft from '#web/entities/audience/draft.ts';

const plan: AudienceRule = { field: 'plan', op: 'is', value: 'pro' };
const seats: AudienceRule = { field: 'seats', op: 'greater', value: 0 };
const paid: AudienceRule = { field: 'paid', op: 'is', value: false };
const set: AudienceRule = { field: 'ends', op: 'set' };

const blockOf = (audience: Audience) => draft.editableOf(audience) as draft.Block;
const rowOf = (rule: AudienceRule) => draft.editableOf(rule) as draft.Row;

it.each<Audience>([
  { all: [plan, seats, paid, set] },
  { any: [plan, { all: [seats, set] }] },
  { all: [{ any: [plan] }, { field: 'ends', op: 'before', value: { days_ahead: 3 } }] },
])('%j is saved as it was stored', audience => {
  expect(draft.audienceOf(blockOf(audience))).toEqual(audience);
});

it('without conditions it is everybody, and blanks around the name of a column do not count', () => {
  expect(draft.audienceOf(undefined)).toBeNull();
  expect(draft.audienceOf(blockOf({ all: [{ ...plan, field: ' plan ' }] }))).toEqual({ all: [plan] });
});

it('a condition is changed or removed in its group, which goes with its last one', () => {
  const block = blockOf({ all: [plan, { any: [seats] }] });
  const [first, second] = draft.rowsOf(block);
  const after = (key = 0, by: draft.Item[] = []) => {
    const [left] = draft.edited([block], key, by);
    return draft.audienceOf(left as draft.Block | undefined);
  };
  expect(after(first?.key)).toEqual({ all: [{ any: [seats] }] });
  expect(after(second?.key)).toEqual({ all: [plan] });
  expect(after(second?.key, [rowOf(set)])).toEqual({ all: [plan, { any: [set] }] });
  expect(after(block.key, [{ ...block, match: 'any' }])).toEqual({ any: [plan, { any: [seats] }] });
  expect(after(block.key)).toBeNull();
});

it.each<[AudienceRule, AudienceRule['op'], object]>([
  [plan, 'contains', { op: 'contains', value: 'pro' }],
  [plan, 'greater', { op: 'greater', value: 'pro' }],
  [plan, 'before', { op: 'before', value: { days_ago: Number.NaN } }],
  [{ field: 'ends', op: 'before', value: '2030-01-01' }, 'after', { op: 'after', value: '2030-01-01' }],
  [set, 'is', { op: 'is', value: '' }],
])('what was entered in %j stays for the operator %s if it fits', (rule, op, changed) => {
  expect(draft.withOperator(rowOf(rule), op)).toMatchObject(changed);
});

it('an operator that takes nothing leaves no value, which would be refused', () => {
  expect(draft.withOperator(rowOf(plan), 'not_set')).not.toHaveProperty('value');
});

it.each<[AudienceRule, string, boolean, object]>([
  [plan, 'ends', true, { field: 'ends', op: 'before', value: { days_ago: Number.NaN } }],
  [plan, 'city', false, { field: 'city', op: 'is', value: 'pro' }],
  [plan, '@list', false, { field: '@list', op: 'on', value: '' }],
  [seats, '@email', false, { field: '@email', op: 'is', value: 0 }],
  [
    { field: '@added', op: 'after', value: { days_ago: 3 } },
    'ends',
    true,
    { op: 'after', value: { days_ago: 3 } },
  ],
])('%j of the column %s keeps the operator and the value that fit', (rule, field, isDate, changed) => {
  expect(draft.withField(rowOf(rule), field, isDate)).toMatchObject(changed);
});

it.each<[Partial<draft.Row>, ReturnType<typeof draft.faultOfRow>]>([
  [{}, undefined],
  [{ field: '' }, { at: 'field', text: 'choose a column' }],
  [
    { field: ' ', isOther: true },
    { at: 'field', text: 'enter a column' },
  ],
  [{ field: 'constructor' }, { at: 'field', text: 'A key must not be called constructor' }],
  [{ value: ' ' }, { at: 'value', text: 'enter a value' }],
  [{ value: 'x'.repeat(1025) }, { at: 'value', text: 'A value must be at most 1024 characters' }],
  [
    { op: 'less', value: 'few' },
    { at: 'value', text: 'enter a number' },
  ],
  [
    { field: '@list', op: 'on', value: '' },
    { at: 'value', text: 'choose a list' },
  ],
  [
    { op: 'before', value: { days_ago: Number.NaN } },
    { at: 'value', text: 'enter a date, or a number of days up to 3,650' },
  ],
])('of a condition with %j it is said what is missing', (fields, fault) => {
  expect(draft.faultOfRow({ ...rowOf(plan), ...fields })).toEqual(fault);
});
