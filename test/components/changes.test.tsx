import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { RecordEntry } from '#shared/record.ts';
import { MOST_EXPORTED } from '#web/lib/save-file.ts';
import { type Answers, DOWN } from '../support/components/api.ts';
import {
  asset,
  assetDetail,
  automation,
  list,
  member,
  organization,
  template,
  templateDetail,
} from '../support/components/examples.ts';
import { button, heading, isGone, leadsTo, press, says, shows } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';

const RECORD = 'GET /api/organizations/{organization}/record';
const saved = watchSavedFile();

const entry = (fields: Partial<RecordEntry>): RecordEntry => ({
  id: `2026-01-05T08:00:00.000Z#${JSON.stringify(fields).length}`,
  at: '2026-01-05T08:00:00.000Z',
  kind: 'automation',
  what: 'changed',
  by: { id: 'u2', name: 'Anna' },
  means: 'app',
  object: { id: automation.id, name: 'welcome_email' },
  changes: {},
  ...fields,
});
const rows = [
  entry({ changes: { active: { from: false, to: true } } }),
  entry({ changes: { every_x_days: { from: 7, to: 14 }, audience: { from: true, to: true } } }),
  entry({
    kind: 'member',
    what: 'changed',
    means: 'token',
    object: { id: 'u3', name: 'Grace' },
    changes: { role: { from: 'USER', to: 'ADMIN' } },
  }),
  entry({ what: 'changed', by: null, means: null, changes: { active: { from: true, to: false } } }),
];

function openChanges(answers: Answers = {}, path = '/access-control/changes') {
  return open(path, {
    [RECORD]: { data: rows, next_cursor: null },
    'GET /api/automations-for-templates': [],
    'GET /api/broadcasts': [],
    'GET /api/automations/{automation}/forecast': DOWN,
    'GET /api/automations/{automation}': { ...automation, active: false },
    'GET /api/organizations/{organization}/members': {
      members: [member],
      next_cursor: null,
      pending_invitations: [],
    },
    ...answers,
  });
}

it('changes are told in words: who did what, from what to what, and by which means', async () => {
  openChanges();
  await shows(heading('Changes'));
  await says('Conditions: changed');
  await says(/^Role: User/);
  const [first = '', , third = '', last = ''] = (await page.getByRole('row').elements())
    .slice(1)
    .map(row => row.textContent ?? '');
  await says('All times are in UTC.');
  expect(first).toContain('Jan 5, 2026, 08:00Anna');
  expect(first).toContain('Switched on automation welcome_email');
  expect(third).toContain('API token');
  expect(last).toContain('Automatic');
  await expect
    .element(page.getByRole('link', { name: 'welcome_email' }).first())
    .toHaveAttribute('href', `/automations/${automation.id}`);
});

it('filters are in the address and in the request, and the file has what they find, page by page', async () => {
  const asked: string[] = [];
  const listed = entry({ changes: { email_list_ids: { from: [], to: ['l9'] } } });
  openChanges(
    {
      [RECORD]: ({ query }) => {
        asked.push(query.toString());
        return query.get('cursor') === 'next'
          ? { data: [rows[1] as RecordEntry], next_cursor: null }
          : {
              data: [query.get('per_page') === '500' ? listed : (rows[0] as RecordEntry)],
              next_cursor: 'next',
            };
      },
      'GET /api/email-lists': [{ ...list, id: 'l9', name: 'Readers' }],
    },
    '/access-control/changes?kind=automation&from=2026-01-01',
  );
  await says(/^Switched on automation/);
  expect(asked[0]).toContain('kind=automation');
  expect(asked[0]).toContain('from=2026-01-01');
  await press('Load more');
  await says(/Every 14 days/);
  expect(asked.filter(query => query.includes('cursor=next'))).toEqual([
    expect.stringContaining('kind=automation'),
  ]);
  await isGone(button('Load more'));
  await press('Export to CSV');
  await expect.poll(() => saved()?.name).toContain('changes_');
  const text = await saved()?.content.text();
  expect(text?.split('\r\n').length).toBe(4);
  // No row that is shown has a list.
  expect(text).toContain('Lists: + Readers');
  expect(text).toContain('Repeats: Every 7 days → Every 14 days; Conditions: changed');
});

it('a file that has not all changes says so', async () => {
  const many = Array.from({ length: MOST_EXPORTED / 2 }, () => rows[0] as RecordEntry);
  openChanges({
    [RECORD]: ({ query }) => ({ data: query.get('per_page') === '500' ? many : rows, next_cursor: 'next' }),
  });
  await press('Export to CSV');
  await says('The file has the newest 50,000 changes.');
  expect((await saved()?.content.text())?.split('\r\n').length).toBeGreaterThan(MOST_EXPORTED);
});

it('changes that could not be loaded are loaded after a retry, and none at all says what will be here', async () => {
  const { api } = openChanges({ [RECORD]: DOWN });
  await says('Failed to load the changes');
  api.answer({ [RECORD]: { data: [], next_cursor: null } });
  await press('Try again');
  await says('No changes yet');
});

it.each([
  ['automations', automation.id],
  ['email-templates', template.id],
  ['email-assets', asset.id],
])('the page of one of %s shows its own last changes to managers', async (path, id) => {
  openChanges(
    {
      'GET /api/email-templates/{emailTemplate}': templateDetail,
      'GET /api/email-assets/{emailAsset}': assetDetail,
      'GET /api/automations-for-assets': [],
    },
    `/${path}/${id}`,
  );
  await shows(heading('Changes'));
  await says(/Every 7 days/);
  await leadsTo('All changes', `/access-control/changes?object=${id}`);
  // What is about something else names it.
  const named = page.getByRole('grid', { name: 'Changes' }).getByRole('link').elements().length;
  expect(named > 0).toBe(id !== automation.id);
});

it('an editor sees no changes of an automation', async () => {
  openChanges(
    { 'GET /api/organizations': [{ ...organization, role: 'USER' }] },
    `/automations/${automation.id}`,
  );
  await shows(heading('Settings'));
  await isGone(heading('Changes'));
});
