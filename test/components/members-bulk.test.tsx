import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { BodyInput } from '#shared/routes.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { profile } from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import {
  answer,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  press,
  rowAction,
  says,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const ACTIONS = 'POST /api/email-lists/{list}/members/actions';
const DELETE = 'DELETE /api/list-members/{listMember}';
const bar = () => page.getByRole('region', { name: 'Selected members' });
const pressInBar = (name: string) => bar().getByRole('button', { name }).click();
const barSays = (text: string | RegExp) => expect.element(bar().getByText(text)).toBeVisible();
const names = () =>
  [...document.querySelectorAll('tbody a')].map(({ textContent }) => textContent?.split('@')[0]);
const selectAll = () => field('Select all on this page').click();
const select = (name: string) => field(`Select ${name}@example.com`).click();

/** Opens a list of so many members. */
function openList(count: number, answers: Answers = {}) {
  const fake = fakeMembers(people(count));
  return { ...fake, ...open('/email-lists/l1', { ...fake.answers, ...profile, ...answers }) };
}

it('members for whom an action failed are tried once more, and counted together with the others', async () => {
  const { api, answers, subscribed, unsubscribed } = openList(12);
  const { answer: waiting, release } = held<void>();
  api.answer({
    [ACTIONS]: async asked => {
      await waiting();
      const [second, , , fifth] = asked.body.ids.slice(1);
      const failed = asked.body.ids.filter(id => id === second || id === fifth);
      const ids = asked.body.ids.filter(id => !failed.includes(id));
      const { results } = answers[ACTIONS]({ ...asked, body: { ...asked.body, ids } });
      return { results: [...results, ...failed.map(id => ({ id, status: 'failed' as const }))] };
    },
  });
  await selectAll();
  await says('10 selected');
  await press('Next page');
  await select('person20');
  await says('11 selected, 1 on this page');
  await expect.element(field('Select all on this page')).toBePartiallyChecked();
  await pressInBar('Unsubscribe');
  await barSays('Unsubscribing 0 of 11');
  release();
  await barSays(/^9 of 11 unsubscribed; 2 failed: Failed to update subscription status/);
  expect(unsubscribed()).toHaveLength(9);
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
});

describe('a run with 1,000 members', () => {
  /** Selects the members, and holds the next call. */
  async function openThousand() {
    const opened = openList(1_012);
    const { answer: waiting, release } = held<void>();
    opened.api.answer({ [ACTIONS]: asked => waiting().then(() => opened.answers[ACTIONS](asked)) });
    await selectAll();
    await pressInBar('Select 1,000, the most at once, of 1,012');
    await says('1,000 selected, 10 on this page');
    return { ...opened, release };
  }

  it('is stopped after 500, and continued', async () => {
    const { api, stored, release } = await openThousand();
    await pressInBar('Delete members');
    await expect.element(dialog().getByText(/ and 997 more are removed from this list/)).toBeVisible();
    await answer('Delete 1,000 members');
    await barSays('Deleting 0 of 1,000');
    await pressInBar('Stop');
    release();
    await barSays('500 of 1,000 deleted; 500 not tried.');
    expect(stored.size).toBe(512);
    await pressInBar('Continue');
    await says('1,000 members deleted.');
    expect(stored.size).toBe(12);
    const sizes = api.changes().map(({ body }) => (body as BodyInput<typeof ACTIONS>).ids.length);
    expect(sizes).toEqual([500, 500]);
  });

  it('stops when its page is left', async () => {
    const { unsubscribed, router, release } = await openThousand();
    await pressInBar('Unsubscribe');
    await barSays('Unsubscribing 0 of 1,000');
    await router.navigate('/profile');
    await expect.element(heading('Profile')).toBeVisible();
    release();
    await says('500 of 1,000 unsubscribed; 500 not tried.');
    expect(unsubscribed()).toHaveLength(500);
  });
});

it('all members of the last page are deleted, also one whom somebody else deleted before', async () => {
  const { subscribed, stored } = openList(13);
  await press('Next page');
  await expect.poll(names).toHaveLength(3);
  stored.delete('person21');
  await selectAll();
  await pressInBar('Delete members');
  await answer('Delete 3 members');
  await says('3 members deleted.');
  await expect.poll(names).toEqual(subscribed());
  expect(names()).toHaveLength(10);
});

it('a member is deleted by the menu of their row, and a failure said in the dialog', async () => {
  const { api, answers } = openList(2, { [DELETE]: DOWN });
  await rowAction('person10@example.com', 'Delete');
  await press('Delete member');
  await says('Failed to delete member');
  api.answer(answers);
  await answer('Delete member');
  await says('person10@example.com was deleted.');
  await expect.poll(names).toEqual(['person11']);
});

it('members are selected and deleted by the keyboard alone, and the focus is never lost', async () => {
  openList(3);
  const isOn = (selector: string) => document.activeElement?.matches(selector);
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 12 && !isOn(selector); presses++) await keys('{Tab}');
    expect(isOn(selector)).toBe(true);
  };
  await expect.poll(names).toHaveLength(3);
  await focus(field('Select all on this page'));
  await tabTo('tbody tr');
  await keys('{ }');
  await says('1 selected');
  await keys('{ArrowDown}{ }');
  await says('2 selected');
  await tabTo('section[aria-label="Selected members"] button:nth-of-type(2)');
  await keys('{Enter}');
  await expect.element(dialog()).toBeVisible();
  await keys('{Tab}{Enter}');
  await says('2 members deleted.');
  await expect.poll(names).toEqual(['person12']);
  await expect.poll(() => isOn('thead input')).toBe(true);
  await keys('{ }');
  await says('1 selected');
  await tabTo('section[aria-label="Selected members"] button:last-of-type');
  await keys('{Enter}');
  await expect.poll(() => isOn('thead input')).toBe(true);
  await expect.element(field('Select person12@example.com')).not.toBeChecked();
});
