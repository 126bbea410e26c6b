import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { MemberImport } from '#shared/member-import.ts';
import { formatMoment } from '#web/lib/format.ts';
import { DOWN, held, refusal } from '../support/components/api.ts';
import { fakeImports, IMPORTS, openImport } from '../support/components/imports.ts';
import { memberImport, people, person } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  isGone,
  keys,
  leadsTo,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
} from '../support/components/page.ts';
import { proof } from '../support/proof.ts';

const IMPORTED: Partial<MemberImport>[] = [
  { state: 'running', done_rows: 1, counts: { ...memberImport.counts, created: 1, updated: 2, rejected: 3 } },
  { state: 'done' },
  { state: 'cancelled', done_rows: 1, start_nothing: true },
  { state: 'undoing', undo: { removed: 1, mailed: 0, stay_changed: 3, rows_left: 1 } },
  { state: 'undone', undo: { removed: 2, mailed: 1, stay_changed: 1, rows_left: 0 } },
  // A newer API may name a state that an open page does not know.
  { state: 'paused' as never },
];

it('the imports of a list say what became of each, and offer what can still be done with it', async () => {
  const named = IMPORTED.map((one, at) => ({
    ...one,
    id: `i${at}`,
    file_name: `${one.state}.csv`,
    updated_at: '2030-02-01T00:00:00Z',
  }));
  const { answers } = fakeImports(named);
  const { api } = openImport({ ...answers, [`GET ${IMPORTS}`]: DOWN });
  await says('The imports could not be loaded. Please try again');
  api.answer(answers);
  await press('Try again');
  await says('1 of 2 rows of running.csv are imported: choose running.csv again to continue.');
  const cells = (column: number) => textsOf(`[aria-label=Imports] tbody td:nth-of-type(${column})`);
  expect(cells(2)).toEqual(['Unfinished', 'Done', 'Ended early', 'Being undone', 'Undone', 'Not known']);
  expect(cells(4)).toEqual(Array(6).fill(formatMoment(memberImport.created_at)));
  await expect
    .poll(() => cells(3))
    .toEqual([
      '1 of 2 rows, 1 new, 2 updated, 3 refused',
      '0 new, 0 updated, 0 refused',
      '1 of 2 rows, 0 new, 0 updated, 0 refused, started nothing',
      '1 member removed, 3 stay as they were changed since',
      '2 members removed, 1 of them had been mailed, 1 stays as it was changed since',
      '0 of 2 rows, 0 new, 0 updated, 0 refused',
    ]);
  for (const [name, ...more] of [
    ['running', 'End it here', 'Undo'],
    ['done', 'Undo'],
    ['cancelled', 'Undo'],
    ['undoing', 'Continue undoing'],
    ['undone'],
  ]) {
    await press(`Actions for ${name}.csv`);
    await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Show its members', ...more]);
    await keys('{Escape}');
    await isGone(page.getByRole('menu'));
  }
  api.answer({ [`GET ${IMPORTS}/{memberImport}/members`]: { data: [], next_cursor: null } });
  await rowAction('undone.csv', 'Show its members');
  await shows(dialog().getByText('None of its members are left'));
});

it('an import is ended where it is', async () => {
  const { answers, imports } = fakeImports(IMPORTED.slice(0, 1));
  const { api } = openImport(answers);
  api.answer({ [`PUT ${IMPORTS}/{memberImport}`]: DOWN });
  await rowAction('people.csv', 'End it here');
  await shows(dialog().getByText(/^What is imported of it stays: 1 row\./));
  await pressInDialog('End import');
  await shows(dialog().getByText('The import could not be ended. Please try again'));
  api.answer({
    [`PUT ${IMPORTS}/{memberImport}`]: ({ body }) => Object.assign(imports[0] ?? memberImport, body),
  });
  await answer('End import');
  await shows(page.getByRole('row', { name: /^people\.csv Ended early 1 of 2 rows/ }));
  await isGone(page.getByText(/again to continue\.$/));
});

it('the members that an import added are shown, some at a time', async () => {
  const MEMBERS = `GET ${IMPORTS}/{memberImport}/members` as const;
  const { api } = openImport({ ...fakeImports([{ state: 'done' }]).answers, [MEMBERS]: DOWN });
  await rowAction('people.csv', 'Show its members');
  await shows(dialog().getByText('Members added by people.csv'));
  await shows(dialog().getByRole('alert'));
  api.answer({ [MEMBERS]: { data: people(2), next_cursor: 'c2' } });
  await pressInDialog('Try again');
  const shown = () => textsOf('[aria-label="Members of the import"] tbody tr');
  await expect.poll(shown).toEqual(['person10@example.comSubscribed', 'person11@example.comSubscribed']);
  api.answer({ [MEMBERS]: DOWN });
  await pressInDialog('Show more');
  await shows(dialog().getByRole('alert'));
  api.answer({
    [MEMBERS]: ({ query }) => ({
      data: query.get('cursor') === 'c2' ? [{ ...person('last'), is_subscribed: false }] : [],
      next_cursor: null,
    }),
  });
  await pressInDialog('Show more');
  await expect.poll(() => shown().at(-1)).toBe('last@example.comUnsubscribed');
  expect(shown()).toHaveLength(3);
  await isGone(dialog().getByRole('alert'));
  await isGone(button('Show more'));
  await leadsTo('person10@example.com', '/list-members/person10');
});

it('the undo of an import goes on until all of it is done, and says who was mailed', async () => {
  const { answers } = fakeImports([{ state: 'done', done_rows: 2 }]);
  const { api } = openImport(answers);
  const undo = (rows_left: number) => ({ removed: 2 - rows_left, mailed: 1, stay_changed: 0, rows_left });
  const { answer: waiting, release } = held<void>();
  let left = 2;
  api.answer({
    [`POST ${IMPORTS}/{memberImport}/undo`]: async () => {
      left--;
      if (left === 0) await waiting();
      return { ...memberImport, state: left > 0 ? 'undoing' : 'undone', undo: undo(left) };
    },
  });
  await rowAction('people.csv', 'Undo');
  await pressInDialog('Remove members');
  await shows(dialog().getByText('Removing... 1 row left'));
  const calls = api.count(`GET ${IMPORTS.replace('{list}', 'l1')}`);
  release();
  await isGone(dialog());
  expect(api.count(`GET ${IMPORTS.replace('{list}', 'l1')}`)).toBeGreaterThan(calls);
  await says('2 members removed, 1 of them had been mailed.');
});

proof('the undo of an import that is refused half-way says so, and its row says how far it is', async () => {
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

proof('the undo of an import stops when its page is left', async () => {
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
