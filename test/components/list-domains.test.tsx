import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Identity, TrackingDomain } from '#shared/identity.ts';
import type { EmailList } from '#shared/list.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { list, organization } from '../support/components/examples.ts';
import { answer, button, field, isGone, leadsTo, press, says, shows } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const ONE = 'GET /api/email-lists/{list}';
const PUT = 'PUT /api/email-lists/{list}';
const SEE = 'GET /api/email-lists/{list}/ses-identity';
const ADD = 'POST /api/email-lists/{list}/ses-identity';
const CHECK = 'POST /api/email-lists/{list}/ses-identity/check';
const REMOVE = 'DELETE /api/email-lists/{list}/ses-identity';

const sesList: EmailList = { ...list, provider: 'ses' };
const unclaimed: Identity = {
  domain: 'example.com',
  status: 'unclaimed',
  records: [],
  checked_at: null,
  message: 'Add example.com to Amazon SES to get the records for its DNS.',
};
const added: Identity = {
  ...unclaimed,
  status: 'pending',
  records: [
    { type: 'TXT', name: '_letterflow.example.com', value: 'letterflow=abc', found: false },
    { type: 'CNAME', name: 'one._domainkey.example.com', value: 'one.dkim.amazonses.com', found: false },
  ],
  message: 'Enter these records where the DNS of example.com is managed, then check again.',
};
const checked_at = '2026-01-05T09:00:00.000Z';
const verified: Identity = {
  ...added,
  status: 'verified',
  checked_at,
  records: added.records.map(record => ({ ...record, found: true })),
  message: 'Lists may send from example.com.',
};

const openForm = (one: EmailList = sesList, answers: Answers = {}) =>
  open('/email-lists/l1/edit', { [ONE]: one, 'GET /api/email-lists': [one], [SEE]: unclaimed, ...answers });
const texts = (of: string) => page.getByText(of, { exact: true }).elements().length;

it('a domain is added, shows its records to copy, and is verified by a check that leads on', async () => {
  let stored = unclaimed;
  const { api } = openForm(sesList, {
    [SEE]: () => stored,
    [ADD]: () => {
      stored = added;
      return stored;
    },
    [CHECK]: () => {
      stored = verified;
      return stored;
    },
  });
  await says(unclaimed.message);
  expect(button('Set the sending key').query()).toBeNull();
  await press('Add domain');
  await says('_letterflow.example.com');
  await says('one.dkim.amazonses.com');
  expect([texts('Not found'), texts('Copy name'), texts('Copy value')]).toEqual([2, 2, 2]);
  await expect.element(button('Check')).toHaveFocus();
  await press('Check');
  await says(verified.message);
  expect([texts('Found'), texts('Verified')]).toEqual([2, 1]);
  await shows(page.getByText(formatMoment(checked_at)));
  await says('Leave these records in the DNS of example.com.');
  await leadsTo('Import members', '/email-lists/l1/import');
  expect(api.changes().map(({ call }) => call)).toEqual([
    'POST /api/email-lists/l1/ses-identity',
    'POST /api/email-lists/l1/ses-identity/check',
  ]);
});

proof('a check says what it found, why it failed, and nothing old after the next one', async () => {
  const silent = {
    ...added,
    checked_at,
    message: 'Amazon SES gave no answer. Please check again in a minute.',
  };
  const { answer: checked, release } = held<Identity>();
  const { api } = openForm(sesList, { [SEE]: added, [CHECK]: checked });
  await press('Check');
  await expect.element(button('Checking...')).toHaveAttribute('aria-disabled', 'true');
  // What is stored says it in other words.
  api.answer({ [SEE]: { ...silent, message: 'None of the records is found yet.' } });
  release(silent);
  await says(silent.message);
  api.answer({ [CHECK]: refusal(429, 'At most 10 tests of a connection a minute for an organization.') });
  await press('Check again');
  await says('At most 10 tests of a connection a minute for an organization.');
  api.answer({ [CHECK]: DOWN });
  await press('Check again');
  await says('Failed to check the domain. Please try again');
});

proof('a domain that the account uses for something else is refused with the reason', async () => {
  const reason =
    'The account at Amazon SES uses example.com for something else, so no list can send from it.';
  openForm(sesList, { [ADD]: refusal(422, reason, { domain: [reason] }) });
  await press('Add domain');
  await says(reason);
  await shows(button('Add domain'));
});

proof('a domain of another organization says what to do, and is removed after a question', async () => {
  const message = 'Another organization here sends from example.com.';
  let stored: Identity = { ...added, status: 'taken', message };
  openForm(sesList, {
    [SEE]: () => stored,
    [REMOVE]: () => {
      stored = unclaimed;
    },
  });
  await says('Used by another organization');
  await says(message);
  await press('Remove domain');
  await shows(page.getByText(/^No list of this organization can send from example\.com/));
  await answer('Remove domain');
  await says('Domain removed.');
  await shows(button('Add domain'));
  await isGone(button('Remove domain'));
});

proof('a domain that is not loaded can be loaded again', async () => {
  const { api } = openForm(sesList, { [SEE]: DOWN });
  await says('Failed to load the sending domain. Please try again.');
  api.answer({ [SEE]: added });
  await press('Try again');
  await says(added.message);
});

it('a user sees the records, and is told whom to ask', async () => {
  const records = added.records.map((record, at) => ({ ...record, found: at === 0 }));
  const oneFound = { ...added, records };
  openForm(sesList, { [SEE]: oneFound, 'GET /api/organizations': [{ ...organization, role: 'USER' }] });
  await says('_letterflow.example.com');
  await shows(page.getByText(/^Some services add the domain to each name by themselves/));
  await says('To add, check or remove the sending domain, please contact an admin or owner.');
  expect(button('Check').query()).toBeNull();
});

it('the providers of a list are chosen with its settings: each shows what it needs', async () => {
  let stored: EmailList = list;
  const { api } = openForm(list, {
    [ONE]: () => stored,
    [PUT]: ({ body }) => {
      stored = { ...stored, ...body } as EmailList;
      return stored;
    },
  });
  await shows(page.getByRole('heading', { name: 'Sending key' }));
  expect(page.getByRole('heading', { name: 'Sending domain' }).query()).toBeNull();
  await field('Second provider').selectOptions('Amazon SES');
  await field('Provider').first().selectOptions('Amazon SES');
  await says('The second provider must be another one than the first');
  await expect.element(field('Second provider')).toHaveDisplayValue('Amazon SES');
  await field('Second provider').selectOptions('Mailgun');
  await isGone(page.getByText('The second provider must be another one than the first'));
  await field('Reply-to address').fill('Answers@Example.com');
  await button('Save').first().click();
  await says('List saved.');
  expect(api.changes()).toEqual([
    {
      call: 'PUT /api/email-lists/l1',
      body: { provider: 'ses', second_provider: 'mailgun', reply_to: 'answers@example.com' },
    },
  ]);
  await shows(page.getByRole('heading', { name: 'Sending domain' }));
  await shows(page.getByRole('heading', { name: 'Sending key' }));
  await field('Second provider').selectOptions('None');
  await field('Reply-to address').fill('');
  await button('Save').first().click();
  await isGone(page.getByRole('heading', { name: 'Sending key' }));
  expect(api.changes()[1]?.body).toEqual({ second_provider: null, reply_to: null });
});

it('a list whose domain is not verified says so, and where to go', async () => {
  open('/email-lists', {
    'GET /api/email-lists': [sesList, { ...sesList, id: 'b', name: 'B', domain_verified: true }],
  });
  await says('Amazon SESNot verified');
  await says('Amazon SESVerified');
});

const TRACKING = 'GET /api/email-lists/{list}/tracking-domain';
const proposed: TrackingDomain = {
  domain: 'link.example.com',
  status: 'unclaimed',
  records: [],
  checked_at: null,
  message: 'Links in emails have the address of this site.',
};
const waiting: TrackingDomain = {
  domain: 'go.example.com',
  status: 'pending',
  records: [{ type: 'CNAME', name: 'go.example.com', value: 'l1.links.letters.example', found: false }],
  checked_at: null,
  message: 'Enter this record where the DNS of go.example.com is managed, then check again.',
};

it('a tracking domain is proposed, refused at its field, added, checked, and removed after a question', async () => {
  let stored = proposed;
  const add = 'POST /api/email-lists/{list}/tracking-domain';
  const reason = 'Links need a name of their own, such as link.example.com';
  const { api } = openForm(list, {
    [TRACKING]: () => stored,
    [add]: refusal(422, reason, { domain: [reason] }),
    [`${add}/check`]: () => {
      stored = {
        ...waiting,
        status: 'active',
        checked_at,
        message: 'Links of new emails lead to go.example.com.',
      };
      return stored;
    },
    'DELETE /api/email-lists/{list}/tracking-domain': () => {
      stored = proposed;
    },
  } as Answers);
  await expect.element(field('Domain of links')).toHaveValue('link.example.com');
  await field('Domain of links').fill('https://Example.com/');
  await press('Add tracking domain');
  await expect.element(field('Domain of links')).toHaveAccessibleErrorMessage(reason);
  api.answer({
    [add]: () => {
      stored = waiting;
      return stored;
    },
  } as Answers);
  await field('Domain of links').fill('go.example.com');
  await press('Add tracking domain');
  await says('l1.links.letters.example');
  await says(waiting.message);
  await press('Check record');
  await says('Links of new emails lead to go.example.com.');
  await press('Remove tracking domain');
  await shows(page.getByText(/^Links of new emails get the address of this site/));
  await answer('Remove tracking domain');
  await says('Domain removed.');
  await says(proposed.message);
  await shows(field('Domain of links'));
  expect(api.changes().map(({ call, body }) => [call, body])).toEqual([
    ['POST /api/email-lists/l1/tracking-domain', { domain: 'example.com' }],
    ['POST /api/email-lists/l1/tracking-domain', { domain: 'go.example.com' }],
    ['POST /api/email-lists/l1/tracking-domain/check', undefined],
    ['DELETE /api/email-lists/l1/tracking-domain', undefined],
  ]);
});

it('a site without a domain explains why there is no tracking domain, and offers nothing', async () => {
  openForm();
  await says('This site has no domain of its own.');
  await says('Not available');
  expect(button('Add tracking domain').query()).toBeNull();
});
