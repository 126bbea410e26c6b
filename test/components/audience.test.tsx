import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AudienceCount } from '#shared/forecast.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { automation, list, noChoices } from '../support/components/examples.ts';
import { fakeMembers, person } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  isGone,
  keys,
  link,
  press,
  says,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const customers = { ...list, id: 'a00000000000' };
const churned = { ...list, id: 'b00000000000', name: 'Churned' };
const members = ['pro', 'free', 'pro'].map((plan, index) => person(`person${index}`, { plan }));
const columns: Answers = {
  'GET /api/email-lists/{list}/metadata-columns': {
    columns: ['plan', 'trial_ends'],
    values: { plan: ['pro', 'free', '2030-01-05'], trial_ends: ['2030-01-05'] },
    searched: { members: 3, of: 3, complete: true },
  },
  'GET /api/email-lists/{list}/datetime-metadata-columns': {
    columns: ['trial_ends'],
    stats: { trial_ends: 3 },
  },
};
const COUNT = 'POST /api/audience/count';
const answers: Answers = {
  ...noChoices,
  [COUNT]: { matching: 1204, of: 3310, sampled: null },
  ...columns,
  'GET /api/automations': [automation],
  'GET /api/email-lists': [customers, churned],
  'GET /api/automations/{automation}': { ...automation, email_lists: [customers] },
  'PUT /api/automations/{automation}': automation,
};

const condition = (number: number) => page.getByRole('group', { name: `Condition ${number}`, exact: true });
const control = (number: number, label: string) => condition(number).getByLabelText(label, { exact: true });

const usualOf = (number: number) =>
  [...((control(number, 'Value').element() as HTMLInputElement).list?.options ?? [])].map(
    ({ value }) => value,
  );

function edit(audience: (typeof automation)['audience'] = null, more: Answers = {}) {
  const stored = { ...automation, email_lists: [customers], audience };
  const opened = open('/automations/a1/edit', {
    ...answers,
    'GET /api/automations/{automation}': stored,
    ...more,
  });
  const saves = async (audience: unknown) => {
    await press('Save Automation');
    await expect.poll(() => opened.api.changes().map(({ body }) => body)).toEqual([{ audience }]);
  };
  return { ...opened, saves };
}

it('conditions are built of the columns of the lists, and said in a sentence', async () => {
  const { api, saves } = edit();
  await says('Everybody on the list');
  expect(api.count(`GET /api/email-lists/${customers.id}/metadata-columns`)).toBe(0);
  await press('Add condition');
  await expect.element(control(1, 'Column')).toHaveFocus();
  await says('Complete each condition to see who is meant.');
  await says(/^Each person gets/);
  await expect.element(control(1, 'Column')).toBeValid();
  await control(1, 'Column').selectOptions('plan');
  await expect.element(control(1, 'Operator')).toHaveValue('is');
  for (const operator of ['is not', 'is']) {
    await control(1, 'Operator').selectOptions(operator);
    await expect.poll(() => usualOf(1)).toEqual(['pro', 'free', '2030-01-05']);
  }
  await control(1, 'Value').fill('pro');
  await keys('{Enter}');
  await isGone(page.getByLabelText(/^Members match/));
  await says('Members for whom plan is pro.');
  await says('1,204 of 3,310 subscribed members match now.');

  await press('Add condition');
  await control(2, 'Column').selectOptions('trial_ends');
  await expect.element(control(2, 'Operator')).toHaveValue('before');
  await control(2, 'Days').fill('3');
  await control(2, 'Counted in').selectOptions('days from now');
  await press('Add group');
  await control(3, 'Column').selectOptions('On the list');
  await control(3, 'Operator').selectOptions('is not on');
  await expect.element(control(3, 'Email list')).toHaveDisplayValue('Choose a list');
  await control(3, 'Email list').selectOptions('Churned');
  await press('Add condition to group');
  await control(4, 'Column').selectOptions('Another column');
  await control(4, 'Name of the column').fill('converted_at');
  await control(4, 'Operator').selectOptions('is set');
  await says(
    'Members for whom plan is pro and trial_ends is less than 3 days ahead and (they are not on the list Churned or converted_at is set).',
  );
  await saves({
    all: [
      { field: 'plan', op: 'is', value: 'pro' },
      { field: 'trial_ends', op: 'before', value: { days_ahead: 3 } },
      {
        any: [
          { field: '@list', op: 'not_on', value: churned.id },
          { field: 'converted_at', op: 'set' },
        ],
      },
    ],
  });
});

const plan = (value: string) => ({ field: 'plan', op: 'is' as const, value });

it('of each group it is chosen whether all or any of its conditions must hold', async () => {
  const { saves } = edit({ all: [plan('pro'), { any: [plan('free'), plan('trial')] }] });
  const match = page.getByLabelText(/^Members match/);
  await match.nth(0).selectOptions('any');
  await match.nth(1).selectOptions('all');
  await says('Members for whom plan is pro or (plan is free and plan is trial).');
  await saves({ any: [plan('pro'), { all: [plan('free'), plan('trial')] }] });
});

it('an incomplete condition is not saved, and what the server refuses is said at the conditions', async () => {
  const { api } = edit({
    all: [plan('pro'), { field: '@added', op: 'after', value: '2026-01-05T08:00:00Z' }],
  });
  await expect.element(control(2, 'Date')).toHaveValue('2026-01-05T08:00:00Z');
  await control(1, 'Operator').selectOptions('is greater than');
  await expect.element(control(1, 'Value')).toHaveValue('pro');
  await press('Save Automation');
  await warns('Condition 1: enter a number');
  await expect.element(control(1, 'Value')).toHaveFocus();
  await expect.element(control(1, 'Value')).toHaveAccessibleDescription('Condition 1: enter a number');
  expect(api.changes()).toEqual([]);
  await control(1, 'Value').fill('3');
  await isGone(page.getByText('Condition 1: enter a number'));
  api.answer({
    'PUT /api/automations/{automation}': refusal(422, 'Invalid', { audience: ['Not this way'] }),
  });
  await press('Save Automation');
  await warns('Not this way');
});

proof('a removed condition leaves the focus at the next one, and everybody gets it without any', async () => {
  const { saves } = edit({ any: [plan('pro'), { all: [plan('free'), plan('trial')] }, plan('gold')] });
  await says('Members for whom plan is pro or (plan is free and plan is trial) or plan is gold.');
  const remove = async (number: number) => {
    button(`Remove condition ${number}`).element().focus();
    await keys('{Enter}');
  };
  await remove(1);
  await expect.element(control(1, 'Column')).toHaveFocus();
  await press('Remove group');
  await expect.element(control(1, 'Column')).toHaveFocus();
  await expect.element(control(1, 'Value')).toHaveValue('gold');
  await remove(1);
  await expect.element(button('Add condition')).toHaveFocus();
  await says('Everybody on the list');
  await saves(null);
});

proof('at most 20 conditions can be added, also if the columns cannot be loaded', async () => {
  const { api } = edit(
    { all: Array.from({ length: 19 }, (_, index) => plan(String(index))) },
    { 'GET /api/email-lists/{list}/metadata-columns': DOWN },
  );
  await says('The columns of the lists could not be loaded.');
  await press('Add group');
  await says('At most 20 conditions');
  for (const name of ['Add condition', 'Add group', 'Add condition to group'])
    await expect.element(button(name)).toBeDisabled();
  api.answer(columns);
  await press('Try again');
  await expect.element(control(1, 'Column')).toHaveFocus();
  await control(20, 'Column').selectOptions('trial_ends');
});

it('how many match is counted when the conditions are complete, and a failed count is repeated', async () => {
  const asked: object[] = [];
  const { answer: first, release } = held<AudienceCount>();
  const audience = { all: [plan('pro')] };
  const emailsBy = (conditions: string) => (conditions.includes('gold') ? 0 : 7);
  const { api } = edit(audience, {
    'GET /api/automations/{automation}': {
      ...automation,
      email_lists: [customers],
      audience,
      time_zone_of: 'list',
    },
    'POST /api/automations/forecast': ({ body }) => ({
      days: [],
      total_count: body.audience ? emailsBy(JSON.stringify(body.audience)) : 42,
      next_at: null,
      sampled: null,
      counted_share: 1,
    }),
    [COUNT]: ({ body }) => {
      asked.push(body);
      return first();
    },
  });
  await says('Counting...');
  await says(/ In the next 30 days: 7 emails/);
  await expect
    .poll(() => asked)
    .toEqual([{ email_list_ids: [customers.id], audience, time_zone_of: 'list' }]);
  release({ matching: 1, of: 2, sampled: null });
  await says('1 of 2 subscribed members matches now.');
  api.answer({ [COUNT]: DOWN });
  await control(1, 'Value').fill('');
  await isGone(page.getByText(/match/));
  await control(1, 'Value').fill('gold');
  await says(/ In the next 30 days: 0 emails/);
  await says('How many match could not be counted.');
  api.answer({ [COUNT]: refusal(422, 'This is about too many members') });
  await press('Try again');
  await says('This is about too many members');
  api.answer({
    [COUNT]: { matching: 4_000, of: 50_000, sampled: { people: 10_000, of: 50_000, margin: 90 } },
  });
  await press('Try again');
  await says('About 4,000 of 50,000 subscribed members match now, ± 90: 10,000 members were looked at.');
});

it('the columns of all lists are offered, however many are chosen', async () => {
  const lists = Array.from({ length: 12 }, (_, at) => ({ ...list, id: `d0000000000${at.toString(16)}` }));
  edit(null, {
    'GET /api/automations/{automation}': { ...automation, email_lists: lists },
    'GET /api/email-lists': lists,
    'GET /api/email-lists/{list}/metadata-columns': ({ params }) => ({
      columns: [`of_${lists.findIndex(({ id }) => id === params.list)}`],
      values: {},
      searched: { members: 3, of: 3, complete: true },
    }),
  });
  await press('Add condition');
  const offered = () => [...control(1, 'Column').element().children].map(option => option.textContent);
  await expect.poll(offered).toEqual(expect.arrayContaining(lists.map((_, at) => `of_${at}`)));
});

proof('the columns are those of the lists that are chosen now', async () => {
  edit(
    { all: [plan('pro')] },
    {
      'GET /api/email-lists/{list}/metadata-columns': ({ params }) => ({
        columns: params.list === churned.id ? ['plan', 'left_because'] : ['plan'],
        values: { plan: [params.list === churned.id ? 'gold' : 'pro'] },
        searched: { members: 3, of: 3, complete: true },
      }),
    },
  );
  const offered = () => [...control(1, 'Column').element().children].map(option => option.textContent);
  await expect.poll(offered).toContain('plan');
  expect(offered()).not.toContain('left_because');
  await page.getByRole('checkbox', { name: /^Churned/ }).click();
  await expect.poll(offered).toContain('left_because');
  expect(usualOf(1)).toEqual(['pro', 'gold']);
  await control(1, 'Column').selectOptions('left_because');
  await expect.element(control(1, 'Operator')).toHaveValue('is');
  await page.getByRole('checkbox', { name: /^Churned/ }).click();
  await page.getByRole('checkbox', { name: /^Customers/ }).click();
  await isGone(page.getByText(/subscribed members match/));
  await isGone(page.getByText('Counting...'));
});

proof(
  'a column that nobody has and a list that is deleted stay in a condition, and the columns of the other lists are offered',
  async () => {
    const lists = [customers, churned];
    const audience = {
      any: [
        { field: '@list', op: 'on' as const, value: 'c00000000000' },
        { field: 'city', op: 'set' as const },
      ],
    };
    const { api } = edit(null, {
      'GET /api/automations/{automation}': { ...automation, email_lists: lists, audience },
      'GET /api/email-lists': lists,
      'GET /api/email-lists/{list}/metadata-columns': ({ params }) =>
        params.list === churned.id
          ? refusal(404)
          : { columns: ['plan', 'age'], values: {}, searched: { members: 3, of: 3, complete: true } },
    });
    await says('Members for whom they are on the list (deleted) or city is set.');
    await expect.element(control(1, 'Email list')).toHaveDisplayValue('A deleted list');
    const offered = () => [...control(2, 'Column').element().querySelectorAll('option')].map(one => one.text);
    const special = ['Another column', 'Email address', 'Added', 'On the list'];
    await expect.poll(offered).toEqual(['Choose a column', 'age', 'plan', 'city', ...special]);
    await isGone(page.getByText('The columns of the lists could not be loaded.'));
    expect(api.count('GET /api/organizations')).toBe(1);
    // The one before it, as there is none after it.
    await press('Remove condition 2');
    await expect.element(control(1, 'Column')).toHaveFocus();
    await press('Remove condition 1');
    await says('Everybody on the lists');
  },
);

proof('a value has several words, and what is emptied or left out is wrong at its control', async () => {
  edit({ all: [plan(''), { field: '@added', op: 'after', value: { days_ago: 3 } }] });
  await control(1, 'Value').click();
  await keys('pro plus');
  await expect.element(control(1, 'Value')).toHaveValue('pro plus');
  await control(2, 'Days').fill('');
  await expect.element(control(2, 'Days')).toHaveValue(null);
  await press('Save Automation');
  await warns('Condition 2: enter a date, or a number of days up to 3,650');
  await expect.element(control(2, 'Days')).toHaveFocus();
  await control(2, 'Counted in').selectOptions('date');
  await press('Save Automation');
  await expect.element(control(2, 'Date')).toHaveFocus();
  await control(2, 'Date').fill('2030-01-05');
  await says('Members for whom plan is pro plus and the day they were added is after 2030-01-05.');
  await control(2, 'Counted in').selectOptions('days from now');
  await expect.element(control(2, 'Days')).toHaveValue(null);
  await control(2, 'Days').fill('4');
  await says(/ is more than 4 days ahead\.$/);
  await control(1, 'Column').selectOptions('Another column');
  await press('Save Automation');
  await warns('Condition 1: enter a column');
  const name = control(1, 'Name of the column');
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAccessibleDescription('Condition 1: enter a column');
  await control(1, 'Column').selectOptions('plan');
  await isGone(name);
  await expect.element(control(1, 'Value')).toHaveValue('pro plus');
});

const names = () => textsOf('tbody a').map(text => text?.split('@')[0]);
const openMembers = (search = '') =>
  open(`/email-lists/${customers.id}${search}`, { ...fakeMembers(members).answers, ...answers });
const PRO = `audience=${encodeURIComponent(JSON.stringify({ all: [plan('pro')] }))}`;

it('members are filtered by conditions, which the address keeps and a new automation begins with', async () => {
  const { api, router } = openMembers('?page=2');
  await press('Filter');
  await expect.element(control(1, 'Column')).toHaveFocus();
  await press('Show members');
  await says('Condition 1: choose a column');
  await control(1, 'Column').selectOptions('plan');
  await control(1, 'Value').fill('pro');
  await press('Show members');
  await isGone(dialog());
  await expect.poll(names).toEqual(['person0', 'person2']);
  await says('2 found in 3 members');
  expect(api.count('POST /api/audience/count')).toBe(0);
  await says('Members for whom plan is pro');
  await press('Filter');
  await expect.element(control(1, 'Value')).toHaveValue('pro');
  await control(1, 'Value').fill('free');
  await answer('Cancel');
  expect(names()).toEqual(['person0', 'person2']);
  await reload(router);
  await expect.poll(names).toEqual(['person0', 'person2']);
  await link('Use as condition of a new automation').click();
  await says('Members for whom plan is pro.');
  await expect.element(page.getByRole('checkbox', { name: /^Customers/ })).toBeChecked();
});

it('a new automation begins with the value of a filter, whatever characters it has', async () => {
  openMembers(`?audience=${encodeURIComponent(JSON.stringify({ all: [plan('R&D + #1')] }))}`);
  await link('Use as condition of a new automation').click();
  await says('Members for whom plan is R&D + #1.');
});

proof('a filter that finds nobody says so, and is cleared', async () => {
  const { router } = openMembers(`?${PRO.replace('pro', 'gold')}`);
  await says('No member of this list matches the filter.');
  await button('Clear filter').last().click();
  await expect.poll(names).toEqual(['person0', 'person1', 'person2']);
  expect(document.activeElement).not.toBe(document.body);
  await router.navigate(`?${PRO}`);
  await expect.poll(names).toEqual(['person0', 'person2']);
  await press('Filter');
  await press('Remove condition 1');
  await answer('Show members');
  await expect.poll(names).toEqual(['person0', 'person1', 'person2']);
  expect(router.state.location.search).toBe('');
});

it.each(['{"all":[]}', '{"all":'])('a filter that cannot be read is ignored: %s', async written => {
  openMembers(`?audience=${written}`);
  await expect.poll(names).toEqual(['person0', 'person1', 'person2']);
  await isGone(page.getByRole('region', { name: 'Filter' }));
});
