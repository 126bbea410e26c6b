import { describe, expect, it } from 'vitest';
import type { EmailList } from '../../shared/list.ts';
import { firstStepsOf } from '../../web/src/app/first-steps.ts';
import { nextStepOf } from '../../web/src/features/list/next-step.ts';
import { mostUrgentLists } from '../../web/src/features/list/shown-lists.ts';

type Wanted = { name?: string; key?: boolean; valid?: boolean | null; members?: number };
const list = ({ name = 'Customers', key = true, valid = true, members = 1 }: Wanted = {}) =>
  ({
    id: `id of ${name}`,
    name,
    mailgun_sending_key: key ? 'Defined' : null,
    mailgun_connection_status: { last_tested_at: null, connection_valid: key ? valid : null },
    members_count: members,
  }) as EmailList;

describe('what a list needs next', () => {
  it.each([
    ['No sending key', { key: false, members: 0 }, '/edit', 'sending-key:edit'],
    ['Sending key not tested', { valid: null }, '/edit', 'sending-key:edit'],
    ['Sending key refused', { valid: false }, '/edit', 'sending-key:edit'],
    ['No members', { members: 0 }, '/members/new', 'list-members:edit'],
  ] as const)('%s', (short, wanted, end, action) => {
    const step = nextStepOf(list(wanted));
    expect(step).toMatchObject({ short, action });
    expect(step?.to.endsWith(end)).toBe(true);
  });

  it('is nothing where it can send to somebody', () => {
    expect(nextStepOf(list())).toBeUndefined();
  });
});

it('lists that need something come first, then the larger ones', () => {
  const lists = [
    list({ name: 'Small', members: 2 }),
    list({ name: 'Large', members: 30 }),
    list({ name: 'Empty', members: 0 }),
    list({ name: 'Refused', valid: false, members: 5 }),
  ];
  const names = (most: number) => mostUrgentLists(lists, most).map(({ name }) => name);
  expect(names(9)).toEqual(['Refused', 'Empty', 'Large', 'Small']);
  expect(names(2)).toEqual(['Refused', 'Empty']);
});

describe('the first steps', () => {
  const steps = (lists: EmailList[], hasColleagues: boolean | undefined = false, role = 'OWNER' as const) =>
    firstStepsOf({ role, lists, hasColleagues }).map(({ label, isDone }) => [label, isDone]);
  const CREATE = 'Create list';
  const CONNECT = 'Set the sending key';

  it('tick themselves off', () => {
    const rest = (members: boolean, invited: boolean) => [
      ['Add member', members],
      ['Invite member', invited],
    ];
    expect(steps([])).toEqual([[CREATE, false], [CONNECT, false], ...rest(false, false)]);
    expect(steps([list({ key: false, members: 0 })])).toEqual([
      [CREATE, true],
      [CONNECT, false],
      ...rest(false, false),
    ]);
    expect(steps([list({ valid: null, members: 0 }), list()], true)).toEqual([
      [CREATE, true],
      [CONNECT, true],
      ...rest(true, true),
    ]);
  });

  it.each([
    ['is refused', { valid: false }],
    ['was replaced and not tested yet', { valid: null }],
  ])('do not come back when a key %s', (_, wanted) => {
    expect(steps([list(wanted)], true).every(([, isDone]) => isDone)).toBe(true);
  });

  it('are those alone that a user may take', () => {
    const labels = firstStepsOf({ role: 'USER', lists: [], hasColleagues: undefined }).map(
      ({ label }) => label,
    );
    expect(labels).toEqual([CREATE, 'Add member']);
  });

  it('lead nowhere before there is a list', () => {
    const open = firstStepsOf({ role: 'OWNER', lists: [], hasColleagues: false }).filter(({ to }) => to);
    expect(open.map(({ label }) => label)).toEqual([CREATE, 'Invite member']);
  });
});
