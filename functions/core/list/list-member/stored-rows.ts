import { inParallel } from '#core/parallel.ts';
import type * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { changed } from '#shared/metadata.ts';
import * as columnsStore from '../columns.ts';
import * as list from '../list.ts';
import { dateColumnsIn } from './columns.ts';
import type { Row } from './rows.ts';

type Needs = { table: Table; now: Date };
export type Known = Omit<recipientStore.State, 'seq' | 'isErased'>;
export type Texts = Record<string, string[]>;
export type Status = 'created' | 'updated' | 'unchanged';
type Stored = memberships.Unwritten | undefined;

/** How rows are written: by a program or by an import. */
export type Writer<R extends Row, T> = {
  /**
   * Returns the change for a row, or undefined if nothing is to be written. Called again after a conflict; `known` is what
   * was read first.
   */
  decide: (row: R, state: Known, known: Known) => memberships.Change | undefined;
  /** Called once before anything is written. */
  begin?: (rows: R[], knownOf: (row: R) => Known) => Promise<unknown>;
  stored: (row: R, status: Status, membership: Stored) => T;
  rejected: (row: R, errors: Texts) => T;
};

const MOST_AT_ONCE = 20;

export const wantedOf = ({ email, is_subscribed, metadata }: Row) => ({
  email,
  is_subscribed,
  metadata: changed({}, metadata),
});

/** Creates or updates members, each by itself and in no particular order. Repeating the call changes nothing. */
export async function storeRows<R extends Row, T>(
  needs: Needs,
  to: list.CountedList,
  valid: R[],
  writer: Writer<R, T>,
): Promise<T[]> {
  const insert = (columns: string[]) => columnsStore.insertColumns(needs, to.id, columns);
  const { rows, results: rejected } = await withPlaces(valid, insert, writer);
  const { keyOf, knownOf } = await readKnown(needs, to, rows);
  await writer.begin?.(rows, knownOf);
  const joining: (recipient.Joining & { row: R })[] = [];
  const others: R[] = [];
  for (const row of rows) {
    const { membership, left } = knownOf(row);
    const change = membership || left ? undefined : writer.decide(row, knownOf(row), knownOf(row));
    // A change of more than the membership needs a transaction.
    if (change?.membership && !change.entry) {
      joining.push({ row, key: keyOf(row), membership: change.membership });
    } else others.push(row);
  }
  const results = [
    ...rejected,
    ...(await recipient.joinAll(needs, joining, {
      inserted: ({ row, membership }) => writer.stored(row, 'created', membership),
      otherwise: ({ row, key }) => store(needs, to, { row, key, known: knownOf(row), isRead: false }, writer),
    })),
    ...(await inParallel(others, MOST_AT_ONCE, row =>
      store(needs, to, { row, key: keyOf(row), known: knownOf(row), isRead: true }, writer),
    )),
  ];
  if (rows.length > 0) await list.requireNotDeleted(needs, to);
  return results;
}

type One<R> = { row: R; key: recipientKey.RecipientKey; known: Known; isRead: boolean };

async function store<R extends Row, T>(
  needs: Needs,
  to: list.CountedList,
  { row, key, known, isRead }: One<R>,
  writer: Writer<R, T>,
): Promise<T> {
  const decide = (state: Known) => writer.decide(row, state, known);
  try {
    if (isRead && known.membership && !decide(known)) {
      return writer.stored(row, 'unchanged', known.membership);
    }
    const { before, after, isChanged } = await recipient.change(needs, key, to.id, decide);
    return writer.stored(row, statusOf(isChanged, before), after);
  } catch (error) {
    return rejection(row, error, writer);
  }
}

/** Returns what storing the rows would do, and writes nothing. */
export async function tryRows<R extends Row, T>(
  needs: Needs,
  to: list.CountedList,
  valid: R[],
  writer: Writer<R, T>,
): Promise<T[]> {
  const look = (columns: string[]) => columnsStore.columnsWithoutPlace(needs, to.id, columns);
  const { rows, results } = await withPlaces(valid, look, writer);
  const { knownOf } = await readKnown(needs, to, rows);
  const tried = rows.map(row => {
    const known = knownOf(row);
    try {
      const change = writer.decide(row, known, known);
      return writer.stored(
        row,
        statusOf(change !== undefined, known),
        change?.membership ?? known.membership,
      );
    } catch (error) {
      return rejection(row, error, writer);
    }
  });
  return [...results, ...tried];
}

const statusOf = (isChanged: boolean, { membership }: Pick<Known, 'membership'>): Status =>
  !isChanged ? 'unchanged' : membership ? 'updated' : 'created';

function rejection<R extends Row, T>(row: R, error: unknown, { rejected }: Writer<R, T>): T {
  if (!(error instanceof Refusal)) throw error;
  return rejected(row, error.errors ?? { member: [error.message] });
}

/** Rejects the rows with dates in columns for which the list has no place: `placeless` returns those columns. */
async function withPlaces<R extends Row, T>(
  valid: R[],
  placeless: (columns: string[]) => Promise<Set<string>>,
  { rejected }: Writer<R, T>,
) {
  const refused = await placeless(valid.flatMap(({ metadata }) => dateColumnsIn(metadata)));
  const rows: R[] = [];
  const results: T[] = [];
  for (const row of valid) {
    const columns = dateColumnsIn(row.metadata).filter(column => refused.has(column));
    if (columns.length === 0) rows.push(row);
    else results.push(rejected(row, columnsStore.placeErrors(columns)));
  }
  return { rows, results };
}

async function readKnown<R extends Row>({ table }: Needs, to: list.CountedList, rows: R[]) {
  const keyOf = ({ email }: R) => recipientKey.keyOf(to.organization_id, email);
  const known = await recipientStore.readAll(table, rows.map(keyOf), to.id);
  return { keyOf, knownOf: (row: R) => known.get(keyOf(row).hash) as Known };
}
