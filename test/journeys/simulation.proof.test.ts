import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, choose, press, rowAction, says } from '../support/browser/page.ts';
import { newTemplate } from '../support/content.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { switchOff } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PEOPLE = 61;

it('what is promised before an automation is switched on is what the log says when its hours are over', {
  timeout: 600_000,
}, async () => {
  const owner = await newMember(stack);
  const as = { token: owner.token, organization: owner.home.id };
  const list = await newList(stack, owner);
  const key = { mailgun_sending_key: 'key-1' };
  await stack.call('PUT /api/email-lists/{list}/mailgun-key', { ...as, params: { list }, body: key });
  const now = Date.parse((await stack.fetchJson('GET', '/_local/clock')).body.now);
  const due = (hours: number) => ({ signed_up_at: new Date(now - 3 * DAY + hours * HOUR).toISOString() });
  await addMembers(stack, owner, list, [
    ...Array.from({ length: PEOPLE }, (_, at) => ({
      email: `reader${at}@example.com`,
      ...due(2 + (at % 3)),
    })),
    { email: 'dora@example.com' },
    { email: 'emil@example.com', signed_up_at: 'soon' },
  ]);
  const { body: automation } = await stack.call('POST /api/automations', {
    ...as,
    body: {
      name: 'welcome',
      email_list_ids: [list],
      metadata_trigger: 'signed_up_at',
      every_x_days: 6,
      delay_days: 3,
      active: false,
    },
  });

  const page = await visit('/automations', owner);
  await rowAction(page, 'welcome', 'Simulate sending volume');
  for (const text of [
    'Emails that this automation would send during the next 24 hours',
    'Double and triple sends are ignored by the simulation.',
    '2 subscribed members have no readable date in signed_up_at, and get no email.',
    'Nothing will be sent: it has no active content.',
  ]) {
    await says(page, text);
  }
  await newTemplate(stack, owner, { automation_ids: [automation.id] });
  await page.goto(`/automations/${automation.id}`);
  await choose(page, 'More actions', 'Simulate');
  await says(page, `${PEOPLE} Emails to be Sent`);
  await says(page, `${PEOPLE} due · ${PEOPLE} sent`);
  const bars = page.getByRole('list', { name: 'Emails per hour' }).getByRole('listitem');
  expect((await bars.allTextContents()).filter(text => /: 2[01] emails/.test(text))).toHaveLength(3);
  const row = page.getByRole('row', { name: 'reader0@example.com' });
  expect((await row.getByRole('gridcell').allTextContents())[5]).toBe('3');
  await row.getByRole('link', { name: 'Why?' }).click();
  await page
    .getByText(/automation is not active/i)
    .first()
    .waitFor();

  await page.goto(`/automations/${automation.id}`);
  await press(page, 'Activate');
  await page.getByText(`${PEOPLE} people get an email within 24 hours who would not have`).waitFor();
  await answer(page, 'Activate and send');
  await page.getByRole('button', { name: 'Simulate' }).waitFor();
  // Nothing is due in the other hours.
  await stack.advance(5 * 3_600);
  await page.goto('/sending-log');
  await page
    .getByRole('grid', { name: 'Sending log' })
    .getByText(/^reader/)
    .first()
    .waitFor();
  const log = await stack.call('GET /api/email-sends', { ...as, query: { per_page: '100' } });
  expect(log.body.data.map(({ status }: { status: string }) => status)).toEqual(Array(PEOPLE).fill('sent'));
  await switchOff(stack, as);
});
