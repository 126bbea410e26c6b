import { expect, it } from 'vitest';
import { type EmailList, NewList } from '#shared/list.ts';
import type { ListMembersPage } from '#shared/list-member.ts';
import { EXAMPLES } from '#web/features/list/example-dialog.tsx';
import { shownLists } from '#web/features/list/lists-page.tsx';
import { sendingKeyForm } from '#web/features/list/sending-key.tsx';
import { continuation, cursorIn, cursorOfPage, withMore } from '#web/features/list-member/use-members.ts';

const faults = (values: object) =>
  NewList.safeParse(values).error?.issues.map(({ path, message }) => [path.join('.'), message]);

it('the sender is validated against the domain, whatever else is missing', () => {
  const typed = { name: '', domain: 'example.com', sender_name: '', sender_address: 'a@example.org' };
  expect(faults(typed)).toEqual([
    ['name', 'List name is required'],
    ['sender_name', 'Sender name is required'],
    ['sender_address', 'Email domain must match the list domain (example.com)'],
  ]);
});

it.each([
  ['Example.COM', 'A@example.com'],
  ['bücher.example', 'a@xn--bcher-kva.example'],
])('the domain %s matches the sender %s', (domain, sender_address) => {
  expect(faults({ name: 'n', domain, sender_name: 's', sender_address })).toBeUndefined();
});

it('a key is required unless one is set', () => {
  const empty = { mailgun_sending_key: ' ', mailgun_webhook_signing_key: '', mailgun_region: 'eu' as const };
  expect(sendingKeyForm(false).safeParse(empty).error?.issues[0]?.message).toBe('Sending key is required');
  expect(sendingKeyForm(true).parse(empty)).toEqual({ mailgun_region: 'eu' });
  const given = { ...empty, mailgun_sending_key: ' key-1 ' };
  expect(sendingKeyForm(true).parse(given)).toEqual({ mailgun_sending_key: 'key-1', mailgun_region: 'eu' });
});

it('lists are searched by name and domain, and sorted', () => {
  const list = (name: string, domain: string, members_count: number) =>
    ({ name, domain, members_count }) as EmailList;
  const [ten, nine] = [list('beta 10', 'x.example', 3), list('beta 9', 'x.example', 1)];
  const lists = [ten, nine, list('Alpha', 'y.example', 20)];
  const names = (sort: 'name' | 'domain' | 'members' | undefined, direction: 'asc' | 'desc', search = '') =>
    shownLists(lists, { page: 1, sort, direction, filters: { search } }).map(({ name }) => name);
  expect(names(undefined, 'asc')).toEqual(['Alpha', 'beta 9', 'beta 10']);
  expect(names('members', 'asc')).toEqual(['beta 9', 'beta 10', 'Alpha']);
  expect(names(undefined, 'desc')).toEqual(['beta 10', 'beta 9', 'Alpha']);
  expect(names('name', 'asc', ' Y.EX ')).toEqual(['Alpha']);
});

const shown = (page: Partial<ListMembersPage>): ListMembersPage => ({
  data: [],
  current_page: 3,
  last_page: 5,
  total: 50,
  found: null,
  previous_cursor: 'before',
  next_cursor: 'after',
  searched: null,
  ...page,
});

it('next and previous page have a cursor, the first, the last and others their number', () => {
  expect(cursorOfPage(4, shown({}), undefined, 3)).toEqual({ cursor: 'after' });
  expect(cursorOfPage(2, shown({}), undefined, 3)).toEqual({ cursor: 'before' });
  for (const page of [1, 5]) expect(cursorOfPage(page, shown({}), undefined, 3)).toBeUndefined();
  expect(cursorOfPage(5, shown({ current_page: 4 }), undefined, 4)).toBeUndefined();
  expect(cursorOfPage(4, undefined, undefined, 3)).toBeUndefined();
});

it('a search goes back by the cursors of the pages before', () => {
  const search = shown({ searched: { members: 0, of: 50, complete: false }, previous_cursor: null });
  const second = { cursor: 'second' };
  const third = cursorOfPage(3, { ...search, current_page: 2, next_cursor: 'third' }, second, 2);
  expect(third).toEqual({ cursor: 'third', previous: second });
  expect(cursorOfPage(2, search, third, 3)).toEqual(second);
  expect(cursorOfPage(2, undefined, third, 3)).toEqual(second);
  expect(cursorOfPage(4, undefined, third, 3)).toBeUndefined();
  expect(cursorOfPage(1, { ...search, current_page: 2 }, second, 2)).toBeUndefined();
  const last = { ...search, searched: { members: 50, of: 50, complete: true }, next_cursor: null };
  expect(cursorOfPage(2, last, third, 3)).toEqual(second);
  expect(cursorIn({ cursor: 'third', previous: second })).toEqual(third);
  for (const strange of [null, 'x', { cursor: 7 }]) expect(cursorIn(strange)).toBeUndefined();
});

it('a search can be continued while its page is not full and members are left to read', () => {
  const row = { id: 'm', email: 'a@example.com', is_subscribed: true, created_at: '', updated_at: '' };
  const searched = { members: 10, of: 50, complete: false };
  const page = shown({ data: [row], searched });
  expect(continuation(page, 10)).toEqual({ cursor: 'after', room: 9 });
  expect(continuation(page, 1)).toBeUndefined();
  expect(continuation(shown({ data: [row] }), 10)).toBeUndefined();
  expect(continuation(shown({ searched: { ...searched, complete: true } }), 10)).toBeUndefined();
  const more = shown({
    data: [{ ...row, id: 'n' }],
    searched: { ...searched, members: 20 },
    next_cursor: 'on',
  });
  expect(withMore(page, more)).toMatchObject({
    data: [{ id: 'm' }, { id: 'n' }],
    searched: { members: 20 },
    next_cursor: 'on',
  });
});

it.each(EXAMPLES)(
  'the example in $name has the address, the organization and a place for the token',
  ({ code }) => {
    const text = code({ origin: 'https://app.example.com', list: 'l1', organization: 7 });
    expect(text).toContain('https://app.example.com/api/v1/email-lists/l1/members');
    expect(text).toMatch(/X-Active-Organization['"]?: ?['"]?7/);
    expect(text).toContain('Bearer <YOUR_API_TOKEN>');
    expect(text).toContain('is_subscribed');
  },
);
