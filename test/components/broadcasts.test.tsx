import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Broadcast } from '#shared/broadcast.ts';
import { HOUR, MINUTE } from '#shared/time.ts';
import { type Answers, DOWN, held, refusal, unreachable } from '../support/components/api.ts';
import {
  ago,
  answersOf,
  begun,
  ended,
  forecast,
  list,
  openPage,
  PRO,
  PUT,
  stopped,
  template,
  totals,
} from '../support/components/broadcasts.ts';
import {
  broadcast as draft,
  noContent,
  reportOf,
  reportRow,
  sendsPage,
} from '../support/components/examples.ts';
import {
  button,
  choose,
  dialog,
  field,
  heading,
  isGone,
  keys,
  leadsTo,
  link,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const figures = () => textsOf('dl[aria-label=Results] dd');

it('broadcasts are listed with one word for each state, when they go, and what came of them', async () => {
  const others = (['draft', 'scheduled', 'sending', 'cancelled', 'stopped'] as const).map((status, nth) => ({
    ...draft,
    id: `B0000000001${nth}`,
    name: `Other ${nth}`,
    status,
    ...(status === 'scheduled' && { local_at: '2030-03-01T09:00' }),
    ...(['sending', 'stopped'].includes(status) && { started_at: '2026-03-01T09:00:00.000Z' }),
  }));
  const nothing = {
    ...totals,
    automation_id: others[4]?.id ?? '',
    sent: 0,
    clicked: 0,
    opened: 0,
    value: null,
  };
  const shared = {
    ...totals,
    automation_id: others[2]?.id ?? '',
    sent: 5,
    clicked: 0,
    opened: null,
    value: 2,
  };
  const { router } = open('/broadcasts', {
    ...answersOf(ended),
    'GET /api/broadcasts': [ended, ...others],
    'GET /api/reporting/automations': { automations: [totals, shared, nothing], counted_until: null },
  });
  await shows(page.getByRole('gridcell', { name: '20.00%' }));
  expect(textsOf('td[data-column="1"]')).toEqual([
    'Sent',
    'Draft',
    'Scheduled',
    'Sending',
    'Cancelled',
    'Stopped',
  ]);
  expect(textsOf('td[data-column="2"]')[1]).toBe('When you send it');
  expect(textsOf('td[data-column="2"]')[2]).toBe('Mar 1, 2030, 09:00, local time');
  expect(textsOf('td[data-column="2"]')[4]).toBe('–');
  expect(textsOf('td[data-column="3"]')).toEqual(['200', '', '', '5', '', '0']);
  expect(textsOf('td[data-column="4"]')).toEqual(['20.00%', '', '', '–', '', '–']);
  expect(textsOf('td[data-column="5"]')).toEqual(['4.00%', '', '', '0.00%', '', '–']);
  expect(textsOf('td[data-column="6"]')).toEqual(['49.50', '', '', '2.00', '', '–']);
  await says('6 broadcasts');
  await leadsTo('Other 1', `/broadcasts/${others[1]?.id}`);
  for (const [name, items] of [
    ['Other 0', ['Edit', 'Duplicate', 'Delete']],
    ['Other 1', ['Edit', 'Duplicate', 'Delete']],
    ['Other 2', ['Duplicate']],
  ] as const) {
    await press(`Actions for ${name}`);
    await expect.poll(() => textsOf('[role=menuitem]')).toEqual(items);
    await keys('{Escape}');
    await isGone(menuItem('Duplicate'));
  }
  await rowAction('Other 1', 'Edit');
  await shows(heading('Edit broadcast'));
  expect(router.state.location.pathname).toBe(`/broadcasts/${others[1]?.id}/edit`);
});

proof(
  'a hundred broadcasts are a page, and the next one is asked for; if that fails, the one before is not shown as it',
  async () => {
    const rows = Array.from({ length: 100 }, (_, nth) => ({ ...draft, id: `B${nth}`, name: `Draft ${nth}` }));
    const answering: Answers = {
      'GET /api/broadcasts': ({ query }) => (query.get('page') === '2' ? [draft] : rows),
    };
    const { api } = open('/broadcasts', { ...answersOf(draft), ...answering });
    await says('100 broadcasts');
    api.answer({ 'GET /api/broadcasts': DOWN });
    await press('Next page');
    await warns('Failed to fetch broadcasts. Please try again.');
    await expect.element(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
    await isGone(page.getByText('200 broadcasts'));
    api.answer(answering);
    await press('Try again');
    await shows(link('Spring sale'));
    await says('101 broadcasts');
    await isGone(link('Draft 0'));
    // None of them has begun.
    expect(api.count('GET /api/reporting/automations')).toBe(0);
  },
);

it('the empty list says what a broadcast is; a list that fails is loaded after a retry, without results too', async () => {
  const { api, router } = open('/broadcasts', { ...answersOf(ended), 'GET /api/broadcasts': DOWN });
  await says('Failed to fetch broadcasts. Please try again.');
  api.answer({ 'GET /api/broadcasts': [ended], 'GET /api/reporting/automations': DOWN });
  await press('Try again');
  await shows(link('Spring sale'));
  await press('Actions for Spring sale');
  await isGone(menuItem('Edit'));
  api.answer({ 'DELETE /api/broadcasts/{broadcast}': undefined as never, 'GET /api/broadcasts': [] });
  await menuItem('Delete').click();
  await pressInDialog('Delete broadcast');
  await says(/^A broadcast is one email to everybody on some lists/);
  expect(api.changes()).toEqual([{ call: `DELETE /api/broadcasts/${ended.id}`, body: undefined }]);
  await link('New broadcast').first().click();
  await shows(heading('New broadcast'));
  expect(router.state.location.pathname).toBe('/broadcasts/new');
  await press('Cancel');
  await shows(heading('Broadcasts'));
  expect(router.state.location.pathname).toBe('/broadcasts');
});

it('while it is sent, its progress is there, and what is left is cancelled after a question', async () => {
  // Who was added since is in no forecast.
  const { api, router } = openPage(begun, {
    'GET /api/reporting/automations': { automations: [{ ...totals, sent: 498 }], counted_until: null },
  });
  await says('498 of about 498 sent so far.');
  await isGone(link('Edit broadcast'));
  await press('Cancel broadcast');
  await pressInDialog('Keep it');
  await isGone(dialog());
  const cancelled: Broadcast = { ...begun, status: 'cancelled', ended_at: ago(0) };
  api.answer({ 'GET /api/broadcasts/{broadcast}': cancelled, [PUT]: cancelled });
  await press('Cancel broadcast');
  await pressInDialog('Cancel broadcast');
  await says(/^It was cancelled on/);
  expect(api.changes()).toEqual([{ call: `PUT /api/broadcasts/${draft.id}`, body: { status: 'cancelled' } }]);
  await isGone(button('Cancel broadcast'));
  await router.navigate(`/broadcasts/${draft.id}/edit`);
  await says('This broadcast cannot be edited any more');
  await leadsTo('Go to the broadcast', `/broadcasts/${draft.id}`);
});

it('its progress is measured by all who get it, not by those who are left', async () => {
  openPage(begun, { 'GET /api/broadcasts/{broadcast}/forecast': { ...forecast, emails: 297 } });
  await says('200 of about 497 sent so far.');
});

proof('what still waits after all were queued is cancelled too', async () => {
  const { api } = openPage(ended);
  await press('Cancel broadcast');
  await pressInDialog('Cancel broadcast');
  await expect.poll(() => api.changes().map(({ body }) => body)).toEqual([{ status: 'cancelled' }]);
});

it('two days later nothing of it is left to cancel, lists that are gone matter no more, and it is deleted', async () => {
  const { api, router } = openPage({ ...ended, ended_at: ago(49), email_lists: [] });
  await shows(button('More actions'));
  await isGone(button('Cancel broadcast'));
  await isGone(page.getByText(/^No email list is connected/));
  expect(textsOf('dd').slice(-3)).toEqual(['None', 'Everybody on its lists', 'Jan 5, 2026']);
  await choose('More actions', 'Delete broadcast');
  api.answer({ 'DELETE /api/broadcasts/{broadcast}': undefined as never, 'GET /api/broadcasts': [] });
  await pressInDialog('Delete broadcast');
  await says('Spring sale was deleted.');
  expect(router.state.location.pathname).toBe('/broadcasts');
});

it('what is being sent is not deleted before it is cancelled, and is duplicated unless that is refused', async () => {
  const { api, router } = openPage(begun, {
    'GET /api/broadcasts/{broadcast}/forecast': DOWN,
    'GET /api/reporting/automations': held<never>().answer,
  });
  await says('It is being sent.');
  await isGone(page.getByText('Failed to load the results. Please try again.'));
  await shows(button('Cancel broadcast'));
  await isGone(button('More actions'));
  await router.navigate('/broadcasts');
  await press('Actions for Spring sale');
  await shows(menuItem('Duplicate'));
  await isGone(menuItem('Delete'));
  api.answer({ 'POST /api/broadcasts': refusal(422, 'Invalid', { name: ['There are too many drafts'] }) });
  await menuItem('Duplicate').click();
  await says('There are too many drafts');
  expect(router.state.location.pathname).toBe('/broadcasts');
});

proof('the table that is left open shows that one of them begins, and ends', async () => {
  const now = Date.now();
  vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const at = new Date(now + 2 * HOUR).toISOString();
  const last = { ...ended, id: 'B00000000018', ended_at: ago(1) };
  const rows = (one: Broadcast): Answers => ({
    ...answersOf(one),
    'GET /api/broadcasts': [one, { ...draft, id: 'B00000000019' }, last],
    'GET /api/reporting/automations': {
      automations: [{ ...totals, automation_id: last.id }],
      counted_until: null,
    },
  });
  const { api } = open('/broadcasts', rows({ ...draft, status: 'scheduled', at }));
  const states = () => textsOf('td[data-column="1"]');
  const sent = () => textsOf('td[data-column="3"]');
  await expect.poll(states).toEqual(['Scheduled', 'Draft', 'Sent']);
  await expect.poll(sent).toEqual(['', '', '200']);
  await vi.advanceTimersByTimeAsync(1.8 * HOUR);
  expect(api.count('GET /api/broadcasts')).toBe(1);
  api.answer({ ...rows(begun), 'GET /api/reporting/automations': held<never>().answer });
  await vi.advanceTimersByTimeAsync(0.1 * HOUR);
  await expect.poll(states).toEqual(['Sending', 'Draft', 'Sent']);
  // While those of one more are loaded, the others keep their results.
  expect(sent()).toEqual(['–', '', '200']);
  api.answer(rows(ended));
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(states).toEqual(['Sent', 'Draft', 'Sent']);
  const asked = api.count('GET /api/broadcasts');
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(api.count('GET /api/broadcasts')).toBe(asked);
});

proof(
  'a page that is left open shows that it begins in the first zone, and the emails after its end',
  async () => {
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const inHours = (hours: number) => new Date(now + hours * HOUR).toISOString();
    // It is 14 hours later there than in UTC.
    const local_at = inHours(2 + 14).slice(0, 'yyyy-mm-ddThh:mm'.length);
    const { api } = openPage({ ...draft, status: 'scheduled', local_at });
    const asked = () => api.count(`GET /api/broadcasts/${draft.id}`);
    await says('Scheduled');
    await vi.advanceTimersByTimeAsync(1.8 * HOUR);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(0.1 * HOUR);
    api.answer(answersOf(begun));
    await vi.advanceTimersByTimeAsync(5_000);
    await says('200 of about 497 sent so far.');
    api.answer(answersOf({ ...ended, ended_at: new Date(Date.now() - 9 * MINUTE).toISOString() }));
    await vi.advanceTimersByTimeAsync(5_000);
    await isGone(page.getByText('200 of about 497 sent so far.'));
    api.answer({
      'GET /api/reporting/automations': { automations: [{ ...totals, sent: 321 }], counted_until: null },
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await says('321');
    await vi.advanceTimersByTimeAsync(MINUTE);
    const last = asked();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(asked()).toBe(last);
  },
);

it('one that sends several templates has what came of each, in the days of its results', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  const row = (id: string, fields: object) =>
    reportRow({ id, template_id: id, template_name: id, ...fields });
  const asked: unknown[] = [];
  openPage(
    { ...ended, email_template_ids: ['t1', 't2'] },
    {
      'GET /api/reporting/combinations': ({ query }) => {
        asked.push(Object.fromEntries(query));
        return reportOf(query, [
          row('t1', {
            sent: 100,
            opened: 40,
            clicked: 5,
            value: 12.5,
            assets: { subject_line: 'Which one?' },
          }),
          row('t2', { sent: 100, opened: 20, clicked: 3 }),
          row('other', { sent: 900 }),
        ]);
      },
    },
  );
  await shows(page.getByRole('row', { name: 't1 Which one? 100 40.00% 5.00% 12.50' }));
  await shows(page.getByRole('row', { name: 't2 100 20.00% 3.00% 0.00' }));
  await isGone(page.getByRole('row', { name: /^other/ }));
  await leadsTo('t1', '/reporting/combinations/t1');
  await says('2 templates');
  const days = {
    start_date: ended.started_at?.slice(0, 10),
    end_date: new Date().toISOString().slice(0, 10),
  };
  expect(asked).toEqual([days]);
});

it('results by template end with the days of its results, and say that nothing is counted, or that they failed', async () => {
  const asked: unknown[] = [];
  const { api } = openPage(
    { ...ended, email_template_ids: ['t1', 't2'], started_at: '2026-01-05T09:00:00.000Z' },
    { 'GET /api/reporting/combinations': DOWN },
  );
  await says('Failed to load the results of each template. Please try again.');
  api.answer({
    'GET /api/reporting/combinations': ({ query }) => {
      asked.push(Object.fromEntries(query));
      return reportOf(query, [reportRow({ id: 'other', template_id: null })]);
    },
  });
  await press('Try again');
  await says('Nothing is counted yet.');
  expect(asked).toEqual([{ start_date: '2026-01-05', end_date: '2026-02-04' }]);
});

it('one that was stopped says why and how many are left, and is sent to them within two days', async () => {
  const { api } = openPage(stopped);
  await says(
    /^It was stopped on .*: a list was not active\. You can send it to the rest until .*, \d\d:\d\d UTC\.$/,
  );
  await shows(heading('Who is left'));
  await says('Of 520 who are subscribed to its lists, with those who have it already.');
  await press('Send to the rest');
  await shows(dialog().getByText('497 people get it. Sending begins within a minute.'));
  api.answer({ ...answersOf(begun) });
  await pressInDialog('Send to 497 people');
  await says('200 of about 497 sent so far.');
  expect(api.changes()).toEqual([
    { call: `PUT /api/broadcasts/${draft.id}`, body: { status: 'scheduled', revision: 'first' } },
  ]);
});

it('one that the guard has stopped says the numbers, the content and where the reasons are', async () => {
  openPage({
    ...stopped,
    stopped: { reason: 'guard_off', at: ago(1) },
    paused: {
      by: 'guard',
      kind: 'complained',
      hours: 24,
      sent: 2000,
      events: 12,
      at: ago(1),
      provider: 'ses',
      combination_id: '0123456789ab',
    },
  });
  await says(
    /stopped this broadcast on .*: of 2,000 emails that went by Amazon SES .*, 12 .* \(0\.6%\)\. Most of the complaints are about the combination 0123456789ab\..* You can send it to the rest until/,
  );
  await leadsTo('See what complained', `/sending-log?automation=${draft.id}&status=complained`);
});

it('one that was stopped is not sent to the rest where nobody would get it', async () => {
  openPage(stopped, { 'GET /api/broadcasts/{broadcast}/forecast': { ...forecast, emails: 0 } });
  await says('Nobody gets it.');
  await isGone(button('Send to the rest'));
});

it('after two days it is not, and it can be duplicated like any other', async () => {
  const { api, router } = openPage(
    {
      ...stopped,
      audience: PRO,
      email_asset_ids: ['asset0000001'],
      holdout_percent: 15,
      stopped: { reason: 'stale', at: ago(49) },
    },
    {
      'GET /api/reporting/automations': {
        automations: [{ ...totals, sent: 0, clicked: 0, opened: 0, unsubscribed: 0, value: null }],
        counted_until: null,
      },
    },
  );
  await says(/it cannot be sent to the rest any more\.$/);
  await isGone(button('Send to the rest'));
  await isGone(heading('Who is left'));
  // Nothing was sent, so there is no share of it.
  const nothing = ['0', '', '0', '', '0', '', '0', '', 'Not known', 'in its first 31 days'];
  await expect.poll(figures).toEqual(nothing);
  await says(/^What is not known is counted for an email as a whole/);
  api.answer({ 'POST /api/broadcasts': { ...draft, id: 'B00000000002' } });
  api.answer({ 'GET /api/broadcasts/{broadcast}': { ...draft, id: 'B00000000002', name: 'Copy' } });
  await press('Duplicate');
  await expect.element(field('Name')).toHaveValue('Copy');
  expect(router.state.location.pathname).toBe('/broadcasts/B00000000002/edit');
  const [{ body } = {}] = api.changes();
  expect(body).toEqual({
    name: 'Spring sale (copy)',
    email_list_ids: [list.id],
    audience: PRO,
    holdout_percent: 15,
    email_template_ids: [template.id],
    email_asset_ids: ['asset0000001'],
  });
});

proof('who gets it is asked again where it failed, and without a number the question says so', async () => {
  const { api } = openPage(draft, {
    'GET /api/broadcasts/{broadcast}/forecast': DOWN,
    [PUT]: refusal(409, 'A colleague has changed it.'),
  });
  await says('Who gets it could not be found out. Please try again.');
  await press('Send now');
  await shows(
    dialog().getByText('How many people get it could not be found out. Sending begins within a minute.'),
  );
  await pressInDialog('Send all the same');
  await expect.poll(() => api.changes()).toHaveLength(1);
  api.answer({ 'GET /api/broadcasts/{broadcast}/forecast': forecast });
  await press('Try again');
  await says('497 people get it.');
  await says('Of 520 who are subscribed to its lists.');
  await warns('A colleague has changed it.');
  await press('Send now');
  await shows(dialog().getByText('497 people get it. Sending begins within a minute.'));
});

proof(
  'one that was scheduled though the answer was lost says that it is scheduled, and of no failure',
  async () => {
    const { api } = openPage(draft, {
      [PUT]: () => {
        api.answer({ 'GET /api/broadcasts/{broadcast}': { ...draft, status: 'scheduled' } });
        return unreachable();
      },
    });
    await press('Send now');
    await pressInDialog('Send to 497 people');
    await shows(button('Cancel broadcast'));
    await isGone(page.getByText(/can’t be reached/));
  },
);

it('one without lists or content says so in place of the button that sends it', async () => {
  const eligibility = { ...draft.email_eligibility, is_eligible: false };
  openPage({ ...draft, email_lists: [], email_eligibility: eligibility });
  await says(/^No email list is connected/);
  await isGone(heading('Who gets it'));
  await says('No content is chosen yet.');
  await isGone(button('Preview and test'));
  await says(/^Nothing to send/);
  await expect
    .element(link('Write template'))
    .toHaveAttribute('href', `/email-templates/new?automation=${draft.id}`);
  await isGone(button('Send now'));
});

it('its page has its lists, conditions and content with what is not sent, and previews its email', async () => {
  const linked = { is_active: true, columns: [], warnings: [] };
  const asset = { ...linked, type: 'subject_line' as const, value: null };
  openPage(
    {
      ...draft,
      email_lists: ['Customers', 'Readers'].map(name => ({ id: name, name, domain: 'example.com' })),
    },
    {
      'GET /api/automations/{automation}/content': {
        ...noContent,
        templates: [{ ...linked, ...template, is_active: false, texts: null }],
        assets: [
          { ...asset, id: 'e1', name: 'Question', excerpt: 'Which one?' },
          { ...asset, id: 'e2', name: null, excerpt: 'Only today' },
        ],
        combinations: 1_200,
      },
      'GET /api/automations/{automation}/preview': {
        html: '<p>Hello Ada</p>',
        plaintext: 'Hello Ada',
        sender: { name: 'The shop', email: 'hello@example.com', list_name: 'Customers' },
        seed: 'a',
      },
    },
  );
  await says('One of 1,200 emails, chosen for each person');
  await leadsTo(template.name, `/email-templates/${template.id}`);
  await leadsTo('Question', '/email-assets/e1');
  await leadsTo('Only today', '/email-assets/e2');
  await leadsTo('Edit wording of Question', `/email-assets/e1/wording?broadcast=${draft.id}`);
  const content = textsOf('li').filter(text => /Welcome|Question|Only today/.test(text));
  expect(content).toEqual([
    `${template.name}, inactive: it is not sentEdit wording${template.subject_line}`,
    'QuestionEdit wording',
    'Only todayEdit wording',
  ]);
  expect(textsOf('dd').slice(0, 2)).toEqual(['Customers, Readers', 'Everybody on its lists']);
  await leadsTo('Readers', '/email-lists/Readers');
  await press('Preview and test');
  await shows(dialog().getByRole('heading', { name: 'Email Preview: Spring sale' }));
  await keys('{Escape}');
  await isGone(dialog());
});

proof(
  'a result that is counted for several is not known and says why; what could not be loaded is, after a retry',
  async () => {
    const CONTENT = 'GET /api/automations/{automation}/content';
    const { api } = openPage(
      { ...ended, audience: PRO, email_eligibility: { ...draft.email_eligibility, is_eligible: false } },
      { 'GET /api/reporting/automations': DOWN, [CONTENT]: DOWN },
    );
    await says('Failed to load the results. Please try again.');
    await says('Failed to load the email. Please try again.');
    await isGone(page.getByText(/^What is not known is counted/));
    api.answer({
      'GET /api/reporting/automations': {
        automations: [{ ...totals, opened: null, value: null }],
        counted_until: null,
      },
    });
    await button('Try again').first().click();
    await says(/^What is not known is counted for an email as a whole/);
    expect(figures().join('|')).toBe('200||Not known||8|4.00%|2|1.00%|Not known|in its first 31 days');
    api.answer({ [CONTENT]: { ...noContent, combinations: 1 } });
    await press('Try again');
    await says('No content is chosen yet.');
    await isGone(page.getByText(/^One of/));
    await isGone(heading('Who gets it'));
    await isGone(link('Write template'));
    await isGone(page.getByText(/^Nothing to send/));
    await says(/plan is “?pro/);
  },
);

proof('its page leads to its emails in the sending log, whose filter names it', async () => {
  const { api } = openPage(ended, {
    'GET /api/automations-for-templates': [],
    'GET /api/email-sends': sendsPage([]),
    'GET /api/email-sends/skipped': {
      automations: [{ automation_id: ended.id, count: 3, reasons: [{ reason: 'suppressed', count: 3 }] }],
      counted_since: null,
    },
  });
  await expect
    .poll(figures)
    .toEqual(['200', '', '40', '20.00%', '8', '4.00%', '2', '1.00%', '49.50', 'in its first 31 days']);
  await isGone(page.getByText(/^What is not known is counted/));
  await isGone(heading('Results by template'));
  await shows(page.getByRole('button', { name: /^Value: Conversions that your program reports more than/ }));
  await leadsTo('Who did not get it', `/sending-log?automation=${ended.id}&status=skipped`);
  await says('3 emails were not sent: the address is suppressed.');
  await link('Its emails in the sending log').click();
  await shows(heading('Sending Log'));
  await expect.element(field('Automation')).toHaveDisplayValue('Spring sale (broadcast)');
  expect(api.count('GET /api/email-sends')).toBe(1);
});

proof('the command palette opens a broadcast, and the form of a new one', async () => {
  const { router } = open('/broadcasts', { ...answersOf(draft), 'GET /api/automations': [] });
  for (const [typed, title] of [
    ['spring', 'Spring sale'],
    ['new broadcast', 'New broadcast'],
  ] as const) {
    await keys('{Control>}k{/Control}');
    await field('Search pages and commands').fill(typed);
    await page.getByRole('option', { name: title }).click();
    await shows(heading(title));
  }
  expect(router.state.location.pathname).toBe('/broadcasts/new');
});
