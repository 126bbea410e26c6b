import { expect, it, vi } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import type { DomainCheck } from '#shared/domain-check.ts';
import type { ListExportPage } from '#shared/export.ts';
import type { ListMember } from '#shared/list-member.ts';
import { formatMoment } from '#web/lib/format.ts';
import { toast } from '#web/lib/toasts.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { list } from '../support/components/examples.ts';
import {
  fakeMembers,
  type Members,
  memberPage,
  pageOf,
  people,
  person,
} from '../support/components/members.ts';
import { bar, MEMBERS, names, openList, select } from '../support/components/members-table.ts';
import {
  answer,
  button,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  link,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  tab,
  textsOf,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';
import { proof } from '../support/proof.ts';

const METADATA = 'GET /api/email-lists/{list}/metadata-columns';
const EXPORT = 'GET /api/email-lists/{list}/export';

const headers = () => textsOf('thead th');
const failed = () => says('Failed to fetch list members. Please try again');

it('the pages of members are asked for by their neighbours, by the ends, and by the address of a page', async () => {
  const { router, showsFrom, lastAsked, address } = openList(people(47));
  await showsFrom(0, 10);
  await says('47 members');
  await press('Next page');
  await showsFrom(10, 20);
  expect(address()).toBe('?page=2');
  await reload(router);
  await showsFrom(10, 20);
  expect(lastAsked()).toEqual(['2', 'after 1']);
  await press('Last page');
  await showsFrom(40, 47);
  expect(lastAsked()).toEqual(['5', null]);
  await press('Previous page');
  await showsFrom(30, 40);
  expect(lastAsked()).toEqual(['4', 'before 5']);
});

proof('the pages of members have the size that was chosen last', async () => {
  const { router, showsFrom } = openList(people(27));
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOptions('25');
  await showsFrom(0, 25);
  await router.navigate('?page=2');
  await showsFrom(25, 27);
  await reload(router);
  await showsFrom(25, 27);
});

it('the pages of members have the filter, the sort and the search that the address keeps', async () => {
  const left = (name: string) => ({ ...person(name), is_subscribed: false });
  const late = { ...left('late'), created_at: '2026-02-05T08:00:00Z' };
  const { address } = openList([...people(12), left('ada'), left('zoe'), late], '?page=2');
  await says('Page 2 of 2');
  await field('Status').selectOptions('Unsubscribed');
  await says('3 unsubscribed members');
  await page.getByRole('columnheader').getByRole('button', { name: 'Added' }).click();
  await expect.poll(names).toEqual(['late', 'zoe', 'ada']);
  expect(address()).toBe('?status=unsubscribed&sort=created_at&direction=desc');
  await field('Search members').fill(' nobody ');
  await says('No unsubscribed member of this list has “nobody” in the address.');
  await press('Clear search');
  await says('3 unsubscribed members');
  expect(address()).toBe('?status=unsubscribed&sort=created_at&direction=desc');
});

proof('members who were found before are not shown as those of a filter that failed', async () => {
  const { api, answering } = openList(people(3));
  await says('3 members');
  api.answer({ [MEMBERS]: DOWN });
  await field('Status').selectOptions('Unsubscribed');
  await failed();
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
  await isGone(page.getByText('3 unsubscribed members'));
  api.answer(answering);
  await press('Try again');
  await says('No member of this list is unsubscribed.');
});

const of = 1_000_000;
const pageAt = (at: number, found: string[], members: number): Members => ({
  ...pageOf([], new URLSearchParams()),
  data: found.map(name => person(name)),
  current_page: at,
  last_page: at + 1,
  total: of,
  next_cursor: `${at + 1}`,
  searched: { members, of, complete: false },
});
const stepOf = (query: URLSearchParams) => Number(query.get('cursor') ?? 1);

proof(
  'a search of a list of a million goes back by the pages before, also from one that could not be loaded',
  async () => {
    const ten = (at: number) => Array.from({ length: 10 }, (_, index) => `found${at}.${index}`);
    const found: Answers = { [MEMBERS]: ({ query }) => pageAt(stepOf(query), ten(stepOf(query)), 0) };
    const showsPage = (at: number) => expect.poll(() => names()[0]).toBe(`found${at}.0`);
    const { api, router } = openList([], '?search=found', found);
    await showsPage(1);
    await says('Addresses that begin with this text');
    await press('Next page');
    await showsPage(2);
    expect(button('Last page').query()).toBeNull();
    const again = await reload(router);
    await showsPage(2);
    api.answer({ [MEMBERS]: DOWN });
    await press('Next page');
    await failed();
    await says('Page 3');
    api.answer(found);
    await press('Previous page');
    await showsPage(2);
    api.answer({ [MEMBERS]: DOWN });
    await press('First page');
    await failed();
    api.answer(found);
    await press('Next page');
    await showsPage(1);
    expect(again.state.location.search).toBe('?search=found');
  },
);

proof('a search of a list of a million goes on until it is stopped', async () => {
  const { answer: fourth, release } = held<Members>();
  let isAsked = false;
  openList([], '?search=rare', {
    [MEMBERS]: ({ query }) => {
      const step = stepOf(query);
      isAsked = step === 4;
      return isAsked ? fourth() : pageAt(step, step === 1 ? [] : [`rare${step}`], step * 40_000);
    },
  });
  await says('Searched 40,000 of 1,000,000 members');
  await says('Nothing found so far');
  expect(button('Clear search').query()).toBeNull();
  await press('Search further');
  await says('Searching: 120,000 of 1,000,000 members');
  expect(names()).toEqual(['rare2', 'rare3']);
  await expect.poll(() => isAsked).toBe(true);
  await press('Stop');
  await says('Searched 120,000 of 1,000,000 members');
  await shows(button('Search further'));
  release(pageAt(4, [], 160_000));
});

proof(
  'of a filter that has not read the whole list, those who are found so far can be selected, and nobody else',
  async () => {
    const audience = JSON.stringify({ all: [{ field: 'plan', op: 'is', value: 'pro' }] });
    openList([], `?audience=${encodeURIComponent(audience)}`, {
      [MEMBERS]: pageAt(1, ['ann', 'ben'], 40_000),
    });
    await says('Searched 40,000 of 1,000,000 members');
    await field('Select all on this page').click();
    await says('2 selected');
    expect(
      bar()
        .getByText(/^Select [^a]/)
        .elements(),
    ).toEqual([]);
  },
);

const columnsOf = (columns: string[], members: number, of = members): Answers => ({
  [METADATA]: { columns, values: {}, searched: { members, of, complete: members === of } },
});
const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
const offered = () => textsOf('fieldset label');

proof(
  'the columns of members are chosen from the metadata, names first, and kept for this list in this browser',
  async () => {
    const signedUp = { key: 'signed_up', type: 'datetime', value: '2026-02-28T09:30:00.000Z' } as const;
    const ada = { ...person('ada', { plan: 'team', first_name: 'Ada' }), suppression: 'complaint' } as const;
    const grace = { ...person('grace', { first_name: 'Grace' }), suppression: 'bounce' } as const;
    const { router } = openList(
      [{ ...ada, metadata: [...ada.metadata, signedUp] }, grace],
      '',
      columnsOf(['signed_up', 'plan', 'last_name', 'first_name'], 2),
    );
    await expect.poll(headers).toEqual(['', 'Email', 'Name', 'Status', 'Added', 'Actions']);
    await expect.poll(() => textsOf('tbody td:nth-of-type(3)')).toEqual(['Ada', 'Grace']);
    await expect.poll(() => textsOf('tbody td:nth-of-type(4)')).toEqual(['Complained', 'Bounced']);
    await press('Columns');
    await expect.poll(offered).toEqual(['first_name', 'last_name', 'plan', 'signed_up']);
    expect(field('Search columns').query()).toBeNull();
    await box('signed_up').click();
    await box('first_name').click();
    await answer('Show columns');
    // In the reader’s time zone, like the date in the column Added.
    await expect.poll(() => textsOf('tbody td')).toContain(formatMoment(signedUp.value));
    const chosen = ['', 'Email', 'first_name', 'signed_up', 'Status', 'Added', 'Actions'];
    expect(headers()).toEqual(chosen);
    await reload(router);
    await expect.poll(() => textsOf('tbody td')).toContain('Grace');
    await press('Columns');
    await box('signed_up').click();
    await answer('Cancel');
    expect(headers()).toEqual(chosen);
    expect(localStorage.getItem('membersColumns')).toBe(JSON.stringify({ l1: ['signed_up', 'first_name'] }));
  },
);

proof(
  'the columns of members are found by their names, at most eight, and confirmed without scrolling',
  async () => {
    const columns = Array.from({ length: 40 }, (_, index) => `column ${index}`);
    localStorage.setItem('membersColumns', JSON.stringify({ l1: columns.slice(0, 7) }));
    openList([person('ada')], '', columnsOf(columns, 1));
    await press('Columns');
    await says('7 of at most 8 chosen');
    await expect.poll(offered).toEqual(columns);
    expect(button('Show columns').element().getBoundingClientRect().bottom).toBeLessThan(innerHeight);
    await field('Search columns').fill('none ');
    await says('No column has “none” in its name.');
    await field('Search columns').fill(' COLUMN 39');
    await keys('{Enter}');
    await expect.poll(offered).toEqual(['column 39']);
    await box('column 39').click();
    await says('8 of at most 8 chosen');
    await field('Search columns').fill('');
    await expect.element(box('column 38')).toBeDisabled();
    await answer('Show columns');
    expect(headers().slice(1, 10)).toEqual(['Email', ...columns.slice(0, 7), 'column 39']);
  },
);

proof('the columns of members are chosen by name if no member of the sample has them', async () => {
  const seven = Array.from({ length: 7 }, (_, index) => `column ${index}`);
  localStorage.setItem('membersColumns', JSON.stringify({ l1: seven }));
  const { api } = openList([person('zoe', { nickname: 'Zo' })], '', { [METADATA]: DOWN });
  await press('Columns');
  await says('Failed to fetch data. Please try again');
  api.answer(columnsOf([], 100, 101));
  await pressInDialog('Try again');
  await says(/These are the columns of 100 members out of 101/);
  await pressInDialog('Add');
  await says('Enter the name of a column');
  const another = dialog().getByLabelText('Another column');
  await another.fill('nick/name');
  await keys('{Enter}');
  await says(/^A key must consist of letters from a to z/);
  await another.fill(' nickname');
  await keys('{Enter}');
  await says('8 of at most 8 chosen');
  await expect.element(box('nickname')).toBeChecked();
  await expect.element(another).toHaveValue('');
  await another.fill('ninth');
  await pressInDialog('Add');
  await says('At most 8 columns can be shown');
  await answer('Show columns');
  await shows(page.getByRole('gridcell', { name: 'Zo', exact: true }));
  expect(headers().slice(1, 10)).toEqual(['Email', 'nickname', ...seven]);
});

it('the columns of members are not asked for where no member can have them', async () => {
  const stored = ['__proto__', 'k'.repeat(3000), 'a,b', 'plan'];
  localStorage.setItem('membersColumns', JSON.stringify({ l1: stored }));
  const asked = new Set<string | null>();
  openList([], '', {
    [MEMBERS]: ({ query }) => {
      asked.add(query.get('columns'));
      return pageOf([person('ada', { plan: 'free' })], query);
    },
  });
  await shows(page.getByRole('gridcell', { name: 'free' }));
  expect([...asked]).toEqual(['plan']);
});

const PUT = 'PUT /api/list-members/{listMember}';
const DELETE = 'DELETE /api/list-members/{listMember}';

proof(
  'the Undo of an unsubscription is one for several rows, and what was refused is not one of them',
  async () => {
    const { api, answers, unsubscribed } = openList([
      ...people(3),
      { ...person('zoe'), is_subscribed: false },
    ]);
    await press('Actions for zoe@example.com');
    await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Delete']);
    await keys('{Escape}');
    await isGone(page.getByRole('menu'));
    api.answer({ [PUT]: DOWN });
    await rowAction('person10@example.com', 'Unsubscribe');
    await says('Failed to update subscription status');
    api.answer(answers);
    await rowAction('person11@example.com', 'Unsubscribe');
    await says('person11@example.com was unsubscribed.');
    await rowAction('person12@example.com', 'Unsubscribe');
    await says('2 members were unsubscribed.');
    await press('Undo all');
    await expect.poll(unsubscribed).toEqual(['zoe']);
  },
);

proof('a member of a row is deleted, and is selected no more; a failure stays in its question', async () => {
  const { api, answers } = openList(people(11), '?page=2');
  await select('person20');
  await rowAction('person20@example.com', 'Delete');
  await shows(
    dialog().getByText(/^person20@example\.com is removed from this list, with all metadata in it\./),
  );
  api.answer({ [DELETE]: DOWN });
  await pressInDialog('Delete member');
  await shows(dialog().getByRole('alert'));
  await says('1 selected');
  api.answer({
    [DELETE]: asked => {
      answers[DELETE](asked);
      return refusal(404, 'Member not found');
    },
  });
  await answer('Delete member');
  await says('person20@example.com was deleted.');
  await isGone(bar());
  // Its page is gone with it: the last one is shown.
  await expect.poll(names).toHaveLength(10);
  await says('10 members');
});

it('nobody is found by what is looked for, in words for each, and a button ends it', async () => {
  const audience = encodeURIComponent(JSON.stringify({ all: [{ field: 'plan', op: 'is', value: 'gold' }] }));
  const { router, address, showsFrom } = openList(
    people(2),
    `?search=x&status=subscribed&audience=${audience}`,
  );
  await says('No subscribed member of this list has “x” in the address and matches the filter.');
  await press('Clear search');
  await expect.element(field('Search members')).toHaveFocus();
  await says('No subscribed member of this list matches the filter.');
  await router.navigate('?status=unsubscribed');
  await says('No member of this list is unsubscribed.');
  await press('Show all members');
  await showsFrom(0, 2);
  expect(address()).toBe('');
});

it('a list without members says how some are added: one, a file, or by a program', async () => {
  openList([]);
  await says('No members yet');
  const links = [...document.querySelectorAll('main a')].slice(-4);
  expect(links.map(one => [one.textContent, one.getAttribute('href')])).toEqual([
    ['Add member', '/email-lists/l1/members/new'],
    ['Import CSV', '/email-lists/l1/import'],
    ['API example', '/email-lists/l1?open=example'],
    ['More in the help', '/help#importing-people'],
  ]);
});

proof('members that others add or unsubscribe appear as soon as the counts of the list say so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { api, stored, asked } = openList(people(2));
  await says('2 members');
  stored.set('ada', person('ada'));
  await vi.advanceTimersByTimeAsync(10_000);
  await says('3 members');
  await expect.poll(names).toEqual(['ada', 'person10', 'person11']);
  const before = asked.length;
  const calls = api.count('GET /api/email-lists/l1');
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.poll(() => api.count('GET /api/email-lists/l1')).toBe(calls + 1);
  expect(asked).toHaveLength(before);
  stored.set('ada', { ...person('ada'), is_subscribed: false });
  api.answer({
    'GET /api/email-lists/{list}': { ...list, members_count: 3, total_members: 3, subscribed_members: 2 },
  });
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.poll(() => textsOf('tbody td:nth-of-type(3)')[0]).toBe('Unsubscribed');
});

proof(
  'the parts of a list are tabs: the members first, the chosen one in the URL, all reached by keyboard',
  async () => {
    const { address, api } = openList(people(2), '?search=person1');
    api.answer({ 'GET /api/email-lists/{list}/domain-check': held<DomainCheck>().answer });
    await select('person10');
    await tab('Members').click();
    await keys('{ArrowRight}');
    await says('Unsubscribe (English)');
    expect(address()).toBe('?search=person1&tab=settings');
    // A press in the same frame as the one before would still be that of the tab that has the focus.
    await keys('{ArrowRight}');
    await expect.element(tab('Date columns')).toHaveFocus();
    await keys('{ArrowRight}');
    await expect.element(tab('Domain check')).toHaveFocus();
    await keys('{ArrowRight}');
    await says(list.provider_events_url);
    expect(address()).toBe('?search=person1&tab=mailgun-events');
    await keys('{Home}');
    await says('1 selected');
    expect(address()).toBe('?search=person1');
  },
);

it('an open menu lies above a toast', async () => {
  await page.viewport(390, 620);
  openList(people(12));
  const actions = page.getByRole('button', { name: /^Actions for / }).last();
  await shows(actions);
  for (const word of ['first', 'second', 'third']) toast(`This is the ${word} of three toasts.`);
  await says('This is the third of three toasts.');
  actions.element().scrollIntoView({ block: 'end' });
  await focus(actions);
  await keys('{ArrowDown}');
  const last = page.getByRole('menuitem').last();
  await shows(last);
  const centre = () => {
    const { left, top, width, height } = last.element().getBoundingClientRect();
    return document.elementsFromPoint(left + width / 2, top + height / 2);
  };
  await expect.poll(() => centre().some(one => one.closest('[data-scope=toast]'))).toBe(true);
  expect(centre()[0]?.closest('[role=menuitem]')).toBe(last.element());
});

proof('a toast covers neither the pager nor Logout, however low the window is', async () => {
  openList(people(12));
  const pager = page.getByRole('navigation', { name: 'Pages of Members' });
  await shows(pager);
  toast('This is done.');
  toast('This is done as well, and it takes some more words to say so.');
  await says('This is done.');
  const toasts = () =>
    [...document.querySelectorAll('[data-scope=toast][data-part=root]')].map(one =>
      one.getBoundingClientRect(),
    );
  const isCovered = (other: Locator) => {
    const { top, bottom, left, right } = other.element().getBoundingClientRect();
    return toasts().some(one => one.top < bottom && one.bottom > top && one.left < right && one.right > left);
  };
  for (const height of [620, 760]) {
    await page.viewport(1440, height);
    for (const at of [0, 40, 1000]) {
      scrollTo(0, at);
      // They come in from below.
      await expect.poll(() => toasts().every(({ bottom }) => bottom <= height)).toBe(true);
      await expect.poll(() => isCovered(pager) || isCovered(button('Logout'))).toBe(false);
    }
  }
});

proof('a list and a member show what the table knew of them until they are loaded', async () => {
  const [loadedList, loadedMember] = [held<typeof list>(), held<ListMember>()];
  const { api } = open('/email-lists', {
    ...fakeMembers(people(15)).answers,
    'GET /api/email-lists': [list],
  });
  api.answer({
    ...memberPage(),
    'GET /api/email-lists/{list}': loadedList.answer,
    'GET /api/list-members/{listMember}': loadedMember.answer,
  });
  const fact = (name: string) =>
    [...document.querySelectorAll('dl > div')]
      .find(one => one.querySelector('dt')?.textContent === name)
      ?.querySelector('dd')?.innerText;
  await page.getByRole('grid').getByRole('link', { name: list.name }).click();
  await shows(link('person10@example.com'));
  await expect.element(button('Export to CSV')).toBeDisabled();
  await tab('Settings').click();
  await expect.poll(() => fact('Sender')).toBe('The shop\nhello@example.com');
  await says('This list cannot send yet: it has no sending key.');
  loadedList.release({ ...list, sender_name: 'The other shop' });
  await expect.poll(() => fact('Sender')).toBe('The other shop\nhello@example.com');

  await tab('Members').click();
  await expect.element(button('Export to CSV')).toBeEnabled();
  await link('person10@example.com').click();
  await shows(heading('person10@example.com'));
  expect([fact('List'), fact('Status'), fact('Added')]).toEqual(['Customers', 'Subscribed', 'Jan 5, 2026']);
  await expect.element(button('Unsubscribe')).toBeDisabled();
  expect(page.getByText('No metadata').query()).toBeNull();
  loadedMember.release({ ...person('person10') });
  await expect.element(button('Unsubscribe')).toBeEnabled();
});

const saved = watchSavedFile();
const exported = (name: string) => ({
  email: `${name}@example.com`,
  is_subscribed: true,
  suppression: null,
  metadata: {},
  created_at: '2026-01-05T08:00:00Z',
});

it('the export of a list says how far it is, and goes on after a failure from where it was', async () => {
  const asked: (string | null)[] = [];
  const { answer: waiting, release } = held<void>();
  let isDown = true;
  openList(people(3), '', {
    [EXPORT]: async ({ query }) => {
      const cursor = query.get('cursor');
      asked.push(cursor);
      if (cursor === null) return { data: [exported('ann')], total: 3_000, next_cursor: 'second' };
      await waiting();
      return isDown ? DOWN : { data: [exported('ben')], total: 3_000, next_cursor: null };
    },
  });
  await press('Export to CSV');
  await says('1 of 3,000 members');
  release();
  await shows(
    dialog()
      .getByRole('alert')
      .getByText(/not answering/),
  );
  expect(saved()).toBeUndefined();
  isDown = false;
  await pressInDialog('Continue');
  await says('The file has 2 members.');
  expect(asked).toEqual([null, 'second', 'second']);
  expect(saved()?.name).toMatch(/^Customers_\d{4}-\d\d-\d\d\.csv$/);
  expect((await saved()?.content.text())?.trimEnd().split('\r\n')).toHaveLength(3);
});

proof('the export of a list is cancelled', async () => {
  const { answer: waiting, release } = held<ListExportPage>();
  openList(people(3), '', { [EXPORT]: waiting });
  await press('Export to CSV');
  await answer('Cancel');
  release({ data: [exported('ann')], total: 1, next_cursor: null });
  await press('Columns');
  await says(/^No metadata yet\./);
  expect(saved()).toBeUndefined();
});
