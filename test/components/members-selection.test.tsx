import { expect, it } from 'vitest';
import type { BodyInput } from '#shared/routes.ts';
import { DOWN, held, refusal } from '../support/components/api.ts';
import { pageOf, people, person } from '../support/components/members.ts';
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
  rowAction,
  says,
  shows,
} from '../support/components/page.ts';
import { proof } from '../support/proof.ts';

const ACTIONS = 'POST /api/email-lists/{list}/members/actions';

const pressInBar = (name: string) => bar().getByRole('button', { name }).click();
const barSays = (text: string | RegExp) => shows(bar().getByText(text));
const selectAll = () => field('Select all on this page').click();

it('the selected members are all that a search finds, beyond the page', async () => {
  const { api, answering, asked } = openList(people(15), '?search=person&sort=created_at');
  await select('person10');
  await says('1 selected');
  expect(bar().getByText('Select all').query()).toBeNull();
  await selectAll();
  api.answer({ [MEMBERS]: DOWN });
  await pressInBar('Select all 15');
  await barSays('Failed to fetch list members. Please try again');
  api.answer(answering);
  await pressInBar('Select all 15');
  await says('15 selected, 10 on this page');
  expect(`${asked.at(-1)}`).toBe('page=1&per_page=100&search=person&sort=created_at&direction=asc');
  expect(
    bar()
      .getByText(/^Select/)
      .query(),
  ).toBeNull();
  await pressInBar('Unsubscribe');
  await says('15 members unsubscribed.');
  // Below the rows, as it is without a search: the toolbar has no room for it.
  expect(document.querySelector('.foot .count')?.textContent).toBe('15 found in 15 members');
  const body = { action: 'unsubscribe', ids: people(15).map(({ id }) => id) };
  expect(api.changes()).toMatchObject([{ body }]);
});

proof('the selected members are none after Clear, also while all are being selected', async () => {
  const { api, answering } = openList(people(25));
  const { answer: waiting, release } = held<void>();
  await selectAll();
  api.answer({ [MEMBERS]: ({ query }) => waiting().then(() => pageOf(people(25), query)) });
  await pressInBar('Select all 25');
  await pressInBar('Clear selection');
  await isGone(bar());
  release();
  await expect.poll(() => api.count('GET /api/email-lists/l1/members')).toBe(2);
  api.answer(answering);
  await select('person10');
  await says('1 selected');
});

proof(
  'the selected members are tried once more where an action failed, and counted together with the others',
  async () => {
    const { api, answers, subscribed, unsubscribed } = openList(people(12));
    const { answer: waiting, release } = held<void>();
    api.answer({
      [ACTIONS]: async asked => {
        await waiting();
        const failing = asked.body.ids.slice(1, 3);
        const ids = asked.body.ids.filter(id => !failing.includes(id));
        const { results } = answers[ACTIONS]({ ...asked, body: { ...asked.body, ids } });
        return { results: [...results, ...failing.map(id => ({ id, status: 'failed' as const }))] };
      },
    });
    await selectAll();
    await press('Next page');
    await select('person20');
    await says('11 selected, 1 on this page');
    await pressInBar('Unsubscribe');
    await barSays('Unsubscribing 0 of 11');
    release();
    await barSays(/^9 of 11 unsubscribed; 2 failed: Failed to update subscription status/);
    api.answer({ [ACTIONS]: refusal(403, 'You may not do this.') });
    await pressInBar('Retry');
    await barSays(/^9 of 11 unsubscribed; 2 failed: You may not do this/);
    api.answer(answers);
    await pressInBar('Retry');
    await says('11 members unsubscribed.');
    expect(subscribed()).toEqual(['person21']);
    await isGone(bar());
    await press('Undo');
    await says('11 members subscribed again.');
    expect(unsubscribed()).toEqual([]);
    api.answer({ [ACTIONS]: DOWN });
    await select('person20');
    await pressInBar('Unsubscribe');
    await barSays(/^0 of 1 unsubscribed; 1 failed: Failed to update subscription status/);
    await pressInBar('Dismiss');
    await barSays('1 selected');
  },
);

proof(
  'the selected members are deleted, those already deleted by somebody else included, and the previous page is shown',
  async () => {
    const { subscribed, stored } = openList(people(13));
    await press('Next page');
    await expect.poll(names).toHaveLength(3);
    stored.delete('person21');
    await selectAll();
    await pressInBar('Delete members');
    await answer('Delete 3 members');
    await says('3 members deleted.');
    await expect.poll(names).toEqual(subscribed());
    expect(names()).toHaveLength(10);
  },
);

it('the selected members are chosen and deleted by keyboard alone, and the focus is never lost', async () => {
  openList(people(3));
  const isOn = (selector: string) => document.activeElement?.matches(selector);
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 12 && !isOn(selector); presses++) await keys('{Tab}');
    expect(isOn(selector)).toBe(true);
  };
  await expect.poll(names).toHaveLength(3);
  await focus(field('Select all on this page'));
  await tabTo('tbody tr');
  await keys('{ }{ArrowDown}{ }');
  await says('2 selected');
  await tabTo('section[aria-label="Selected members"] button:nth-of-type(2)');
  await keys('{Enter}');
  await shows(dialog());
  await keys('{Tab}{Enter}');
  await says('2 members deleted.');
  await expect.poll(names).toEqual(['person12']);
  await expect.poll(() => isOn('thead input')).toBe(true);
});

/** Selects 1,000 members, after it has unsubscribed the one who is named, if any. `hold` lets later calls wait for `release`. */
async function openThousand(unsubscribed?: string) {
  const opened = openList(people(1_012));
  const { answer: waiting, release } = held<void>();
  if (unsubscribed) {
    await select(unsubscribed);
    await pressInBar('Unsubscribe');
    await says('1 member unsubscribed.');
  }
  await selectAll();
  await pressInBar('Select 1,000, the most at once, of 1,012');
  await says('1,000 selected, 10 on this page');
  const hold = () =>
    opened.api.answer({ [ACTIONS]: asked => waiting().then(() => opened.answers[ACTIONS](asked)) });
  return { ...opened, hold, release };
}

it('a run with 1,000 members is stopped after 500, and continued', async () => {
  const { api, stored, hold, release } = await openThousand();
  hold();
  await pressInBar('Delete members');
  await shows(dialog().getByText(/ and 997 more are removed from this list/));
  await answer('Delete 1,000 members');
  await barSays('Deleting 0 of 1,000');
  await pressInBar('Stop');
  release();
  await barSays('500 of 1,000 deleted; 500 not tried.');
  expect(stored.size).toBe(512);
  await pressInBar('Continue');
  await says('1,000 members deleted.');
  const sizes = api.changes().map(({ body }) => (body as BodyInput<typeof ACTIONS>).ids.length);
  expect(sizes).toEqual([500, 500]);
});

proof('a run with 1,000 members stops when its page is left', async () => {
  const { unsubscribed, router, hold, release } = await openThousand();
  hold();
  await pressInBar('Unsubscribe');
  await barSays('Unsubscribing 0 of 1,000');
  await router.navigate('/profile');
  await shows(heading('Profile'));
  release();
  await says('500 of 1,000 unsubscribed; 500 not tried.');
  expect(unsubscribed()).toHaveLength(500);
});

proof('a run with 1,000 members is waited for by the Undo of what was done before it', async () => {
  const { subscribed, hold, release } = await openThousand('person10');
  await select('person10');
  hold();
  await pressInBar('Delete members');
  await press('Delete 999 members');
  await press('Undo');
  await isGone(button('Undo'));
  await barSays('Deleting 0 of 999');
  await press('Stop');
  const results: string[] = [];
  new MutationObserver(() => {
    for (const alert of bar().getByRole('alert').elements()) results.push(alert.textContent ?? '');
  }).observe(bar().element(), { childList: true, subtree: true });
  release();
  await says('500 of 999 deleted; 499 not tried.');
  await says('1 member subscribed again.');
  // The bar has not shown the result of the run, however short.
  expect(results).toEqual([]);
  expect(subscribed()).toHaveLength(512);
});

/** The first member of the table has unsubscribed themselves since it was loaded. */
async function openTable() {
  const opened = openList(people(3));
  await shows(link('person10@example.com'));
  opened.stored.set('person10', { ...person('person10'), is_subscribed: false });
  return opened.api;
}

it('the Undo of an unsubscription subscribes only those again who were subscribed until then', async () => {
  const api = await openTable();
  await select('person10');
  await field('Select person12@example.com').click({ modifiers: ['Shift'] });
  await pressInBar('Unsubscribe');
  await says('3 members unsubscribed.');
  await press('Undo');
  await says('2 members subscribed again.');
  expect(api.changes().at(-1)?.body).toEqual({ action: 'subscribe', ids: ['person11', 'person12'] });
});

proof(
  'the Undo of an unsubscription is offered in the menu of a row only for who was subscribed until then',
  async () => {
    const api = await openTable();
    await rowAction('person10@example.com', 'Unsubscribe');
    await says('person10@example.com had unsubscribed already.');
    expect(button('Undo').query()).toBeNull();
    await rowAction('person11@example.com', 'Unsubscribe');
    await press('Undo');
    await says('person11@example.com is subscribed again.');
    const body = { is_subscribed: true };
    expect(api.changes().at(-1)).toEqual({ call: 'PUT /api/list-members/person11', body });
  },
);
