import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Explanation, Owed } from '#shared/explanation.ts';
import type { PersonExportPage } from '#shared/export.ts';
import type { ChangedListMember, ListMember } from '#shared/list-member.ts';
import type { Answer } from '#shared/routes.ts';
import { REASONS } from '#shared/send-status.ts';
import { SUPPRESSED } from '#shared/suppression.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import {
  ada,
  automation,
  broadcast,
  list,
  organization,
  profile,
  send,
  sendsPage,
  storedPerson,
} from '../support/components/examples.ts';
import { fakeMembers, memberPage, people } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  field,
  heading,
  isGone,
  leadsTo,
  link,
  menuItem,
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

const MEMBER = '/list-members/m1';
const PUT = 'PUT /api/list-members/{listMember}';
const DELETE = 'DELETE /api/list-members/{listMember}';
const openMember = (fields: Partial<ListMember> = {}, answers: Answers = {}, search = '') =>
  open(MEMBER + search, { ...memberPage({ ...ada, ...fields }), ...answers });

const openForm = (answers: Answers = {}) =>
  open('/email-lists/l1/members/new', {
    'GET /api/email-lists/{list}': list,
    'GET /api/email-lists': [list],
    'POST /api/list-members': ada,
    ...answers,
  });
const [key, value] = [() => field('Key'), () => field('Value')];

proof('each key of a new member’s metadata is unique', async () => {
  const { api } = openForm();
  await field('Email').fill(ada.email);
  await press('Add metadata');
  await press('Remove row 1');
  await expect.element(button('Add metadata')).toHaveFocus();
  await press('Add metadata');
  await key().fill('plan');
  await value().fill('007');
  await says('Text');
  await press('Add metadata');
  await key().nth(1).fill('plan');
  await value().nth(1).fill('2026-02-30');
  await press('Add and continue');
  await says('This key is there already');
  await key().nth(1).fill('signed_up');
  await press('Add and continue');
  await says('This date does not exist');
  await value().nth(1).fill('2026-02-28T09:30:00Z');
  expect(api.changes()).toEqual([]);
  await press('Add and continue');
  await says('ada@example.com was added.');
  expect(key().elements()).toEqual([]);
  await expect.element(field('Email')).toHaveValue('');
  await expect.element(field('Email')).toHaveFocus();
  const metadata = { plan: '007', signed_up: '2026-02-28T09:30:00Z' };
  expect(api.changes()).toMatchObject([{ body: { email: ada.email, metadata } }]);
  api.answer({ 'POST /api/list-members': { ...ada, is_subscribed: false } });
  await field('Email').fill(ada.email);
  await press('Add and continue');
  await says('ada@example.com unsubscribed before, and was therefore added as unsubscribed.');
  await field('Email').fill(ada.email);
  await page.getByRole('checkbox', { name: 'Subscribed' }).click();
  await press('Add metadata');
  await press('Add and continue');
  await expect.poll(() => api.changes()).toHaveLength(3);
  const left = { email_list_id: 'l1', email: ada.email, is_subscribed: false, metadata: {} };
  expect(api.changes().at(-1)?.body).toEqual(left);
});

it('a date that is not in ISO 8601 is offered so, and may be kept as text', async () => {
  const { api } = openForm();
  await field('Email').fill(ada.email);
  await press('Add metadata');
  await key().fill('signed_up');
  await value().fill('11/22/2026');
  await says('Text: not read as a date.');
  await press('Use 2026-11-22');
  await expect.element(value()).toHaveFocus();
  const hint = `Starts at 00:00 UTC: ${formatMoment('2026-11-22')} in your time zone`;
  await says(hint.replaceAll(/\s/g, ' '));
  expect(page.getByText('not read as a date').query()).toBeNull();
  await press('Add metadata');
  await key().nth(1).fill('born');
  await value().nth(1).fill('03/04/1990');
  await shows(button('Use 1990-03-04'));
  await shows(button('Use 1990-04-03'));
  await press('Add and continue');
  await says('ada@example.com was added.');
  const metadata = { signed_up: '2026-11-22', born: '03/04/1990' };
  expect(api.changes()).toMatchObject([{ body: { metadata } }]);
});

proof('a member who cannot be added stays in the form, with the words of the server or its own', async () => {
  const { api } = openForm();
  await field('Email').fill('grace@example.com');
  for (const [reply, message] of [
    [DOWN, 'An unexpected error occurred. Please try again.'],
    [new Response('', { status: 500 }), 'An error occurred: this email may already be in the list'],
    [refusal(500, 'Out of paper.'), 'An error occurred: Out of paper.'],
    [refusal(422, 'Invalid', { email: ['This address is blocked'] }), 'This address is blocked'],
  ] as const) {
    api.answer({ 'POST /api/list-members': reply });
    await press('Add member');
    await says(message);
  }
  await expect.element(field('Email')).toHaveValue('grace@example.com');
  await expect.element(field('Email')).toHaveAccessibleErrorMessage('This address is blocked');
});

proof('a member who was just added is counted at once, while the counts of the server follow', async () => {
  const signedUp = { key: 'signed_up_at', type: 'datetime', value: '2026-01-05T08:00:00.000Z' } as const;
  const { api } = openForm({
    ...fakeMembers([]).answers,
    'GET /api/email-lists/{list}': list,
    'POST /api/list-members': { ...ada, metadata: [signedUp] },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await field('Email').fill(ada.email);
  await press('Add member');
  await says('1 member · 1 subscribed · 0 unsubscribed');
  await tab('Date columns').click();
  const columns = page.getByRole('tabpanel', { name: 'Date columns' });
  await expect.element(columns.getByRole('listitem')).toHaveTextContent('signed_up_at1 member');
  expect(api.count('GET /api/email-lists/l1')).toBeGreaterThan(1);
  // By then, the server has counted them.
  await vi.advanceTimersByTimeAsync(60_000);
  await says('0 members · 0 subscribed · 0 unsubscribed');
});

type Action = Answer<'GET /api/list-member-actions'>[number];
const action = (
  type: Action['type'],
  formatted_metadata: Action['formatted_metadata'] = {},
  metadata: Action['metadata'] = {},
): Action => ({
  id: JSON.stringify([type, formatted_metadata, metadata]),
  type,
  created_at: '2026-01-05T08:00:00Z',
  metadata,
  formatted_metadata,
});

it('the activity of a member has a line for each of what happened, in its own words', async () => {
  const subject = 'Hello';
  const sent = { subject, automation_name: 'welcome', source: 'Automation' };
  const destination_url = 'https://example.com/shop';
  const first = action('email_sent', sent, { email_send_id: 's1' });
  const all = [
    first,
    action('email_sent', { ...sent, source: 'Test' }, { status: 'unknown' }),
    action('email_sent'),
    action('open', { subject, source: 'Apple Mail' }, { email: first.id }),
    action('open', { subject, source: 'A proxy' }, { source: 'machine' }),
    action('click', { subject, destination_url, asset_type: 'cta_url', source: 'Safari' }),
    action('click', { destination_url, asset_type: 'other', subject: 'other' }),
    action('bounce', { source: 'Mailbox full', subject }),
    action('complaint', { source: 'Reported as spam', subject }),
    action('unsubscribe', { source: 'Link in an email' }),
    action('import', { source: 'people.csv' }),
    action('subscribe', { source: 'API' }),
  ];
  const due = '2026-01-06T09:30:00Z';
  const skipped = { ...send, id: 'skip', status: 'skipped', reason: 'stale', sent_at: due } as const;
  const failed = { ...send, id: 'fail', status: 'failed', reason: 'refused', sent_at: due } as const;
  const earlier = { ...skipped, id: 'earlier', sent_at: '2026-01-05T07:58:00Z' };
  const EXPLAIN = 'GET /api/list-members/{listMember}/automations/{automation}';
  const { api, router } = openMember(
    {},
    {
      'GET /api/list-member-actions': all,
      'GET /api/email-sends': ({ query }) =>
        sendsPage(query.get('status') === 'failed' ? [failed] : [skipped, earlier]),
      [EXPLAIN]: explanation,
    },
  );
  const lines = () =>
    [...document.querySelectorAll('[aria-label=Activity] tbody tr[tabindex]')].map(row =>
      [...row.querySelectorAll('td')]
        .slice(0, 2)
        .map(one => one.innerText.replaceAll('\n', ' | '))
        .join(': '),
    );
  await expect
    .poll(lines)
    .toEqual([
      `Email skipped: ${REASONS.stale}. | Automation ${send.automation_name}`,
      `Email failed: ${send.subject} | Automation ${send.automation_name} · ${REASONS.refused}.`,
      'Email sent: Hello | Opened · Automation welcome',
      'Email, perhaps sent: Hello | Automation welcome · Test',
      'Email sent: Its content cannot be found any more',
      'Opened: Hello | Apple Mail',
      'Opened | Automated: Hello | A proxy',
      `Clicked: ${destination_url} | CTA URL · Safari · Hello`,
      `Clicked: ${destination_url} | other`,
      'Bounced: Mailbox full | Hello',
      'Complained: Reported as spam | Hello',
      'Unsubscribed: Link in an email',
      'Imported: people.csv',
      'Subscribed: API',
    ]);
  await says('The newest 14 entries. Older ones are not shown.');
  expect(textsOf('[aria-label=Activity] tr.group')).toEqual(['Tue, Jan 6, 2026', 'Mon, Jan 5, 2026']);
  await link(/^View skipped email/).click();
  await shows(dialog().getByText('Due, and skipped'));
  await shows(dialog().getByText('Nothing recorded').first());
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await isGone(dialog());
  api.answer({ 'GET /api/email-sends/{emailSend}': DOWN, 'GET /api/email-sends/{emailSend}/content': DOWN });
  expect(page.getByRole('link', { name: /^View email/ }).elements()).toHaveLength(3);
  await link('View email: Hello').first().click();
  await shows(dialog().getByText('The email could not be loaded. Please try again.').first());
  expect(router.state.location.search).toBe('?email=s1');
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await isGone(dialog());
  const many = Array.from({ length: 30 }, (_, at) => action('open', { source: `Reader ${at}` }));
  const added = action('subscribe', {}, { source: 'added' });
  api.answer({ 'GET /api/list-member-actions': [...many, added], 'GET /api/email-sends': sendsPage([]) });
  const again = await reload(router);
  await says('31 entries');
  expect(lines()).toHaveLength(25);
  await press('Next page');
  await expect.poll(lines).toHaveLength(6);
  api.answer({ 'GET /api/list-member-actions': DOWN });
  await reload(again);
  await says('The activity could not be loaded.');
  api.answer({ 'GET /api/list-member-actions': [] });
  await press('Try again');
  await says('No activity yet');
});

it('an email of the activity and its trigger are in UTC, which is said once', async () => {
  const [created_at, trigger_metadata] = ['2026-11-25T00:03:00Z', '2026-11-25T09:30:00Z'];
  const formatted_metadata = { subject: 'Hello', trigger_metadata };
  const action = { id: 'x1', type: 'email_sent' as const, created_at, metadata: {}, formatted_metadata };
  openMember({}, { 'GET /api/list-member-actions': [action] });
  const row = page.getByRole('grid', { name: 'Activity' }).getByRole('row', { name: /Email sent/ });
  const shown = () => row.query()?.textContent;
  await expect.poll(shown).toContain('Trigger Nov 25, 2026, 09:30');
  expect(shown()).toContain('00:03');
  await says('Wed, Nov 25, 2026');
  expect(document.querySelector('main')?.innerText.match(/UTC/g)).toHaveLength(1);
});

it('the metadata of a member is added to, changed, removed, and brought back by Undo', async () => {
  let stored: ListMember['metadata'] = [
    { key: 'plan', type: 'string', value: '12.5' },
    { key: 'signed_up', type: 'datetime', value: '2026-02-28T09:30:00Z' },
  ];
  const typed = (key: string, value: unknown) => {
    if (typeof value === 'number') return { key, type: 'number', value } as const;
    const type = String(value).startsWith('2026') ? 'datetime' : 'string';
    return { key, type, value: String(value) } as const;
  };
  const { api } = openMember(
    {},
    {
      'GET /api/list-members/{listMember}': () => ({ ...ada, metadata: stored }),
      [PUT]: ({ body: { metadata = {} } }) => {
        const others = stored.filter(({ key }) => !(key in metadata));
        const set = Object.entries(metadata).filter(([, value]) => value !== null);
        const all = [...others, ...set.map(([key, value]) => typed(key, value))];
        stored = all.toSorted((a, b) => a.key.localeCompare(b.key));
        return { ...ada, metadata: stored, was_subscribed: true };
      },
    },
  );
  const shown = () => textsOf('[aria-label=Metadata] tbody tr');
  const [plan, signedUp] = ['planText12.5', 'signed_upDateFeb 28, 2026, 09:30'];
  await expect.poll(shown).toEqual([plan, signedUp]);
  await says('2 values');
  await press('Add metadata');
  await says('Text, a number, true or false, or a date such as 2026-11-21.');
  await key().fill('plan');
  await value().fill('12.5');
  await pressInDialog('Save');
  await says('This key is there already');
  await key().fill('orders');
  await says('Kept as: number');
  await pressInDialog('Save');
  await says('Metadata added.');
  await rowAction('signed_up', 'Edit');
  await value().fill('2026-03-01');
  await pressInDialog('Save');
  await says('Metadata saved.');
  await rowAction('plan', 'Remove');
  await says('plan was removed.');
  const isNextFocused = () => expect.poll(() => document.activeElement?.textContent).toContain('signed_up');
  await isNextFocused();
  await expect.poll(shown).toEqual(['ordersNumber12.5', 'signed_upDateMar 1, 2026']);
  await press('Undo');
  await isNextFocused();
  await expect.poll(shown).toHaveLength(3);
  const sent = api.changes().map(({ body }) => (body as { metadata: object }).metadata);
  expect(sent).toEqual([{ orders: 12.5 }, { signed_up: '2026-03-01' }, { plan: null }, { plan: '12.5' }]);
});

proof('metadata that was removed does not come back where removing the next fails', async () => {
  const metadata = ['plan', 'city'].map(key => ({ key, type: 'string' as const, value: 'any' }));
  const withoutPlan: ChangedListMember = { ...ada, metadata: metadata.slice(1), was_subscribed: true };
  const [plan, city] = [held<ChangedListMember>(), held<Response>()];
  let stored: ListMember = { ...ada, metadata };
  openMember(
    {},
    {
      'GET /api/list-members/{listMember}': () => stored,
      [PUT]: ({ body }) => (body.metadata && 'plan' in body.metadata ? plan.answer() : city.answer()),
    },
  );
  const row = (key: string) => page.getByRole('gridcell', { name: key });
  await rowAction('plan', 'Remove');
  await isGone(row('plan'));
  await rowAction('city', 'Remove');
  await isGone(row('city'));
  stored = withoutPlan;
  plan.release(withoutPlan);
  await says('plan was removed.');
  city.release(refusal(422, 'Not now'));
  await says('Not now');
  await shows(row('city'));
  await isGone(row('plan'));
});

proof('metadata that is refused says why at its value, and what was not changed is not sent', async () => {
  const note = `${'long '.repeat(20)}\nnote`;
  const long = () => dialog().getByLabelText('Value', { exact: true });
  const { api } = openMember(
    { metadata: [{ key: 'note', type: 'string', value: note }] },
    { [PUT]: refusal(422, 'Invalid', { note: ['Too much of it'] }) },
  );
  const shown = page.getByRole('region', { name: 'Value of note' });
  await shows(shown);
  expect(shown.element().textContent).toBe(note);
  await rowAction('note', 'Edit');
  await expect.element(key()).toHaveAttribute('readonly');
  await expect.element(long()).toHaveFocus();
  expect(long().element().tagName).toBe('TEXTAREA');
  await pressInDialog('Save');
  await isGone(dialog());
  expect(api.changes()).toEqual([]);
  await rowAction('note', 'Edit');
  await long().fill('short');
  await pressInDialog('Save');
  await expect.element(long()).toHaveAccessibleErrorMessage('Too much of it');
  api.answer({ [PUT]: refusal(409, 'Changed by somebody else.') });
  await pressInDialog('Save');
  await shows(dialog().getByText('Changed by somebody else.'));
  await expect.element(long()).toHaveValue('short');
  await expect.poll(() => textsOf('[aria-label=Metadata] tbody tr')).toEqual([`noteText${note}`]);
  api.answer({ [PUT]: { ...ada, metadata: [], was_subscribed: true } });
  await answer('Cancel');
  await rowAction('note', 'Remove');
  await says('No metadata yet');
  api.answer({ [PUT]: DOWN });
  await press('Undo');
  await says(/is not answering/);
});

proof(
  'a member has facts: their list, when they were added and changed, and what can be copied',
  async () => {
    openMember({ updated_at: '2026-02-06T12:00:00Z' }, fakeMembers([]).answers);
    await expect
      .poll(() => textsOf('dl > div').slice(0, 4))
      .toEqual(['ListCustomers', 'StatusSubscribed', 'AddedJan 5, 2026', 'UpdatedFeb 6, 2026']);
    for (const [name, text] of [
      ['Copy ID', 'm1'],
      ['Copy address', ada.email],
    ] as const) {
      await press(name);
      await expect.poll(() => navigator.clipboard.readText()).toBe(text);
    }
    await leadsTo('Customers', '/email-lists/l1');
  },
);

it('a suppressed member cannot be subscribed, and the page says why', async () => {
  openMember({ is_subscribed: false, suppression: 'bounce' });
  await says(SUPPRESSED.bounce);
  await shows(page.getByRole('definition').getByText('Bounced', { exact: true }));
  await expect.element(button('Subscribe')).toBeDisabled();
});

proof(
  'a change of the subscription that is refused is taken back, and one that was made before has no Undo',
  async () => {
    const { api } = openMember();
    const { answer: waiting, release } = held<Response>();
    api.answer({ [PUT]: waiting });
    await press('Unsubscribe');
    await shows(page.getByRole('definition').getByText('Unsubscribed', { exact: true }));
    release(refusal(422, 'Not now'));
    await says('Not now');
    await shows(page.getByRole('definition').getByText('Subscribed', { exact: true }));
    api.answer({ [PUT]: DOWN });
    await press('Unsubscribe');
    await says('Failed to update subscription status');
    api.answer({ [PUT]: { ...ada, is_subscribed: false, was_subscribed: false } });
    await press('Unsubscribe');
    await says('Unsubscribed.');
    await isGone(button('Undo'));
    api.answer({ [PUT]: { ...ada, is_subscribed: true, was_subscribed: false } });
    await press('Subscribe');
    await shows(dialog().getByText(/^ada@example\.com is unsubscribed\./));
    await answer('Subscribe');
    await says('Subscribed.');
    api.answer({ [PUT]: { ...ada, is_subscribed: false, was_subscribed: true } });
    await press('Undo');
    await shows(button('Subscribe'));
    const sent = api.changes().map(({ body }) => (body as { is_subscribed: boolean }).is_subscribed);
    expect(sent).toEqual([false, false, false, true, false]);
  },
);

proof(
  'a member who cannot be deleted stays; once they are, the list is shown in place of their page',
  async () => {
    const { api, router } = openMember({}, { ...fakeMembers([]).answers, ...memberPage(), [DELETE]: DOWN });
    await chooseMore('Delete');
    await shows(dialog().getByText(/^ada@example\.com is removed from Customers, with all metadata in it\./));
    await pressInDialog('Delete member');
    await shows(dialog().getByRole('alert'));
    api.answer({ [DELETE]: undefined });
    await answer('Delete member');
    await says('ada@example.com was deleted from Customers.');
    await expect.poll(() => router.state.location.pathname).toBe('/email-lists/l1');
    expect(router.state.historyAction).toBe('REPLACE');
  },
);

proof(
  'a member who was opened from a page of their list is deleted, and that page is shown again',
  async () => {
    const { answers } = fakeMembers([...people(10), { ...ada, email: 'z@example.com' }]);
    const { router } = open('/email-lists/l1?page=2', {
      ...answers,
      ...memberPage({ ...ada, email: 'z@example.com' }),
    });
    await link('z@example.com').click();
    await chooseMore('Delete');
    await answer('Delete member');
    await says('z@example.com was deleted from Customers.');
    await expect.poll(() => router.state.location.search).toBe('?page=2');
    expect(router.state.historyAction).toBe('POP');
    await expect.poll(() => textsOf('tbody a')).toHaveLength(10);
  },
);

proof('somebody who left the page of a member who is being deleted stays where they went', async () => {
  const { answer, release } = held<Response>();
  const { api, router } = openMember({}, { ...profile, [DELETE]: answer });
  await chooseMore('Delete');
  await pressInDialog('Delete member');
  await expect.poll(() => api.changes()).toHaveLength(1);
  await router.navigate('/profile');
  await shows(heading('Profile'));
  release(new Response(null, { status: 204 }));
  await says(/was deleted from/);
  // Nor is the code of another page being loaded.
  expect(router.state.navigation.state).toBe('idle');
  expect(router.state.location.pathname).toBe('/profile');
});

const welcome = { id: automation.id, name: automation.name };
const owed = (day: number, changed: Partial<Owed>): Owed => ({
  due_at: `2026-03-0${day}T10:00:00Z`,
  number: day,
  copy: 1,
  status: 'unrecorded',
  reason: null,
  sent_at: null,
  share: null,
  other_list: null,
  earns_more: null,
  ...changed,
});
const next = { due_at: '2026-03-04T10:00:00Z', number: 4, copy: 1, held_since: null, skipped: null };
const explanation: Explanation = {
  automation: { ...welcome, repeat: 'days' },
  trigger_column: 'signed_up_at',
  trigger_value: '2026-03-01T10:00:00Z',
  obstacles: [],
  mismatch: null,
  next,
  past: [
    owed(3, { status: 'skipped', reason: 'capped:max_emails_24_hours' }),
    owed(2, {}),
    owed(2, { copy: 2, status: 'no_match' }),
    owed(1, { status: 'sent', sent_at: '2026-03-01T10:00:30Z', other_list: 'Customers' }),
  ],
  since: '2026-02-20T08:00:00Z',
  switched: [{ at: '2026-02-28T08:00:00Z', what: 'automation', on: true, by: 'Grace' }],
};
const openExplained = (found: Partial<Explanation>, automations = [welcome], search = '') =>
  openMember(
    {},
    {
      'GET /api/automations-for-templates': automations,
      'GET /api/list-members/{listMember}/automations/{automation}': { ...explanation, ...found },
    },
    search,
  );

it('the page of a member explains, for an automation that one chooses, what became of each email', async () => {
  const once = { ...explanation.automation, repeat: 'once' } as const;
  const { api, router } = openExplained({ automation: once }, [welcome, { id: 'a2', name: 'trial_ends' }]);
  await link('Why was it sent, or not?').click();
  await field('Automation').selectOptions(automation.name);
  await says('The member had as many emails as the safeguards allow within 24 hours.');
  await says(/^Nothing is recorded of it/);
  await says('Nothing recorded');
  await says('Not due');
  await says(/^The sending log has what was sent and what was skipped/);
  await says(/^The member does not match the conditions of the automation now/);
  await says(/^From the list Customers/);
  await says('Mar 4, 2026, 10:00 (email 4)');
  await says(/^signed_up_at: Mar 1, 2026, 10:00/);
  await says(/^Once per date: a date on another day starts it anew/);
  await says('Feb 28, 2026, 08:00: automation on, by Grace');
  await says('4 emails');
  expect(textsOf('[aria-label="Emails that were due"] tbody td:nth-of-type(2)')).toEqual([
    'Email 3',
    'Email 2',
    'Email 2, second copy',
    'Email 1',
  ]);
  expect(router.state.location.search).toBe(`?automation=${automation.id}`);
  expect(api.count(`GET /api/list-members/m1/automations/${automation.id}`)).toBe(1);
  await field('Automation').selectOptions('Choose an automation');
  await isGone(page.getByRole('grid', { name: 'Emails that were due' }));
  expect(router.state.location.search).toBe('?automation=none');
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await isGone(dialog());
  expect(router.state.location.search).toBe('');
});

it('the page of a member explains, for the automation of the address, what is in the way', async () => {
  const others = [welcome, { id: 'a2', name: 'trial_ends' }];
  const mismatch = 'Plan is free; this automation is for Plan is pro';
  const at = '2026-02-28T08:00:00Z';
  const switched: Explanation['switched'] = [
    { at, what: 'automation', on: false, by: 'operator' },
    { at, what: 'list', on: true, by: null },
  ];
  const waits = { ...next, held_since: '2026-03-03T22:30:00Z', skipped: 'capped:max_emails_1_week' as const };
  const explained = { obstacles: ['automation_off', 'no_key', 'no_match'], mismatch, switched } as const;
  // A newer API may name reasons and states that an open page does not know.
  const other = 'other' as never;
  const past = (
    [other, 'sent', 'failed', 'unknown', 'waiting', 'starts_nothing', 'zone_passed'] as const
  ).map((status, at) => owed(at + 1, { status, sent_at: '2026-03-01T10:00:30Z' }));
  openExplained(
    { ...explained, obstacles: [...explained.obstacles, other], next: waits, past },
    others,
    `?automation=${automation.id}`,
  );
  await says('the automation is not active');
  await says('the list has no sending key');
  await says('for another reason');
  await says(mismatch);
  await says(
    'None as things are. Otherwise: Mar 4, 2026, 10:00 (email 4). It would wait from Mar 3, 2026, 22:30 until then, for quiet hours to end.',
  );
  await says('Feb 28, 2026, 08:00: automation off, by the operator');
  await says('Feb 28, 2026, 08:00: list on');
  expect(textsOf('[aria-label="Emails that were due"] tbody td:nth-of-type(3)')).toEqual([
    'Not known',
    'Sent',
    'Failed',
    'Unknown',
    'On its wayIt is being sent.',
    'Not dueThe import that added the member started nothing.',
    expect.stringMatching(/^Too lateIts time had passed/),
  ]);
});

proof('the page of a member says that there is no automation, and leads to a new one', async () => {
  openMember();
  await link('Why was it sent, or not?').click();
  await says('No automations yet');
  await leadsTo('Create automation', '/automations/new');
  expect(field('Automation').query()).toBeNull();
});

proof(
  'the page of a member explains, after a failure to load it, that nothing is in sight, and the only reason',
  async () => {
    const EXPLAIN = 'GET /api/list-members/{listMember}/automations/{automation}';
    const failed = owed(1, { number: null, copy: 3, status: 'failed' });
    const nothing = { trigger_column: null, trigger_value: null, next: null, past: [failed], switched: [] };
    const started_at = '2026-03-01T08:00:00Z';
    const { api } = openMember(
      {},
      {
        'GET /api/automations-for-templates': [welcome],
        'GET /api/broadcasts': [broadcast, { ...broadcast, id: 'B00000000000', name: 'Sale', started_at }],
        [EXPLAIN]: DOWN,
      },
    );
    await link('Why was it sent, or not?').click();
    await says('This could not be loaded.');
    // One that has not begun was due to nobody.
    const options = () => textsOf('select[aria-label=Automation] option');
    await expect.poll(options).toEqual(['Choose an automation', automation.name, 'Sale (broadcast)']);
    api.answer({ [EXPLAIN]: { ...explanation, ...nothing, obstacles: ['not_subscribed'] } });
    await press('Try again');
    await says('Nothing is sent: the member is not subscribed.');
    await says('When they were added');
    await shows(page.getByRole('definition').getByText('None', { exact: true }));
    await shows(page.getByRole('row', { name: /Of an earlier schedule, third copy Failed/ }));
    await isGone(page.getByText('Switched in this time:'));
    await isGone(page.getByText(/^Once per date/));
  },
);

it('the only automation is explained without a choice: what would skip its next email, and until when it waits', async () => {
  const waits = { ...next, held_since: '2026-03-03T22:30:00Z', skipped: 'capped:max_emails_1_week' as const };
  openExplained({ next: waits, past: [], switched: [] });
  await link('Why was it sent, or not?').click();
  await says(/It waits from Mar 3, 2026, 22:30 until then, for quiet hours to end\./);
  await says(/As things are, it would be skipped: the member had as many emails/);
  await isGone(page.getByText(/^The sending log has/));
  await says('Nothing was due yet');
});

const PERSON = 'POST /api/recipients/export';
const ERASE = 'POST /api/recipients/erase';
const saved = watchSavedFile();
const at = '2026-01-05T08:00:00Z';

async function chooseMore(action: string) {
  await expect.element(button('More actions')).toBeEnabled();
  await press('More actions');
  await menuItem(action).click();
}

it('all that is stored about a member is saved, part by part', async () => {
  const left = { number: 2, type: 'removed', at };
  const email: PersonExportPage['emails'][number] = {
    number: 1,
    list_id: 'l1',
    list_name: null,
    automation_id: 'a1',
    automation_name: 'Deleted',
    combination_id: 'c1',
    status: 'sent',
    at,
    subject: 'Hello',
    happened: {},
  };
  const page = storedPerson('Customers', 'Readers');
  openMember(
    {},
    {
      ...profile,
      [PERSON]: ({ body }) =>
        body.cursor
          ? { ...storedPerson('Friends'), journal: [left], emails: [email] }
          : { ...page, next_cursor: 'next' },
    },
  );
  await chooseMore('Export data');
  await expect.poll(() => saved()?.name).toMatch(/^ada@example\.com_\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse((await saved()?.content.text()) ?? '');
  expect(file).toMatchObject({ email: ada.email, organization: organization.name });
  expect(file).toMatchObject({ journal: [left], emails: [email] });
  const names = file.memberships.map(({ list_name }: { list_name: string }) => list_name);
  expect(names).toEqual(['Customers', 'Readers', 'Friends']);
  expect(file.next_cursor).toBeUndefined();
});

proof(
  'what is stored about a member says that it could not be loaded, and can be asked for again',
  async () => {
    openMember({}, { [PERSON]: DOWN });
    await chooseMore('Export data');
    await says('Failed to export what is stored about this person. Please try again');
    await chooseMore('Erase person…');
    await says('Failed to load what is stored about this person. Please try again');
    expect(saved()).toBeUndefined();
  },
);

it('a member is erased after their address was typed, and the list is shown', async () => {
  const { answers } = fakeMembers([]);
  const { api, router } = openMember(
    {},
    { ...answers, ...memberPage(), [PERSON]: storedPerson('Customers', 'Readers') },
  );
  await chooseMore('Erase person…');
  await says(/their metadata in 2 lists \(Customers, Readers\)/);
  const erase = dialog().getByRole('button', { name: 'Erase person' });
  await field(`Type “${ada.email}” to confirm`).fill('ada@example.co');
  await expect.element(erase).toBeDisabled();
  await field(`Type “${ada.email}” to confirm`).fill(ada.email);
  let calls = 0;
  api.answer({
    [ERASE]: () => ({ erased_at: ++calls === 1 ? null : at, complete: calls === 2 }),
    'GET /api/list-members/{listMember}': refusal(404, 'Member not found'),
  });
  await answer('Erase person');
  await says(`${ada.email} was erased.`);
  await expect.poll(() => router.state.location.pathname).toBe(`/email-lists/${ada.email_list.id}`);
  const body = { email: ada.email, confirmation: ada.email };
  expect(api.changes().filter(({ call }) => call === ERASE)).toEqual(Array(2).fill({ call: ERASE, body }));
});
