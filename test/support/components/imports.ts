import { expect } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ImportRows, MemberImport, RowOutcome } from '#shared/member-import.ts';
import type { Answers } from './api.ts';
import { list, profile } from './examples.ts';
import { memberImport } from './members.ts';
import { button, field, press } from './page.ts';
import { open } from './render.tsx';

export const IMPORTS = '/api/email-lists/{list}/imports';
export const ROWS = `POST ${IMPORTS}/{memberImport}/rows` as const;

/** Stores what it is sent as the API does: who has no address is refused. */
export function fakeImports(first: Partial<MemberImport>[] = []) {
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
      of.counts = { ...of.counts };
      for (const { status } of results) of.counts[status]++;
      of.state = of.done_rows === of.total_rows ? 'done' : 'running';
      return { import: { ...of }, results };
    },
    [`GET ${IMPORTS}/{memberImport}/errors`]: { data: [], next_cursor: null },
  };
  return { answers, imports, sent };
}

export const openImport = (answers: Answers) => open('/email-lists/l1/import', { ...profile, ...answers });
export const choose = async (text: string | Uint8Array<ArrayBuffer>, name = 'people.csv') => {
  await expect.element(button('Choose a file')).toBeVisible();
  await userEvent.upload(field('Choose a file'), new File([text], name, { type: 'text/csv' }));
};
/** Of two rows, and the second one is refused. */
export const FILE = 'email,since\nann@example.com,01/02/2030\nnobody,31/12/2030\n';
export const check = async (text: string) => {
  await choose(text);
  await field('How they agreed to get emails').fill('Form');
  await press('Check the file');
};
