import { inParallel } from '#core/parallel.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { Refusal, textsByField } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { Address } from '#shared/address.ts';
import type { RowResult } from '#shared/list-member.ts';
import {
  changed,
  faultOf,
  faultOfSize,
  looksLikeEpoch,
  type MetadataChange,
  wholeFaultOf,
} from '#shared/metadata.ts';
import { unreadDateText } from '#shared/written-date.ts';
import * as columnsStore from '../counts.ts';
import * as list from '../list.ts';
import { dateColumnsIn } from './columns.ts';

type Needs = { table: Table; now: Date };
export type Texts = Record<string, string[]>;

export type Row = {
  index: number;
  email: string;
  is_subscribed: boolean | undefined;
  metadata: MetadataChange;
  warnings: Texts;
};

/** Creates or updates the members that a program sends, each by itself. Repeating the call changes nothing. */
export async function upsertAll(
  needs: Needs,
  to: list.CountedList,
  members: unknown[],
): Promise<RowResult[]> {
  const { rows, rejected } = readRows(members);
  const results = await storeRows(needs, to, rows, programWriter(needs.now, to.id));
  return [...results, ...rejected].sort((a, b) => a.index - b.index);
}

const programWriter = (now: Date, listId: string): Writer<Row, RowResult> => ({
  decide: (row, state) =>
    state.membership
      ? memberships.membershipChange(now, state, changeOf(row), 'api')
      : { membership: memberships.newMembership(now, listId, newMemberOf(row), state) },
  stored: resultOf,
  rejected: rejection,
});

/** A program may unsubscribe a member, but never subscribe them again. */
export const changeOf = ({ is_subscribed, metadata }: Row) => ({
  is_subscribed: is_subscribed === false ? false : undefined,
  metadata,
});

const rejection = ({ index, email }: Row, errors: Texts): RowResult => ({
  index,
  email,
  status: 'rejected',
  errors,
});

const STAYS_UNSUBSCRIBED = 'This person unsubscribed or cannot be mailed any more, so they stay unsubscribed';

function resultOf(
  { index, email, is_subscribed, warnings: others }: Row,
  status: RowResult['status'],
  membership: Pick<memberships.Membership, 'status'> | undefined,
): RowResult {
  const wasRefused = membership?.status === 'unsubscribed' && is_subscribed !== false;
  const wanted = is_subscribed === true || status === 'created';
  const warnings = { ...others, ...(wasRefused && wanted && { is_subscribed: [STAYS_UNSUBSCRIBED] }) };
  return { index, email, status, ...(Object.keys(warnings).length > 0 && { warnings }) };
}

const OWN_FIELDS = ['email', 'is_subscribed'];

/** The valid rows, and the errors of the others. A call may contain an address only once. */
export function readRows(members: unknown[]): { rows: Row[]; rejected: RowResult[] } {
  const rows: Row[] = [];
  const rejected: RowResult[] = [];
  const seen = new Map<string, number>();
  members.forEach((member, index) => {
    const { row, email, errors } = readRow(member, index, seen);
    if (row) rows.push(row);
    else rejected.push({ index, email, status: 'rejected', errors });
    if (row) seen.set(row.email, index);
  });
  return { rows, rejected };
}

function readRow(member: unknown, index: number, seen: Map<string, number>) {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) {
    return { email: null, errors: { member: ['A member must be an object with an email'] } };
  }
  const { email: given, is_subscribed, ...fields } = member as Record<string, unknown>;
  const metadata = fields as MetadataChange;
  const address = Address.safeParse(given ?? '');
  const email = address.success ? address.data : null;
  const earlier = email === null ? undefined : seen.get(email);
  const faults: Fault[] = [
    ...(address.error?.issues ?? []).map(({ message }): Fault => ['email', message]),
    ...(earlier === undefined
      ? []
      : [['email', `This address is in the call twice: see row ${earlier}`] as Fault]),
    ...(is_subscribed === undefined || typeof is_subscribed === 'boolean'
      ? []
      : [['is_subscribed', 'is_subscribed must be true or false'] as Fault]),
    ...faultsOf(member, metadata),
  ];
  if (email === null || faults.length > 0) {
    const shown = email ?? (typeof given === 'string' ? given.slice(0, LONGEST_SHOWN) : null);
    return { email: shown, errors: textsByField(faults) };
  }
  const row: Row = {
    index,
    email,
    is_subscribed: is_subscribed as boolean | undefined,
    metadata,
    warnings: warningsOf(metadata),
  };
  return { row, email, errors: {} };
}

type Fault = [field: string, message: string];

function faultsOf(member: object, fields: MetadataChange): Fault[] {
  const size = faultOfSize(fields);
  if (size) return [['metadata', size]];
  const faults = Object.entries(member).flatMap(([key, value]): Fault[] => {
    const fault = OWN_FIELDS.includes(key) ? undefined : faultOf(key, value);
    return fault ? [[key, fault]] : [];
  });
  const whole = faults.length === 0 && wholeFaultOf(changed({}, fields));
  return whole ? [['metadata', whole]] : faults;
}

const LONGEST_SHOWN = 254;

const AS_IT_IS = 'Stored as it is, not as a date. Write a date as 2026-01-31 or 2026-01-31T12:00:00Z';

const warningOf = (value: unknown) => (looksLikeEpoch(value) ? AS_IT_IS : unreadDateText(value));

/** Values that may be meant as dates are stored as text, and nothing is changed silently. By key, below a path. */
export const warningsOf = (metadata: MetadataChange, path = ''): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) => {
      const warning = warningOf(value);
      return warning === undefined ? [] : [[`${path}${key}`, [warning]]];
    }),
  );

type Status = 'created' | 'updated' | 'unchanged';
type Stored = memberships.Unwritten | undefined;

export type Writer<R extends Row, T> = {
  /** Undefined if nothing is to be written. Called again after a conflict; `known` is what was read first. */
  decide: (
    row: R,
    state: recipientStore.MemberState,
    known: recipientStore.MemberState,
  ) => memberships.Change | undefined;
  /** Called once before anything is written. */
  begin?: (rows: R[], knownOf: (row: R) => recipientStore.MemberState) => Promise<unknown>;
  stored: (row: R, status: Status, membership: Stored) => T;
  rejected: (row: R, errors: Texts) => T;
};

const MOST_AT_ONCE = 20;

export const newMemberOf = ({ email, is_subscribed, metadata }: Row) => ({
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
    ...(await recipient.insertMemberships(needs, joining, {
      onInserted: ({ row, membership }) => writer.stored(row, 'created', membership),
      onConflict: ({ row, key }) =>
        store(needs, to, { row, key, known: knownOf(row), isRead: false }, writer),
    })),
    ...(await inParallel(others, MOST_AT_ONCE, row =>
      store(needs, to, { row, key: keyOf(row), known: knownOf(row), isRead: true }, writer),
    )),
  ];
  if (rows.length > 0) await list.requireNotDeleted(needs, to);
  return results;
}

type One<R> = { row: R; key: recipientKey.RecipientKey; known: recipientStore.MemberState; isRead: boolean };

async function store<R extends Row, T>(
  needs: Needs,
  to: list.CountedList,
  { row, key, known, isRead }: One<R>,
  writer: Writer<R, T>,
): Promise<T> {
  const decide = (state: recipientStore.MemberState) => writer.decide(row, state, known);
  try {
    if (isRead && known.membership && !decide(known)) {
      return writer.stored(row, 'unchanged', known.membership);
    }
    const { before, after, isChanged } = await recipient.change(needs, key, to.id, decide);
    return writer.stored(row, statusOf(isChanged, before), after);
  } catch (error) {
    return rejectedRow(row, error, writer);
  }
}

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
      return rejectedRow(row, error, writer);
    }
  });
  return [...results, ...tried];
}

const statusOf = (
  isChanged: boolean,
  { membership }: Pick<recipientStore.MemberState, 'membership'>,
): Status => (!isChanged ? 'unchanged' : membership ? 'updated' : 'created');

function rejectedRow<R extends Row, T>(row: R, error: unknown, { rejected }: Writer<R, T>): T {
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
  return { keyOf, knownOf: (row: R) => known.get(keyOf(row).hash) as recipientStore.MemberState };
}
