import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { DomainCheck } from '#shared/domain-check.ts';
import type { EmailList } from '#shared/list.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { attention, list, organization } from '../support/components/examples.ts';
import { button, field, isGone, press, says, shows } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const SEE = 'GET /api/email-lists/{list}/domain-check';
const AGAIN = 'POST /api/email-lists/{list}/domain-check';

const checked_at = '2026-01-05T09:00:00.000Z';
const found: DomainCheck = {
  domain: 'example.com',
  dkim_selector: null,
  checked_at,
  findings: [
    {
      check: 'spf',
      state: 'ok',
      message: 'Mailgun may send for example.com.',
      found: 'v=spf1 ~all',
      record: null,
    },
    { check: 'dkim', state: 'unknown', message: 'Paste headers below.', found: null, record: null },
    {
      check: 'dmarc',
      state: 'broken',
      message: 'There is no DMARC record, or several.',
      found: null,
      record: { type: 'TXT', name: '_dmarc.example.com', value: 'v=DMARC1; p=none' },
    },
    { check: 'mx', state: 'warning', message: 'It has no mail server.', found: '<b>bold</b>', record: null },
    { check: 'one_click', state: 'ok', message: 'One click.', found: null, record: null },
  ],
};
const openPart = (answers: Answers = {}, one: EmailList = list) =>
  open('/email-lists/l1?tab=domain-check', {
    'GET /api/email-lists/{list}': one,
    'GET /api/email-lists': [one],
    [SEE]: found,
    ...answers,
  });

it('each finding has a word, what stands there as text, and the record to copy', async () => {
  const { answer: slow, release } = held<DomainCheck>();
  openPart({ [SEE]: slow });
  await says('Looking up the domain. This takes some seconds.');
  release(found);
  await says(/looked up Jan 5, 2026/);
  const words = page
    .getByRole('listitem')
    .elements()
    .map(item => item.textContent ?? '');
  for (const [at, word] of ['Good', 'Not known', 'Broken', 'To improve', 'Good'].entries()) {
    expect(words.filter(text => text.includes(found.findings[at]?.message ?? ''))[0]).toContain(word);
  }
  await says('Found: <b>bold</b>');
  await says(/^Enter this TXT record/);
  await says('_dmarc.example.com');
  expect([button('Copy name').elements().length, button('Copy value').elements().length]).toEqual([1, 1]);
});

it('a domain is checked again, with the headers of a test email if there are any', async () => {
  let stored = found;
  const { api } = openPart({
    [SEE]: () => stored,
    [AGAIN]: ({ body }) => {
      const dkim_selector = (body as { dkim?: string }).dkim ? 'k1._domainkey.example.com' : null;
      stored = { ...found, dkim_selector };
      return stored;
    },
  });
  await press('Check again');
  await expect.poll(() => api.changes().map(({ body }) => body)).toEqual([{}]);
  api.answer({
    [AGAIN]: refusal(422, 'No key', { dkim: ['There is no DKIM key at k2._domainkey.example.com.'] }),
  });
  await field('Headers of a test email (optional)').fill('k2');
  await press('Check again');
  await says('There is no DKIM key at k2._domainkey.example.com.');
  api.answer({
    [AGAIN]: () => {
      stored = { ...found, dkim_selector: 'k1._domainkey.example.com' };
      return stored;
    },
  });
  await field('Headers of a test email (optional)').fill('k1');
  await press('Check again');
  await shows(page.getByText(/Known: k1\._domainkey\.example\.com/));
  await expect.element(field('Headers of a test email (optional)')).toHaveValue('');
  expect(api.changes().map(({ body }) => body)).toEqual([{}, { dkim: 'k2' }, { dkim: 'k1' }]);
  await expect.element(button('Check again')).toHaveFocus();
});

it('a check that fails can be made again', async () => {
  const { api } = openPart({ [SEE]: DOWN });
  await says('Failed to check the domain. Please try again.');
  api.answer({ [SEE]: found });
  await press('Try again');
  await says('There is no DMARC record, or several.');
});

it('at SES alone nothing is pasted', async () => {
  openPart({}, { ...list, provider: 'ses' });
  await shows(button('Check again'));
  expect(field('Headers of a test email (optional)').query()).toBeNull();
});

it('at SES with Mailgun as second provider, the headers of a test email are pasted', async () => {
  openPart({}, { ...list, provider: 'ses', second_provider: 'mailgun' });
  await shows(field('Headers of a test email (optional)'));
});

it('who only reads does not check again', async () => {
  openPart({ 'GET /api/organizations': [{ ...organization, role: 'VIEWER' }] });
  await says('There is no DMARC record, or several.');
  await isGone(button('Check again'));
});

it('home has a domain checked whose check is old, and reads then what needs attention', async () => {
  let isChecked = false;
  const notice = {
    kind: 'domain_broken' as const,
    id: 'l1',
    name: 'Readers',
    count: 2,
    sent: null,
    since: null,
    missing: [],
  };
  const { api } = open('/', {
    'GET /api/email-lists': [list],
    'GET /api/attention': () => ({
      ...attention,
      notices: isChecked ? [notice] : [],
      unchecked: isChecked ? [] : ['l1'],
    }),
    [SEE]: () => {
      isChecked = true;
      return found;
    },
  });
  await says(/^Mailbox providers find 2 faults at its domain/);
  const link = page.getByRole('link', { name: /^See what to enter/ });
  await expect.element(link).toHaveAttribute('href', '/email-lists/l1?tab=domain-check');
  expect([api.count('GET /api/attention'), api.count('GET /api/email-lists/l1/domain-check')]).toEqual([
    2, 1,
  ]);
});
