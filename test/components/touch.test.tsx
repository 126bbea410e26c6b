import { expect, it } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import type { RecentSend } from '#shared/reporting.ts';
import { Button } from '#web/components/button.tsx';
import { SearchField } from '#web/components/search-field.tsx';
import { Tooltip } from '#web/components/tooltip.tsx';
import type { Answers } from '../support/components/api.ts';
import {
  ada,
  automation,
  combinationReport,
  list,
  organization,
  profile,
  reportOf,
  reportRow,
  send,
  sendsPage,
} from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import { button, dialog, focus, isGone, press } from '../support/components/page.ts';
import { open, render } from '../support/components/render.tsx';
import { extent } from '../support/prove.ts';

type Asked = { query: URLSearchParams };

const template = reportRow({ id: 'c1', sent: 10, opened: 4, machine_opened: 3, clicked: 2, unsubscribed: 1 });
const recent: RecentSend = {
  id: 'e1',
  recipient: ada.email,
  list_member_id: ada.id,
  email_list: 'Customers',
  automation: 'welcome',
  sent_at: '2026-11-23T08:00:00Z',
  is_opened: true,
  is_clicked: false,
};
const answers: Answers = {
  ...fakeMembers(people(12)).answers,
  'GET /api/email-lists': [list],
  'GET /api/list-members/{listMember}': ada,
  'GET /api/list-member-actions': [],
  'GET /api/list-members/{listMember}/automations/{automation}': {
    automation: { id: automation.id, name: automation.name, repeat: 'days' },
    trigger_column: null,
    trigger_value: null,
    obstacles: [],
    mismatch: null,
    next: null,
    past: [],
    switched: [],
    since: '2026-11-01T00:00:00Z',
  },
  'GET /api/automations-for-templates': [{ id: automation.id, name: automation.name }],
  'GET /api/email-sends': ({ query }: Asked) =>
    sendsPage(query.get('status') === 'failed' ? [] : [{ ...send, status: 'skipped', reason: 'stale' }]),
  'GET /api/reporting/combinations': ({ query }: Asked) => reportOf(query, [template]),
  'GET /api/reporting/combinations/{combination}': ({ query }: Asked) =>
    combinationReport(query, template, [recent]),
};

const TARGETS = 'a[href], button, input, select, summary, [role="tab"]';

/** What is too low to be pressed by a finger. A label belongs to its checkbox. */
const lowTargets = () =>
  [...document.querySelectorAll<HTMLElement>(`main :is(${TARGETS})`)]
    .filter(one => one.checkVisibility())
    .map(one => ({ one, height: (one.closest('label') ?? one).getBoundingClientRect().height }))
    .filter(({ height }) => height < 44)
    .map(({ one, height }) => `${one.getAttribute('aria-label') ?? one.innerText}: ${height}`);

const PAGES: [path: string, shown: () => Locator][] = [
  ['/email-lists', () => button(`Actions for ${list.name}`)],
  ['/email-lists/l1', () => button('Next page')],
  ['/reporting', () => page.getByRole('link', { name: 'Welcome' })],
  ['/reporting/combinations/c1', () => page.getByRole('link', { name: ada.email })],
  ['/sending-log', () => page.getByRole('link', { name: /^View the email/ })],
  ['/list-members/m1', () => page.getByRole('link', { name: /^View skipped/ })],
  ['/list-members/m1?automation=none', () => page.getByText('Nothing was due yet')],
];

it.each(extent(PAGES.slice(0, 3), PAGES))(
  '%s has targets of at least 44 pixels, and is not too wide',
  async (path, shown) => {
    await page.viewport(390, 844);
    open(path, answers);
    await expect.element(shown().first()).toBeVisible();
    expect(lowTargets()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBe(390);
  },
);

it('controls are 44 pixels high, inputs do not make the page zoom, and no tooltip opens', async () => {
  render(
    <>
      <Tooltip text="Sends nothing.">
        <Button>Preview</Button>
      </Tooltip>
      <SearchField label="Search" value="" onSearch={() => undefined} />
    </>,
  );
  const search = page.getByLabelText('Search');
  await expect.element(search).toBeVisible();
  for (const one of [button('Preview'), search])
    expect(one.element().getBoundingClientRect().height).toBe(44);
  expect(getComputedStyle(search.element()).fontSize).toBe('16px');
  await press('Preview');
  await focus(button('Preview'));
  await isGone(page.getByRole('tooltip'));
});

it('on a phone, long entries of the palette keep their lines apart', async () => {
  await page.viewport(390, 844);
  const name = 'Depot_of_the_northern_post_district '.repeat(4).trim();
  open('/profile', {
    ...profile,
    'GET /api/organizations': [organization, { ...organization, id: 2, name, is_default: false }],
    'GET /api/email-lists': [],
    'GET /api/automations': [],
    'GET /api/email-templates': [],
  });
  await press('Open menu');
  await expect.element(dialog().getByText('Ctrl K')).not.toBeVisible();
  await dialog().getByRole('button', { name: 'Search' }).click();
  await expect
    .element(page.getByRole('option', { name: new RegExp(`^Switch to ${name}`) }))
    .toBeInTheDocument();
  const options = page.getByRole('option').elements();
  for (const [index, option] of options.entries()) {
    const next = options[index + 1]?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
    expect(option.getBoundingClientRect().bottom).toBeLessThanOrEqual(next + 0.5);
    expect(option.scrollHeight).toBeLessThanOrEqual(option.clientHeight);
  }
});
