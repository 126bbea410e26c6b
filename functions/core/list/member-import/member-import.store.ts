import { Refusal } from '#core/refusal.ts';
import {
  deletePage,
  fromItem,
  get,
  getStored,
  type Item,
  type Key,
  query,
  queryBackwards,
  queryPage,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionCheck,
  conditionsHeld,
  deleteItem,
  PRESENT,
  putItem,
  unchanged,
  updateItem,
  updateWrite,
} from '#core/storage/write.store.ts';
import {
  type ImportCounts,
  type ImportState,
  type MemberImport,
  ROW_STATUSES,
  type RowError,
  type RowOutcome,
} from '#shared/member-import.ts';

type Shown = Omit<MemberImport, 'email_list_id' | 'counts' | 'undo' | 'consent' | 'start_nothing'>;

export type StoredImport = Shown &
  ImportCounts & {
    organization_id: number;
    list_id: string;
    consent?: NonNullable<MemberImport['consent']>;
    by: string;
    start_nothing?: boolean;
    /** While the import is being undone: the first row of the next chunk to process. */
    undo_next?: number;
    removed?: number;
    /** How many of the removed members had been mailed. */
    mailed?: number;
    stay_changed?: number;
  };

// Apart from the organization, so that the right to write imports does not include its other items.
const partition = (organization: number) => `ORG#${organization}#IMPORTS`;
const prefixOf = (list: string) => `${list}#`;
export const importKey = (organization: number, list: string, id: string): Key => ({
  PK: partition(organization),
  SK: `${prefixOf(list)}${id}`,
});
const keyOf = ({ organization_id, list_id, id }: Named) => importKey(organization_id, list_id, id);
export type Named = Pick<StoredImport, 'organization_id' | 'list_id' | 'id'>;

export const importIn = (items: Item[], id: string) =>
  storedOf<StoredImport>(
    items.find(({ PK, SK }) => /#IMPORTS$/.test(String(PK)) && String(SK).endsWith(`#${id}`)),
  );

export const insert = (table: Table, created: StoredImport) =>
  putItem(table, { ...keyOf(created), ...created }, ABSENT);

export const read = async (table: Table, named: Named) =>
  storedOf<StoredImport>(await get(table, keyOf(named)));

export const readThese = (table: Table, named: Named[]): Promise<StoredImport[]> =>
  getStored(table, named.map(keyOf));

export const importNotFound = () => new Refusal('not-found', 'Import not found');

export async function readExisting(table: Table, named: Named): Promise<StoredImport> {
  const current = await read(table, named);
  if (current) return current;
  throw importNotFound();
}

const MOST_LISTED = 50;

/** The newest imports of a list. Their ids begin with the time, so they sort by it. */
export const readNewest = async (table: Table, organization: number, list: string): Promise<StoredImport[]> =>
  (await queryBackwards(table, partition(organization), prefixOf(list), MOST_LISTED)).map(
    fromItem<StoredImport>,
  );

type State = { state: ImportState };

/** Changes the state of an import and returns it. Returns undefined if its state is not the one that was read. */
export const changeState = async (table: Table, before: StoredImport, set: State & Partial<StoredImport>) =>
  storedOf<StoredImport>(await updateItem(table, keyOf(before), { set }, unchanged(before, ['state'])));

/** The rows of one call. If it has no outcomes, a process has begun to store them and has not finished. */
export type Chunk = {
  from: number;
  begun_at: string;
  first_begun_at: string;
  rows?: number;
  /** The hashes of the addresses that the call may have added to the list. */
  added: string[];
  outcomes?: PackedOutcomes;
};

const chunks = ({ organization_id, id }: Named) => `IMPORT#${organization_id}#${id}`;
const chunkKey = (of: Named, from: number): Key => ({ PK: chunks(of), SK: String(from).padStart(7, '0') });

function chunkOf(item: Item): Chunk {
  const { begun_at, first_begun_at, rows, added, ...outcomes } = item as Item & Partial<PackedOutcomes>;
  const { statuses, texts, errors } = outcomes;
  return {
    from: Number(item.SK),
    begun_at: String(begun_at),
    first_begun_at: String(first_begun_at),
    added: [...((added as Set<Uint8Array> | undefined) ?? [])].map(hash =>
      Buffer.from(hash).toString('base64url'),
    ),
    ...(rows !== undefined && {
      rows: rows as number,
      outcomes: { statuses, texts, errors } as PackedOutcomes,
    }),
  };
}

export async function readChunk(table: Table, of: Named, from: number): Promise<Chunk | undefined> {
  const item = await get(table, chunkKey(of, from));
  return item && chunkOf(item);
}

export const readChunks = async (table: Table, of: Named, from: number, most: number): Promise<Chunk[]> =>
  (
    await query(
      table,
      {
        KeyConditionExpression: 'PK = :pk AND SK >= :from',
        ExpressionAttributeValues: { ':pk': chunks(of), ':from': chunkKey(of, from).SK },
        ConsistentRead: true,
      },
      { most },
    )
  ).map(chunkOf);

const isNext = (from: number) => ({
  condition: '#state = :running AND #done = :before',
  names: { '#state': 'state', '#done': 'done_rows' },
  values: { ':running': 'running' satisfies ImportState, ':before': from - 1 },
});
const NOT_DONE = { condition: 'attribute_not_exists(statuses)' };

/** Records the people that the rows may add. It precedes adding them, so that an undo finds them if the process dies. */
export const begin = (table: Table, of: Named, from: number, added: string[], now: Date): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      conditionCheck(table, keyOf(of), isNext(from)),
      updateWrite(
        table,
        chunkKey(of, from),
        {
          set: { begun_at: now.toISOString() },
          first: { first_begun_at: now.toISOString() },
          ...(added.length > 0 && {
            add: { added: new Set(added.map(hash => Buffer.from(hash, 'base64url'))) },
          }),
        },
        NOT_DONE,
      ),
    ]),
  );

type Ended = { outcomes: PackedOutcomes; counts: ImportCounts; isLast: boolean };

/** Counts the rows in the transaction that stores their outcomes: once, however often they are sent. */
export function end(
  table: Table,
  of: Named,
  from: number,
  { outcomes, counts, isLast }: Ended,
  now: Date,
): Promise<boolean> {
  const rows = outcomes.statuses.length;
  const set = { updated_at: now.toISOString(), ...(isLast && { state: 'done' satisfies ImportState }) };
  return conditionsHeld(
    commit(table, [
      updateWrite(table, keyOf(of), { set, add: { ...counts, done_rows: rows } }, isNext(from)),
      updateWrite(table, chunkKey(of, from), { set: { ...outcomes, rows } }, NOT_DONE),
    ]),
  );
}

type Undone = { removed: number; mailed: number; stay_changed: number };

/** Counts what was undone of some rows and moves on to the next ones. Returns false if another call has done so. */
export async function countUndone(
  table: Table,
  { undo_next, ...of }: StoredImport,
  next: number,
  undone: Undone,
  now: Date,
): Promise<StoredImport | undefined> {
  const item = await updateItem(
    table,
    keyOf(of),
    { set: { undo_next: next, updated_at: now.toISOString() }, add: undone },
    unchanged({ undo_next, state: 'undoing' satisfies ImportState }, ['undo_next', 'state']),
  );
  return storedOf(item);
}

/** The chunks are deleted before the import that leads to them. Returns true if there may be more. */
export async function purgeSome(table: Table, organization: number, list: string): Promise<boolean> {
  const { items, more } = await queryPage(table, partition(organization), prefixOf(list));
  for (const item of items) {
    const named = fromItem<StoredImport>(item);
    if (await deletePage(table, chunks(named), '')) return true;
    await deleteItem(table, keyOf(named), PRESENT);
  }
  return more;
}

/** The outcomes of the rows of one call, packed: a byte for each row, and each distinct text once. */
export type PackedOutcomes = {
  statuses: Uint8Array;
  texts: RowError[];
  /** For each error the position of the row in the call, and that of the text: two bytes each. */
  errors: Uint8Array;
};

const STAYS = 0x80;
const ERROR_BYTES = 4;

export function packed(outcomes: RowOutcome[]): PackedOutcomes {
  const statuses = Buffer.alloc(outcomes.length);
  const places = new Map<string, number>();
  const texts: RowError[] = [];
  const errors: [row: number, text: number][] = [];
  for (const [at, { status, stays_unsubscribed, errors: found = [] }] of outcomes.entries()) {
    statuses[at] = ROW_STATUSES.indexOf(status) | (stays_unsubscribed ? STAYS : 0);
    for (const error of found) {
      const text = JSON.stringify(error);
      const place = places.get(text) ?? texts.push(error) - 1;
      places.set(text, place);
      errors.push([at, place]);
    }
  }
  const bytes = Buffer.alloc(errors.length * ERROR_BYTES);
  for (const [index, [row, text]] of errors.entries()) {
    bytes.writeUInt16BE(row, index * ERROR_BYTES);
    bytes.writeUInt16BE(text, index * ERROR_BYTES + 2);
  }
  return { statuses, texts, errors: bytes };
}

export function unpacked({ statuses, texts, errors }: PackedOutcomes, from: number): RowOutcome[] {
  const byRow = Map.groupBy(errorsIn({ texts, errors }, from), ({ row }) => row);
  return [...Buffer.from(statuses)].map((byte, at): RowOutcome => {
    const row = from + at;
    const found = byRow.get(row)?.map(({ column, reason }) => ({ column, reason }));
    const status = ROW_STATUSES[byte & ~STAYS] ?? 'unchanged';
    return {
      row,
      status,
      ...(byte & STAYS && { stays_unsubscribed: true as const }),
      ...(found && { errors: found }),
    };
  });
}

export function errorsIn({ texts, errors }: Pick<PackedOutcomes, 'texts' | 'errors'>, from: number) {
  const bytes = Buffer.from(errors);
  return Array.from({ length: bytes.length / ERROR_BYTES }, (_, index) => ({
    row: from + bytes.readUInt16BE(index * ERROR_BYTES),
    ...(texts[bytes.readUInt16BE(index * ERROR_BYTES + 2)] ?? { column: '', reason: '' }),
  }));
}
