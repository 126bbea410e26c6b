import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { ImportForecast, MemberImport } from '#shared/member-import.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { organization } from '../support/components/examples.ts';
import {
  check,
  choose,
  FILE,
  fakeImports,
  IMPORTS,
  openImport,
  ROWS,
} from '../support/components/imports.ts';
import { memberImport, people } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  leadsTo,
  press,
  says,
  shows,
  textsOf,
} from '../support/components/page.ts';
import { watchSavedFile } from '../support/components/saved-file.ts';
import { linesIn } from '../support/csv-cells.ts';
import { proof } from '../support/proof.ts';

const savedFile = watchSavedFile();

const noError = () => expect.poll(() => textsOf('[role=alert]').join('')).toBe('');
const factOf = (name: string) =>
  expect.poll(
    () =>
      [...document.querySelectorAll('dl > div')].find(row => row.textContent?.startsWith(name))?.textContent,
  );

const optionsOf = (name: string) => [...(field(name).element() as HTMLSelectElement).options];

const preview = () => textsOf('[aria-label="First rows of the file"] tr');

it('a file of members is checked, then imported with its dates converted, and what was refused is shown', async () => {
  const { answers, sent } = fakeImports();
  const { api } = openImport(answers);
  await says('Choose a file above to add members from it.');
  await choose(FILE);
  await says('people.csv');
  await says('2 rows, 2 columns, separated by commas, UTF-8');
  await says('Dates such as 01/02/2030 are stored as 2030-02-01.');
  await expect.poll(preview).toEqual(['Emailsince', 'ann@example.com2030-02-01', 'nobody2030-12-31']);
  for (const title of ['File', 'Columns', 'Options', 'What will happen']) {
    await expect.element(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  }
  await expect.element(button('Check the file')).toBeDisabled();
  await field('How they agreed to get emails').fill('Form');
  await focus(button('Check the file'));
  await keys('{Enter}');
  await factOf('New members').toBe('New members1');
  await expect.element(button('Import 1 row')).toHaveFocus();
  await factOf('Refused rows').toBe('Refused rows1');
  await isGone(page.getByText(/^The first of/));
  await expect
    .element(page.getByRole('row', { name: '3 Enter a valid email address email nobody' }))
    .toBeVisible();
  expect(api.changes()).toEqual([]);
  await press('Import 1 row');
  await expect.element(heading('Result')).toBeVisible();
  expect(sent).toEqual([
    ['ann@example.com', '2030-02-01'],
    ['nobody', '2030-12-31'],
  ]);
  await shows(page.getByRole('row', { name: /^people\.csv Done 1 new, 0 updated, 1 refused/ }));
  await leadsTo('See the members', '/email-lists/l1');
  await leadsTo('Create an automation', '/automations/new?list=l1');
  await leadsTo('Back to the list', '/email-lists/l1');
  // The number of its members has changed.
  await expect.poll(() => api.count('GET /api/email-lists/l1')).toBe(2);
});

it('keys are written as placeholders are, unless the names of the file are kept, and unread dates are said', async () => {
  openImport(fakeImports().answers);
  const dates = ['2030-01-31', '2030-02-01', 'tbd', '2030-03-01'];
  const left = ['n/a', 'soon', 'later', '2030-01-01', ...dates];
  const rows = left.map((date, at) => `p${at}@example.com,${dates[at] ?? ''},${date}`);
  await choose(['email,Signed Up,Left', ...rows].join('\n'));
  await says('Keys are written as placeholders usually are: signed_up for Signed Up.');
  expect(textsOf('li > p')).toEqual(Array(2).fill('Dates: automations can start from this column.'));
  await press('Keep the names of the file');
  await expect.element(field('Key of Signed Up')).toHaveValue('Signed Up');
  await isGone(button('Keep the names of the file'));
  await field('How they agreed to get emails').fill('Form');
  await press('Check the file');
  await says(/^1 date in Signed Up could not be read: tbd\. Stored as text,/);
  await says(/^4 dates in Left could not be read: n\/a, soon, later …\. Stored as text,/);
  await press('Import 8 rows');
  await shows(heading('Result'));
  await isGone(page.getByText(/could not be read/));
});

proof(
  'a column keeps its name where an automation starts from it, or an earlier import has stored it so',
  async () => {
    const column = { position: 1, name: 'Plan', to: 'metadata' as const, key: 'Plan' };
    const earlier = held<MemberImport[]>();
    openImport({
      ...fakeImports().answers,
      [`GET ${IMPORTS}`]: earlier.answer,
      'GET /api/email-lists/{list}/datetime-metadata-columns': {
        columns: ['Trial Ends'],
        stats: { 'Trial Ends': 3 },
      },
    });
    await choose('email,Plan,Trial Ends,First Name\nann@example.com,pro,2030-01-31,Ann');
    earlier.release([{ ...memberImport, state: 'done', columns: [column] }]);
    for (const [name, key] of [
      ['Plan', 'Plan'],
      ['Trial Ends', 'Trial Ends'],
      ['First Name', 'first_name'],
    ] as const)
      await expect.element(field(`Key of ${name}`)).toHaveValue(key);
  },
);

proof('a file is shown with its own columns, never with those of the file before it', async () => {
  const { api } = openImport(fakeImports().answers);
  await choose('email,plan\nann@example.com,pro');
  await shows(field('Key of plan'));
  await press('Choose another file');
  const dates = held<{ columns: string[]; stats: Record<string, number> }>();
  api.answer({ 'GET /api/email-lists/{list}/datetime-metadata-columns': dates.answer });
  await choose('email,city\nann@example.com,Ulm', 'second.csv');
  await expect.poll(() => api.count('GET /api/email-lists/l1/datetime-metadata-columns')).toBe(2);
  await isGone(field('Key of plan'));
  dates.release({ columns: [], stats: {} });
  await shows(field('Key of city'));
  await isGone(field('Key of plan'));
});

proof('dates whose day and month may be swapped stay text until an order is chosen', async () => {
  openImport(fakeImports().answers);
  await choose('email,since\nann@example.com,01/02/2030\nben@example.com,03/04/2030');
  await says(/^Dates such as 01\/02\/2030 are not in the form 2026-01-31: stored as text/);
  await field('Dates of since').selectOptions('Convert, month first');
  await says('Dates such as 01/02/2030 are stored as 2030-01-02.');
  expect(optionsOf('Dates of since').map(({ text }) => text)).toEqual([
    'Keep as text',
    'Convert, month first',
    'Convert, day first',
  ]);
  await field('Dates of since').selectOptions('Convert, day first');
  await says('Dates such as 01/02/2030 are stored as 2030-02-01.');
  await field('Dates of since').selectOptions('Keep as text');
  await says(/^Dates such as 01\/02\/2030 are not in the form 2026-01-31: stored as text/);
  await expect.poll(() => preview().at(-1)).toBe('ben@example.com03/04/2030');
});

const following = (count: number, today = count) => ({
  next_24_hours: today,
  next_30_days: count,
  automations: [{ id: 'a1', name: 'Welcome', next_24_hours: today, next_30_days: count }],
  sampled: null,
});

it('an import that leads to more than 100 emails is confirmed by their number, and none that leads to fewer', async () => {
  const { answers, imports } = fakeImports();
  const { api } = openImport(answers);
  api.answer({ [`POST ${IMPORTS}/forecast`]: following(497) });
  await check(FILE);
  await expect.element(page.getByRole('row', { name: 'Welcome 497 497' })).toBeVisible();
  await press('Import 1 row');
  await expect
    .element(dialog().getByText(/^497 emails follow in the next 30 days, all of them within 24 hours/))
    .toBeVisible();
  await answer('Cancel');
  await noError();
  expect(imports).toEqual([]);
  await press('Import 1 row');
  await answer('Import and send 497 emails');
  await expect.element(heading('Result')).toBeVisible();
  await press('Import another file');
  api.answer({ [`POST ${IMPORTS}/forecast`]: following(101, 0) });
  await choose(FILE);
  await expect.element(field('How they agreed to get emails')).toHaveValue('');
  await expect.element(button('Check the file')).toBeDisabled();
  await field('How they agreed to get emails').fill('Form');
  await press('Check the file');
  await shows(page.getByRole('row', { name: 'Welcome 0 101' }));
  await press('Import 1 row');
  await shows(dialog().getByRole('button', { name: 'Import and send 101 emails' }));
  await answer('Cancel');
  api.answer({ [`POST ${IMPORTS}/forecast`]: following(100) });
  await field('What automations do').selectOptions('Start nothing');
  await press('Check the file');
  await press('Import 1 row');
  await expect.element(heading('Result')).toBeVisible();
  expect(imports.map(({ start_nothing }) => start_nothing)).toEqual([true, false]);
  await shows(page.getByText(/, started nothing$/).first());
});

const sampled = { people: 500, of: 20_000, margin: 120 };
const ANYWAY = 'Import all the same';

it.each<[string, ImportForecast | Response, RegExp, string]>([
  [
    'a sample says that there may be more than 100 emails',
    { ...following(0), automations: [], sampled },
    / 120 emails more or less\.$/,
    ANYWAY,
  ],
  [
    'there are few emails in a sample',
    { ...following(90), sampled },
    /^Estimated from 500 of 20,000 members: the number of the 30 days may be 120 emails more or less\.$/,
    'Import and send 90 emails',
  ],
  [
    'it is not known which emails follow',
    refusal(422, 'No'),
    /^Which emails follow .* could not be found out\.$/,
    ANYWAY,
  ],
])('an import asks too where %s', async (_, forecast, text, confirm) => {
  const { answers, imports } = fakeImports();
  openImport({ ...answers, [`POST ${IMPORTS}/forecast`]: forecast });
  await check(FILE);
  await says(text);
  await press('Import 1 row');
  await shows(dialog().getByText('Send emails?'));
  await shows(dialog().getByText(text));
  expect(imports).toEqual([]);
  await answer(confirm);
  await expect.element(heading('Result')).toBeVisible();
});

proof(
  'the focus stays in the step of the file while it is read, and does not go to earlier imports',
  async () => {
    openImport(fakeImports([{ state: 'done' }]).answers);
    await expect.element(button('Choose a file')).toBeVisible();
    await focus(button('Choose a file'));
    await choose(FILE);
    await expect.element(button('Choose another file')).toHaveFocus();
  },
);

proof('another choice for an import makes another check necessary', async () => {
  openImport(fakeImports().answers);
  await check(FILE);
  await expect.element(button('Import 1 row')).toBeVisible();
  await field('What email is').selectOptions('Ignore');
  await says('Choose the column that contains the email addresses.');
  await expect.element(button('Check the file')).toBeDisabled();
  await isGone(page.getByText(/^First say above/));
  expect(preview()[0]).toBe('since');
  await field('What email is').selectOptions('Email address');
  await field('Key of since').fill('since/when');
  await says(/^since\/when: A key must consist of letters/);
  await expect.element(field('Key of since')).toHaveAttribute('aria-invalid', 'true');
  await field('How they agreed to get emails').fill(' ');
  await field('What since is').selectOptions('Ignore');
  await isGone(page.getByText(/^since\/when/));
  await says('First say above how these people agreed to get your emails.');
  await expect.element(button('Check the file')).toBeDisabled();
});

it('an import is checked, forecast and created as it was chosen, with who agreed to it, and when', async () => {
  const { answers } = fakeImports();
  const asked: object[] = [];
  const noting = (route: keyof Answers) => ({
    [route]: (of: { body: object }) => {
      asked.push(of.body);
      const reply = answers[route];
      return typeof reply === 'function' ? reply(of as never) : reply;
    },
  });
  const calls = [`POST ${IMPORTS}/dry-run`, `POST ${IMPORTS}/forecast`, `POST ${IMPORTS}`] as const;
  openImport({ ...answers, ...Object.assign({}, ...calls.map(noting)) });
  await choose(FILE);
  const hints = () => textsOf('[data-part=helper-text]').slice(0, 3);
  await expect
    .poll(hints)
    .toEqual([
      'Who unsubscribed, complained or bounced before stays unsubscribed.',
      'Empty cells leave what they have.',
      'The check says how many emails follow from it.',
    ]);
  await field('Import people as').selectOptions('Unsubscribed');
  await field('People who are members already').selectOptions('Skip');
  await field('What automations do').selectOptions('Start nothing');
  await expect
    .poll(hints)
    .toEqual([
      'They are members, and get no emails. Existing members are unsubscribed.',
      'Nothing about them changes.',
      'New members get emails by dates after the import alone; yearly emails begin at their next anniversary.',
    ]);
  await shows(field('Source (optional)'));
  await field('Date of consent (optional)').fill('2030-01-05');
  await expect.element(button('Check the file')).toBeDisabled();
  await field('How they agreed to get emails').fill('Fair');
  await press('Check the file');
  await press('Import 1 row');
  await expect.element(heading('Result')).toBeVisible();
  const columns = [
    { position: 0, name: 'email', to: 'email' },
    { position: 1, name: 'since', to: 'metadata', key: 'since', dates: 'day_first' },
  ];
  const how = { columns, mode: 'skip', as: 'unsubscribed', start_nothing: true };
  const rows = [
    ['ann@example.com', '2030-02-01'],
    ['nobody', '2030-12-31'],
  ];
  expect(asked).toEqual([
    { ...how, from: 1, rows },
    { ...how, rows: rows.slice(0, 1), of: 1 },
    {
      ...how,
      file_name: 'people.csv',
      size: FILE.length,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      total_rows: 2,
      consent: { source: 'Fair', date: '2030-01-05' },
    },
  ]);
});

proof('an import that is refused says why, and is begun once more as it was chosen', async () => {
  const { answers, imports } = fakeImports();
  const { api } = openImport({
    ...answers,
    'GET /api/email-lists/{list}/datetime-metadata-columns': DOWN,
    [`POST ${IMPORTS}`]: refusal(422, 'The list has too many imports.'),
  });
  await choose('email,First Name\nann@example.com,Ann');
  await expect.element(field('Key of First Name')).toHaveValue('first_name');
  await field('How they agreed to get emails').fill('Form');
  await press('Check the file');
  await press('Import 1 row');
  await says('The list has too many imports.');
  await expect.element(field('How they agreed to get emails')).toHaveValue('Form');
  api.answer({ [`POST ${IMPORTS}`]: answers[`POST ${IMPORTS}`] });
  await press('Import 1 row');
  await shows(heading('Result'));
  await noError();
  expect(imports).toHaveLength(1);
});

proof('an import gives the server the time that it asks for', async () => {
  const { answers } = fakeImports();
  const { api } = openImport(answers);
  let calls = 0;
  api.answer({
    [`POST ${IMPORTS}/dry-run`]: asked => {
      if (++calls > 1) return (answers[`POST ${IMPORTS}/dry-run`] as (of: typeof asked) => never)(asked);
      return new Response('{"message":"Too many"}', { status: 429, headers: { 'retry-after': '1' } });
    },
  });
  await choose(FILE);
  await field('How they agreed to get emails').fill('Form');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await press('Check the file');
  await says('The server takes more rows in 1 second.');
  expect(calls).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.element(button('Import 1 row')).toBeVisible();
});

it('an import that stopped goes on at the next row with the same file, and with no other', async () => {
  const { answers, imports, sent } = fakeImports();
  const { api } = openImport(answers);
  await check(FILE);
  api.answer({
    [ROWS]: () => {
      Object.assign(imports[0] ?? {}, { done_rows: 1, counts: { ...memberImport.counts, created: 1 } });
      return refusal(403, 'Your role does not allow this.');
    },
  });
  await press('Import 1 row');
  await says(/^Your role does not allow this\./);
  api.answer({ [ROWS]: answers[ROWS] });

  await press('Choose another file');
  await says('1 of 2 rows of people.csv are imported: choose people.csv again to continue.');
  await choose(`${FILE}ben@example.com,`);
  await says(/^This is not the people\.csv of which 1 row is imported: it has changed since\. /);
  for (const [text, name, next] of [
    [`${FILE}ben@example.com,`, 'others.csv', 'Check the file'],
    [FILE, 'people.csv', 'Continue the import'],
  ] as const) {
    await press('Choose another file');
    await choose(text, name);
    await shows(button(next));
    await isGone(page.getByText(/^This is not the people\.csv/));
  }
  await says(/^1 of 2 rows of this file are imported, 0 of them refused\. It continues with the next row/);
  await press('Continue the import');
  await expect.element(heading('Result')).toBeVisible();
  expect(sent).toEqual([['nobody', '2030-12-31']]);
  await factOf('New members').toBe('New members1');
  await factOf('Refused rows').toBe('Refused rows1');
});

proof('the file of refused rows has those too that another tab has sent meanwhile', async () => {
  const { answers, imports } = fakeImports();
  const { api } = openImport(answers);
  await check(`${FILE}no one,\nben@example.com,\nnone,\n`);
  const reason = 'Enter a valid email address';
  api.answer({
    [ROWS]: asked => {
      api.answer({ [ROWS]: answers[ROWS] });
      const [of] = imports;
      if (!of || asked.body.from !== 1) throw new Error('Not the first rows');
      of.done_rows = 3;
      of.counts = { ...of.counts, created: 1, rejected: 2 };
      return refusal(409, 'The next row of this import is row 4.');
    },
    [`GET ${IMPORTS}/{memberImport}`]: () => ({ ...imports[0] }) as MemberImport,
    [`GET ${IMPORTS}/{memberImport}/errors`]: ({ query }) =>
      query.get('cursor') === 'second'
        ? {
            data: [
              { row: 2, column: 'since', reason: 'No date' },
              { row: 3, column: 'email', reason },
            ],
            next_cursor: null,
          }
        : { data: [{ row: 2, column: 'email', reason }], next_cursor: 'second' },
  });
  await press('Import 2 rows');
  await expect.element(heading('Result')).toBeVisible();
  await factOf('Refused rows').toBe('Refused rows3');
  await press('Save refused rows');
  await expect.poll(() => savedFile()?.name).toBe('refused rows of people.csv');
  expect(linesIn(await savedFile()?.content.text())).toEqual([
    'email,since,Import error',
    `nobody,31/12/2030,email: ${reason}; since: No date`,
    `no one,,email: ${reason}`,
    `none,,email: ${reason}`,
  ]);
});

it('an import of suppressed people is for owners and admins, and says so', async () => {
  const { answers } = fakeImports();
  openImport({ ...answers, 'GET /api/organizations': [{ ...organization, role: 'USER' }] });
  await choose('email,suppression\nann@example.com,\n');
  await says(/^Who unsubscribed, .* Only an owner or admin can import people as bounced or complained/);
  await expect.element(field('What suppression is')).toHaveValue('ignored');
  const disabled = (name: string) => optionsOf(name).flatMap(one => (one.disabled ? [one.text] : []));
  expect(disabled('Import people as')).toEqual([
    'Suppressed: their address bounced',
    'Suppressed: they complained',
  ]);
  expect(disabled('What suppression is')).toEqual(['Suppression: for owners and admins']);
});

it('people are imported as suppressed by an owner or admin, who need not say how they agreed', async () => {
  const { answers } = fakeImports();
  const { api } = openImport({ ...answers, 'GET /api/organizations': [{ ...organization, role: 'ADMIN' }] });
  await choose('email,suppression\nann@example.com,\n');
  await expect.element(field('What suppression is')).toHaveValue('suppression');
  await expect.poll(preview).toEqual(['Emailsuppression', 'ann@example.com']);
  expect(optionsOf('What suppression is').map(({ text }) => text)).toEqual([
    'Email address',
    'Metadata',
    'Subscribed: true or false',
    'Suppression: bounce or complaint',
    'Ignore',
  ]);
  for (const as of ['Suppressed: they complained', 'Suppressed: their address bounced']) {
    await field('Import people as').selectOptions(as);
    await says(/^No list of the organization mails them any more\. .*change that\.$/);
  }
  await press('Check the file');
  await press('Import 1 row');
  await shows(heading('Result'));
  expect(api.changes().map(({ body }) => body)).toMatchObject([{ as: 'bounce', consent: null }, {}]);
});

proof(
  'another file that is chosen while an import is created gets neither its rows nor its error',
  async () => {
    const { answers, imports, sent } = fakeImports();
    const { api } = openImport(answers);
    const CREATE = `POST ${IMPORTS}` as const;
    const created = () =>
      (answers[CREATE] as (of: object) => MemberImport)({ body: { file_name: 'people.csv', total_rows: 2 } });
    for (const outcome of [() => refusal(422, 'Too many imports.'), created]) {
      const { answer: waiting, release } = held<MemberImport | Response>();
      api.answer({ [CREATE]: waiting });
      await check(FILE);
      await press('Import 1 row');
      await expect.poll(() => api.changes().at(-1)?.call).toBe('POST /api/email-lists/l1/imports');
      await press('Choose another file');
      await choose('email\nben@example.com\n', 'others.csv');
      await shows(button('Check the file'));
      release(outcome());
      if (outcome === created)
        await shows(page.getByRole('row', { name: /^people\.csv Unfinished 0 of 2 rows/ }));
      else {
        await field('How they agreed to get emails').fill('Form');
        expect(textsOf('[role=alert]').join('')).toBe('');
        await press('Choose another file');
      }
    }
    await isGone(button('Continue the import'));
    await shows(button('Check the file'));
    await noError();
    expect([imports.length, sent]).toEqual([1, []]);
  },
);

proof(
  'a second press on Import begins no second import, whose rows would be missing in the first',
  async () => {
    const { answers, imports, sent } = fakeImports();
    openImport(answers);
    await check(FILE);
    await expect.element(button('Import 1 row')).toBeVisible();
    const start = button('Import 1 row').element() as HTMLElement;
    start.click();
    start.click();
    await expect.element(heading('Result')).toBeVisible();
    expect(imports).toHaveLength(1);
    expect(sent).toHaveLength(2);
  },
);

proof(
  'somebody who leaves a running import is asked, and stays until then; a check is left at once',
  async () => {
    const { answers } = fakeImports();
    const { api, router } = openImport({ ...answers, [`POST ${IMPORTS}/dry-run`]: new Promise(() => {}) });
    await check(FILE);
    await says('0 of 2 rows checked');
    await isGone(heading('Columns'));
    await isGone(heading('Options'));
    await isGone(button('Choose another file'));
    await router.navigate('/profile');
    await shows(heading('Profile'));
    await router.navigate('/email-lists/l1/import');
    api.answer(answers);
    await check(FILE);
    api.answer({ [ROWS]: new Promise(() => {}) });
    await press('Import 1 row');
    await says('0 of 2 rows imported');
    void router.navigate('/email-lists/l1');
    await expect.element(dialog().getByText('Leave while the import runs?')).toBeVisible();
    await says(/^It stops at the row that it has reached/);
    await answer('Stay');
    await says('0 of 2 rows imported');
  },
);

it('a file that cannot be read is refused with the reason, and the next one is described as it was read', async () => {
  openImport(fakeImports().answers);
  await choose('');
  await says(/^This file is empty\./);
  const latin = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0));
  const wide = (text: string) =>
    Uint8Array.from(`\xff\xfe${[...text].map(one => `${one}\0`).join('')}`, one => one.charCodeAt(0));
  for (const [content, facts] of [
    ['email\nann@example.com\nben@example.com', '2 rows, 1 column, separated by commas, UTF-8'],
    [latin('email;née\nann@example.com;'), '1 row, 2 columns, separated by semicolons, Windows-1252'],
    [wide('email\tsince\nann@example.com\t'), '1 row, 2 columns, separated by tabs, UTF-16'],
    ['nobody|\nann@example.com|\n', '1 row, 2 columns, separated by bars, UTF-8'],
    ['ann@example.com,x\nnobody,\n', '2 rows, 2 columns, separated by commas, UTF-8, without a header'],
  ] as const) {
    await choose(content);
    await says(facts);
    await noError();
    if (!facts.endsWith('header')) await press('Choose another file');
  }
  await field('How they agreed to get emails').fill('Form');
  await press('Check the file');
  await shows(page.getByRole('row', { name: /^2 Enter a valid email address/ }));
});

it('an import is paused after the rows that were sent, and goes on with the next one', async () => {
  const { answers, sent } = fakeImports();
  const { api } = openImport(answers);
  const parts = new Map([1, 501, 1_001, 1_501].map(from => [from, held<void>()]));
  vi.useFakeTimers({ toFake: ['performance'] });
  api.answer({
    [ROWS]: async asked => {
      await parts.get(asked.body.from)?.answer();
      return (answers[ROWS] as (of: typeof asked) => never)(asked);
    },
  });
  await check(['email', ...people(1_688).map(({ email }) => email)].join('\n'));
  await press('Import 1,688 rows');
  await says('0 of 1,688 rows imported');
  await says('Starting...');
  await isGone(button('Choose another file'));
  await isGone(heading('Columns'));
  vi.advanceTimersByTime(100_000);
  parts.get(1)?.release();
  await says('500 of 1,688 rows imported');
  await says('5 rows a second, about 4 minutes left');
  await shows(page.getByRole('row', { name: /^people\.csv Unfinished 500 of 1,688 rows, 500 new/ }));
  vi.advanceTimersByTime(100_000);
  await press('Pause');
  await expect.element(button('Pausing...')).toBeVisible();
  parts.get(501)?.release();
  await says('Paused.');
  await says('1,000 of 1,688 rows imported');
  await noError();
  expect(sent).toHaveLength(1_000);
  await press('Continue');
  await shows(button('Pause'));
  vi.advanceTimersByTime(100_000);
  parts.get(1_001)?.release();
  await says('5 rows a second, about 38 seconds left');
  parts.get(1_501)?.release();
  await expect.element(heading('Result')).toBeVisible();
  expect(sent).toEqual(people(1_688).map(({ email }) => [email]));
  await factOf('New members').toBe('New members1,688');
});

proof(
  'a check is tried six times, longer after each, and once more by its user, whose changed mind ends it',
  async () => {
    const { answers } = fakeImports();
    const { api } = openImport({ ...answers, [`POST ${IMPORTS}/dry-run`]: DOWN });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await check(FILE);
    for (const seconds of ['1 second', '2 seconds', '4 seconds', '8 seconds', '16 seconds']) {
      await says(`The server takes more rows in ${seconds}.`);
      await vi.advanceTimersByTimeAsync(1_000 * Number.parseInt(seconds, 10));
    }
    await says('Paused.');
    await says(/ Nothing is stored: check again when it is solved\.$/);
    expect(api.count('POST /api/email-lists/l1/imports/dry-run')).toBe(6);
    await press('Check again');
    await says('The server takes more rows in 1 second.');
    await isGone(page.getByText(/ check again when it is solved\.$/));
    await press('Stop');
    await says('Paused.');
    api.answer(answers);
    await press('Check again');
    await expect.element(button('Import 1 row')).toBeVisible();
  },
);

proof('a check that waits for the server ends when its page is left', async () => {
  const { api, router } = openImport({ ...fakeImports().answers, [`POST ${IMPORTS}/dry-run`]: DOWN });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await check(FILE);
  await says('The server takes more rows in 1 second.');
  await router.navigate('/profile');
  await shows(heading('Profile'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(api.count('POST /api/email-lists/l1/imports/dry-run')).toBe(1);
});

it('each row counts as what becomes of it, and those alone that change something are asked for their emails', async () => {
  const { answers } = fakeImports();
  const forecast: object[] = [];
  const statuses = ['created', 'updated', 'updated', 'unchanged', 'skipped', 'skipped', 'skipped'] as const;
  const results = statuses.map((status, at) => ({
    row: at + 1,
    status,
    ...(status === 'unchanged' && { stays_unsubscribed: true as const }),
  }));
  openImport({
    ...answers,
    [`POST ${IMPORTS}/dry-run`]: { results },
    [`POST ${IMPORTS}/forecast`]: ({ body }) => {
      forecast.push(body);
      return following(0);
    },
    [ROWS]: { import: { ...memberImport, done_rows: 7, state: 'done' }, results },
  });
  await check(['email', ...people(7).map(({ email }) => email)].join('\n'));
  await expect
    .poll(() => textsOf('dl > div'))
    .toEqual([
      'New members1',
      'Members to update2',
      'Unchanged members1',
      'Members to skip3',
      'Refused rows0',
      'Stay unsubscribed1',
    ]);
  expect(forecast).toMatchObject([{ mode: 'update', as: 'subscribed', of: 3 }]);
  expect(forecast).toMatchObject([{ rows: people(3).map(({ email }) => [email]) }]);
  await isGone(button('Save refused rows'));
  await press('Import 7 rows');
  await expect
    .poll(() => textsOf('dl > div'))
    .toEqual([
      'New members1',
      'Updated members2',
      'Unchanged members1',
      'Skipped members3',
      'Refused rows0',
      'Stay unsubscribed1',
    ]);
});

proof('a file of refused rows alone is not imported, and its first ten rows say why', async () => {
  const { api } = openImport(fakeImports().answers);
  await check(`email,name\n${'no one,\n'.repeat(12)}`);
  await says(/^Every row is refused: see why below\./);
  await expect.element(button('Import 0 rows')).toBeDisabled();
  await shows(button('Save refused rows'));
  await says('No emails follow from it in the next 30 days.');
  expect(api.count('POST /api/email-lists/l1/imports/forecast')).toBe(0);
  await says('The first of 12 refused rows');
  expect(textsOf('[aria-label="Refused rows"] tbody tr')).toHaveLength(10);
});

proof.each([
  ['that somebody else ended', { done_rows: 1, state: 'cancelled' }],
  ['whose rows are refused, though nobody else has sent any', { done_rows: 0, state: 'running' }],
] as const)('an import %s stops with the reason', async (_, now) => {
  const { answers, imports } = fakeImports();
  const { api } = openImport(answers);
  await check(FILE);
  api.answer({
    [ROWS]: refusal(409, 'This import has ended.'),
    [`GET ${IMPORTS}/{memberImport}`]: () => ({ ...memberImport, ...imports[0], ...now }),
  });
  await press('Import 1 row');
  await says('This import has ended. What is imported stays: continue when it is solved.');
  await says('Paused.');
});
