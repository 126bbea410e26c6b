import type * as list from '#core/list/list.ts';
import type * as memberImportStore from '#core/list/member-import/member-import.store.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { NewImport } from '#shared/member-import.ts';
import { crashingAtEachWrite } from './crash.ts';

const FILE = NewImport.parse({
  file_name: 'people.csv',
  size: 10,
  fingerprint: 'a'.repeat(64),
  total_rows: 2,
  as: 'unsubscribed',
  columns: [{ position: 0, name: 'Email', to: 'email' }],
});

let count = 0;

/** Imports members to these lists, and undoes some of the imports. Others stay, some of them unfinished. */
export async function exerciseImports(
  { table, now }: { table: Table; now: Date },
  lists: list.CountedList[],
): Promise<void> {
  /** Each use is a minute later, as the number of rows per minute is limited. */
  const needs = (on: Table) => ({
    table: on,
    user: 'u',
    role: 'OWNER' as const,
    hasTimeLeft: () => true,
    now: new Date(now.getTime() + ++count * 60_000),
  });
  for (const of of lists) {
    const created = async () => {
      const { id } = await memberImport.create(needs(table), of, FILE);
      return memberImport.found(
        id,
        await getAll(table, memberImport.keysOf(of.organization_id, id, { list: of.id })),
      );
    };
    const send = (on: Table, one: memberImportStore.StoredImport) =>
      memberImport.addRows(needs(on), of, one, {
        from: 1,
        rows: [[`imported${++count}@example.com`], ['nobody']],
      });
    const stored = async () => {
      const one = await created();
      await send(table, one);
      return one;
    };
    await stored();
    await created();
    if (of !== lists[0]) continue;
    await crashingAtEachWrite(table, created, send);
    await crashingAtEachWrite(table, stored, (on, one) => memberImport.undo(needs(on), one));
  }
}
