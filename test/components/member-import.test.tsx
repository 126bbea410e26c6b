import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ImportRows, MemberImport, RowOutcome } from '#shared/member-import.ts';
import { type Answers, refusal } from '../support/components/api.ts';
import { list, organization, profile } from '../support/components/examples.ts';
import { memberImport } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';
import { linesIn } from '../support/csv-cells.ts';

const savedFile = watchSavedFile();

const IMPORTS = '/api/email-lists/{list}/imports';
const ROWS = `POST ${IMPORTS}/{memberImport}/rows` as const;

/** Stores what it is sent as the API does: who has no address is refused. */
function fakeImports(first: Partial<MemberImport>[] = []) {
  const imports = first.map(one => ({ ...memberImport, ...one }));
  const sent: unknown[] = [];
  const outcomes = ({ from, rows }: Pick<ImportRows, 'from' | 'rows'>) =>
    rows.map((row, at): RowOutcome => {
      const isRow = Array.isArray(row) && String(row[0]).includes('@');
      const errors = [{ column: 'email', reason: 'Enter a valid email address' }];
      return isRow ? { row: from + at, status: 'created' } : { row: from + at, status: 'rejected', errors };
    });
  const answers: Answers = {
    'GET /api/email-lists/{list}': list,
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
    [`GET ${IMPORTS}`]: () => [...imports],
    [`POST ${IMPORTS}/dry-run`]: ({ body }) => ({ results: outcomes(body) }),
    [`POST ${IMPORTS}/forecast`]: { next_24_hours: 0, next_30_days: 0, automations: [], sampled: null },
    [`POST ${IMPORTS}`]: ({ body }) => {
      const created = { ...memberImport, ...body, id: 'i1', consent: null } as MemberImport;
      imports.unshift(created);
      return created;
    },
    [ROWS]: ({ body }) => {
      const [of] = imports;
      if (!of) throw new Error('There is no import');
      const results = outcomes(body);
      sent.push(...body.rows);
      of.done_rows += results.length;
      of.counts = { ...of.counts, created: of.counts.created + results.length };
      of.state = of.done_rows === of.total_rows ? 'done' : 'running';
      return { import: { ...of }, results };
    },
    [`GET ${IMPORTS}/{memberImport}/errors`]: { data: [], next_cursor: null },
  };
  return { answers, imports, sent };
}

const openImport = (answers: Answers) => open('/email-lists/l1/import', { ...profile, ...answers });
const choose = async (text: string, name = 'people.csv') => {
  await expect.element(button('Choose a file')).toBeVisible();
  await userEvent.upload(field('Choose a file'), new File([text], name, { type: 'text/csv' }));
};
const FILE = 'email,since\nann@example.com,01/02/2030\nnobody,31/12/2030\n';
const check = async (text: string) => {
  await choose(text);
  await field('How they agreed to get emails').fill('Form');
  await press('Check the file');
};
const factOf = (name: string) =>
  expect.poll(
    () =>
      [...document.querySelectorAll('dl > div')].find(row => row.textContent?.startsWith(name))?.textContent,
  );

it('a file of members is checked, then imported with its dates converted, and what was refused is shown', async () => {
  const { answers, sent } = fakeImports();
  const { api } = openImport(answers);
  await choose(FILE);
  await says('2 rows, 2 columns, separated by commas, UTF-8');
  await says('Dates such as 01/02/2030 are stored as 2030-02-01.');
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
  await expect.element(page.getByRole('row', { name: /^people\.csv Done/ })).toBeVisible();
});

it('keys are written as placeholders are, unless the names of the file are kept, and unread dates are said', async () => {
  openImport(fakeImports().answers);
  const dates = ['2030-01-31', '2030-02-01', 'tbd', '2030-03-01'];
  await choose(['email,Signed Up', ...dates.map((date, at) => `p${at}@example.com,${date}`)].join('\n'));
  await says('Keys are written as placeholders usually are: signed_up for Signed Up.');
  await press('Keep the names of the file');
  await expect.element(field('Key of Signed Up')).toHaveValue('Signed Up');
  await field('How they agreed to get emails').fill('Form');
  await press('Check the file');
  await says(/^1 date in Signed Up could not be read: tbd\./);
});

it('a column keeps its name where an automation starts from it, or an earlier import has stored it so', async () => {
  const column = { position: 1, name: 'Plan', to: 'metadata' as const, key: 'Plan' };
  const { answers } = fakeImports([{ state: 'done', columns: [column] }]);
  openImport({
    ...answers,
    'GET /api/email-lists/{list}/datetime-metadata-columns': {
      columns: ['Trial Ends'],
      stats: { 'Trial Ends': 3 },
    },
  });
  await choose('email,Plan,Trial Ends,First Name\nann@example.com,pro,2030-01-31,Ann');
  for (const [name, key] of [
    ['Plan', 'Plan'],
    ['Trial Ends', 'Trial Ends'],
    ['First Name', 'first_name'],
  ] as const)
    await expect.element(field(`Key of ${name}`)).toHaveValue(key);
});

it('dates whose day and month may be swapped stay text until an order is chosen', async () => {
  openImport(fakeImports().answers);
  await choose('email,since\nann@example.com,01/02/2030\nben@example.com,03/04/2030');
  await says(/^Dates such as 01\/02\/2030 are not in the form 2026-01-31: stored as text/);
  await field('Dates of since').selectOptions('Convert, day first');
  await says('Dates such as 01/02/2030 are stored as 2030-02-01.');
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

const SAMPLED = { ...following(0), automations: [], sampled: { people: 500, of: 20_000, margin: 120 } };

it.each([
  ['a sample says that there may be more than 100 emails', SAMPLED, / 120 emails more or less\.$/],
  [
    'it is not known which emails follow',
    refusal(422, 'No'),
    /^Which emails follow .* could not be found out\.$/,
  ],
] as const)('an import asks too where %s', async (_, forecast, text) => {
  const { answers, imports } = fakeImports();
  openImport({ ...answers, [`POST ${IMPORTS}/forecast`]: forecast });
  await check(FILE);
  await says(text);
  await press('Import 1 row');
  await expect.element(dialog().getByText(text)).toBeVisible();
  expect(imports).toEqual([]);
  await answer('Import all the same');
  await expect.element(heading('Result')).toBeVisible();
});

it('the focus stays in the step of the file while it is read, and does not go to earlier imports', async () => {
  openImport(fakeImports([{ state: 'done' }]).answers);
  await expect.element(button('Choose a file')).toBeVisible();
  await focus(button('Choose a file'));
  await choose(FILE);
  await expect.element(button('Choose another file')).toHaveFocus();
});

it('another choice for an import makes another check necessary', async () => {
  openImport(fakeImports().answers);
  await check(FILE);
  await expect.element(button('Import 1 row')).toBeVisible();
  await field('What email is').selectOptions('Ignore');
  await says('Choose the column that contains the email addresses.');
  await expect.element(button('Check the file')).toBeDisabled();
});

it('an import is checked, forecast and created as it was chosen, with who agreed to it, and when', async () => {
  const { answers } = fakeImports();
  const asked: object[] = [];
  const noting = (route: keyof Answers) => ({
    [route]: (of: { body: object }) => {
      asked.push(of.body);
      return (answers[route] as (of: object) => never)(of);
    },
  });
  openImport({ ...answers, ...noting(`POST ${IMPORTS}/dry-run`), ...noting(`POST ${IMPORTS}`) });
  await choose(FILE);
  await field('Import people as').selectOptions('Unsubscribed');
  await field('People who are members already').selectOptions('Skip');
  await field('What automations do').selectOptions('Start nothing');
  await field('Source (optional)').fill('Fair');
  await field('Date of consent (optional)').fill('2030-01-05');
  await press('Check the file');
  await press('Import 1 row');
  await expect.element(heading('Result')).toBeVisible();
  const columns = [
    { position: 0, name: 'email', to: 'email' },
    { position: 1, name: 'since', to: 'metadata', key: 'since', dates: 'day_first' },
  ];
  const how = { columns, mode: 'skip', as: 'unsubscribed', start_nothing: true };
  const file = { file_name: 'people.csv', total_rows: 2, consent: { source: 'Fair', date: '2030-01-05' } };
  expect(asked).toMatchObject([how, { ...how, ...file }]);
});

it('an import gives the server the time that it asks for', async () => {
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
      Object.assign(imports[0] ?? {}, { done_rows: 1 });
      return refusal(403, 'Your role does not allow this.');
    },
  });
  await press('Import 1 row');
  await says(/^Your role does not allow this\./);
  api.answer({ [ROWS]: answers[ROWS] });

  await press('Choose another file');
  await says('1 of 2 rows of people.csv are imported: choose people.csv again to continue.');
  await choose(`${FILE}ben@example.com,`);
  await says(/^This is not the people\.csv of which 1 row/);
  await press('Choose another file');
  await choose(FILE);
  await shows(button('Continue the import'));
  await isGone(page.getByText(/^This is not the people\.csv/));
  await press('Continue the import');
  await expect.element(heading('Result')).toBeVisible();
  expect(sent).toEqual([['nobody', '2030-12-31']]);
});

it('the file of refused rows has those too that another tab has sent meanwhile', async () => {
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
    [`GET ${IMPORTS}/{memberImport}/errors`]: {
      data: [2, 3].map(row => ({ row, column: 'email', reason })),
      next_cursor: null,
    },
  });
  await press('Import 2 rows');
  await expect.element(heading('Result')).toBeVisible();
  await factOf('Refused rows').toBe('Refused rows3');
  await press('Save refused rows');
  await expect.poll(() => savedFile()?.name).toBe('refused rows of people.csv');
  expect(linesIn(await savedFile()?.content.text())).toEqual([
    'email,since,Import error',
    `nobody,31/12/2030,email: ${reason}`,
    `no one,,email: ${reason}`,
    `none,,email: ${reason}`,
  ]);
});

it('an import of suppressed people is for owners and admins, and says so', async () => {
  const { answers } = fakeImports();
  openImport({ ...answers, 'GET /api/organizations': [{ ...organization, role: 'USER' }] });
  await choose('email,suppression\nann@example.com,\n');
  await says(/Only an owner or admin can import people as bounced or complained/);
  await expect.element(field('What suppression is')).toHaveValue('ignored');
  const optionsOf = (name: string) =>
    [...(field(name).element() as HTMLSelectElement).options]
      .filter(({ disabled }) => disabled)
      .map(({ text }) => text);
  expect(optionsOf('Import people as')).toEqual([
    'Suppressed: their address bounced',
    'Suppressed: they complained',
  ]);
  expect(optionsOf('What suppression is')).toEqual(['Suppression: for owners and admins']);
});

it('a second press on Import begins no second import, whose rows would be missing in the first', async () => {
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
});

it('somebody who leaves a running import is asked, and stays until then', async () => {
  const { answers } = fakeImports();
  const { api, router } = openImport(answers);
  await check(FILE);
  api.answer({ [ROWS]: new Promise(() => {}) });
  await press('Import 1 row');
  await says('0 of 2 rows imported');
  void router.navigate('/email-lists/l1');
  await expect.element(dialog().getByText('Leave while the import runs?')).toBeVisible();
  await answer('Stay');
  await says('0 of 2 rows imported');
});

it('the undo of an import goes on until all of it is done, and says who was mailed', async () => {
  const { answers } = fakeImports([{ state: 'done', done_rows: 2 }]);
  const { api } = openImport(answers);
  const undo = (rows_left: number) => ({ removed: 2 - rows_left, mailed: 1, stay_changed: 0, rows_left });
  let left = 2;
  api.answer({
    [`POST ${IMPORTS}/{memberImport}/undo`]: () => {
      left--;
      return { ...memberImport, state: left > 0 ? 'undoing' : 'undone', undo: undo(left) };
    },
  });
  await rowAction('people.csv', 'Undo');
  await answer('Remove members');
  await says('2 members removed, 1 of them had been mailed.');
});

it('the undo of an import that is refused half-way says so, and its row says how far it is', async () => {
  const { answers, imports } = fakeImports([{ state: 'done', done_rows: 2 }]);
  const { api } = openImport(answers);
  api.answer({
    [`POST ${IMPORTS}/{memberImport}/undo`]: () => {
      const [of] = imports;
      if (!of || of.undo) return refusal(409, 'Another change of this import is under way.');
      of.state = 'undoing';
      of.undo = { removed: 1, mailed: 0, stay_changed: 0, rows_left: 1 };
      return { ...of };
    },
  });
  await rowAction('people.csv', 'Undo');
  await pressInDialog('Remove members');
  await says('Another change of this import is under way.');
  await pressInDialog('Cancel');
  await shows(page.getByRole('row', { name: /^people\.csv Being undone 1 member removed/ }));
});

it('the undo of an import stops when its page is left', async () => {
  const { answers } = fakeImports([{ state: 'done', done_rows: 2 }]);
  const { api, router } = openImport({ ...answers, 'GET /api/email-lists': [] });
  let calls = 0;
  let end = () => {};
  api.answer({
    [`POST ${IMPORTS}/{memberImport}/undo`]: async () => {
      calls++;
      await new Promise<void>(done => {
        end = done;
      });
      return {
        ...memberImport,
        state: 'undoing',
        undo: { removed: 1, mailed: 0, stay_changed: 0, rows_left: 1 },
      };
    },
  });
  await rowAction('people.csv', 'Undo');
  await pressInDialog('Remove members');
  await expect.poll(() => calls).toBe(1);
  end();
  await expect.poll(() => calls).toBe(2);
  await router.navigate('/email-lists');
  await expect.poll(() => document.querySelector('[role=dialog]')).toBeNull();
  end();
  await router.navigate('/email-lists/l1/import');
  await expect.element(page.getByRole('row', { name: /^people\.csv/ })).toBeVisible();
  expect(calls).toBe(2);
});
