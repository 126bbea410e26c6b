import { describe, expect, it } from 'vitest';
import { BroadcastChange, NewBroadcast } from '#shared/broadcast.ts';
import { isOpen, isResumable } from '#shared/broadcast-state.ts';
import { faultsIn } from '#test/support/faults.ts';

const AT = 'Enter an instant such as 2030-12-01T09:00:00Z, with its offset from UTC';
const LOCAL_AT = 'Enter a local time such as 2030-12-01T09:00';
const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at).padStart(12, '0'));

describe('a broadcast', () => {
  it.each<[object, Record<string, string>]>([
    [{ name: 7 }, { name: 'Name is required' }],
    [{ name: 'News\r\nBcc: all@example.com' }, { name: 'Name must not contain control characters' }],
    [{ name: 'x'.repeat(101) }, { name: 'Name must be at most 100 characters' }],
    [{ email_list_ids: [7] }, { 'email_list_ids.0': 'email_list_ids must be the ids of email lists' }],
    [{ audience: [] }, { audience: expect.stringMatching(/^Send null for everybody/) }],
    [{ at: 7 }, { at: AT }],
    [{ at: '2030-12-01' }, { at: AT }],
    [{ at: '2030-12-01T09:00' }, { at: AT }],
    [{ at: '2030-12-01 09:00:00Z' }, { at: AT }],
    [{ at: '2030-12-01T09:00:00,5Z' }, { at: AT }],
    [{ at: '2030-12-01T09:00:00+02' }, { at: AT }],
    [{ at: ' 2030-12-01T09:00:00Z' }, { at: AT }],
    [{ at: '2030-12-01T09:00:00Z.' }, { at: AT }],
    [{ at: '2030-02-29T09:00:00Z' }, { at: AT }],
    [{ local_at: 7 }, { local_at: LOCAL_AT }],
    [{ local_at: '2030-12-01' }, { local_at: LOCAL_AT }],
    [{ local_at: '2030-12-01T09:00:00' }, { local_at: LOCAL_AT }],
    [{ local_at: '2030-12-01T09:00Z' }, { local_at: LOCAL_AT }],
    [{ local_at: ' 2030-12-01T09:00' }, { local_at: LOCAL_AT }],
    [{ local_at: '2030-12-01T24:00' }, { local_at: LOCAL_AT }],
    [
      { at: '2030-12-01T09:00:00Z', local_at: '2030-12-01T09:00' },
      { local_at: 'Choose either an instant or a local time: leave the other one out' },
    ],
    ...(['email_template_ids', 'email_asset_ids'] as const).flatMap(
      (field): [object, Record<string, string>][] => {
        const text = `${field} must be the ids of email ${field === 'email_asset_ids' ? 'assets' : 'templates'}`;
        return [
          [{ [field]: 'x' }, { [field]: text }],
          [{ [field]: [7] }, { [`${field}.0`]: text }],
          [{ [field]: ['0'.repeat(13)] }, { [`${field}.0`]: text }],
          [{ [field]: [`A${'0'.repeat(12)}`] }, { [`${field}.0`]: text }],
          [{ [field]: ids(91) }, { [field]: 'At most 90 can be chosen' }],
        ];
      },
    ),
    [{ status: 'sent' }, { status: 'The status must be draft, scheduled or cancelled' }],
  ])('with %j is refused', (fields, faults) => {
    expect(faultsIn(NewBroadcast, { name: 'News', ...fields })).toEqual(faults);
    expect(faultsIn(BroadcastChange, fields)).toEqual(faults);
  });

  it('needs a name, and is a draft for nobody unless the call says otherwise', () => {
    expect(faultsIn(NewBroadcast, {})).toEqual({ name: 'Name is required' });
    expect(NewBroadcast.parse({ name: ' News ' })).toEqual({
      name: 'News',
      email_list_ids: [],
      audience: null,
      at: null,
      local_at: null,
      holdout_percent: 0,
      email_template_ids: [],
      email_asset_ids: [],
      status: 'draft',
    });
    expect(BroadcastChange.parse({ revision: 'r' })).toEqual({ revision: 'r' });
    expect(faultsIn(BroadcastChange, { revision: 7 })).toEqual({
      revision: 'revision must be the one that was read',
    });
  });

  it.each<[object, object?]>([
    [{ at: '2030-12-01T09:00+0200' }, { at: '2030-12-01T07:00:00.000Z' }],
    [
      { at: '2030-12-01T09:00:30.5-05:30', local_at: null },
      { at: '2030-12-01T14:30:30.500Z', local_at: null },
    ],
    [{ local_at: '2030-12-01T23:59', at: null }],
    [{ email_template_ids: ids(90), email_asset_ids: ids(90) }],
    [{ status: 'scheduled' }],
    [{ status: 'cancelled' }],
  ])('%j is taken', (fields, taken = fields) => {
    expect(BroadcastChange.parse(fields)).toEqual(taken);
    expect(NewBroadcast.parse({ name: 'News', ...fields })).toMatchObject(taken);
  });
});

describe('two days after it ended', () => {
  const ended_at = '2030-12-01T12:00:00.000Z';
  const stopped = { reason: 'stopped', at: ended_at } as const;
  const [just, over] = [new Date('2030-12-03T12:00:00.000Z'), new Date('2030-12-03T12:00:00.001Z')];

  it.each([
    ['draft', false, false],
    ['scheduled', true, true],
    ['sending', true, true],
    ['sent', true, false],
    ['cancelled', false, false],
    ['stopped', false, false],
  ] as const)(
    'emails of one that is %s may still go: %s, a millisecond later: %s',
    (status, isJust, isOver) => {
      expect(isOpen({ status, ended_at, stopped }, just)).toBe(isJust);
      expect(isOpen({ status, ended_at, stopped }, over)).toBe(isOver);
    },
  );

  it('the rest may still get one that was stopped, and no other one', () => {
    expect(isResumable({ status: 'stopped', stopped }, just)).toBe(true);
    expect(isResumable({ status: 'stopped', stopped }, over)).toBe(false);
    expect(isResumable({ status: 'cancelled', stopped }, just)).toBe(false);
  });
});
