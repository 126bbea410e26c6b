import { countMembers, MEMBERS_A_CALL } from '#core/account/call-budgets.ts';
import { inParallel } from '#core/parallel.ts';
import { type Membership, newMembership, type Unwritten } from '#core/recipient/membership.ts';
import { keyOf } from '#core/recipient/recipient.key.ts';
import { changeMemberships, type PersonState, readPerson } from '#core/recipient/recipient.ts';
import { invalid, Refusal, textsByField } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { BACKFILL } from '#core/timeouts.ts';
import { type EventResult, EventRow, instantIn, MOST_EVENT_NAMES } from '#shared/event.ts';
import { changed, type Metadata, type MetadataValue, wholeFaultOf } from '#shared/metadata.ts';
import { DAY } from '#shared/time.ts';
import { insertColumns, placeRefusal } from '../counts.ts';
import * as list from '../list.ts';
import { dateColumnsIn } from '../list-member/columns.ts';
import { warningsOf } from '../list-member/rows.ts';
import { readNames } from './event.store.ts';

type Needs = { table: Table; now: Date };
/** `count`: memberships that are about to be written. */
type Storing = Needs & { organization: number; count: (memberships: number) => Promise<void> };

type Event = Omit<EventRow, 'at' | 'email_list_id'> & {
  index: number;
  at: Date;
  /** Without one, all lists that the person is in. */
  list: list.CountedList | undefined;
};

const MOST_AT_ONCE = 20;

/**
 * Stores events, each by itself: the instant as the date of that name, and its properties. Events of one person are stored one after
 * the other. A repeated call stores nothing more of an event that has an instant or a key. More memberships than a call of members
 * may have count as further calls: a person may be on a thousand lists.
 */
export async function storeAll(needs: Needs, organization: number, rows: unknown[]): Promise<EventResult[]> {
  const results: EventResult[] = [];
  const reject = (index: number, errors: Record<string, string[]>) => {
    results[index] = { index, status: 'rejected', errors };
  };
  const valid: (EventRow & { index: number })[] = [];
  for (const [index, row] of rows.entries()) {
    const { event, errors } = readRow(needs.now, row);
    if (event) valid.push({ ...event, index });
    else reject(index, errors);
  }
  const lists = await readLists(needs, organization, valid);
  const names = await readNames(needs, organization, [...new Set(valid.map(({ event }) => event))]);
  const events: Event[] = [];
  for (const { email_list_id: id, at = needs.now, ...event } of valid) {
    const of = lists.get(id ?? '');
    if (id !== undefined && !of) reject(event.index, { email_list_id: [UNKNOWN_LIST] });
    else if (names.refused.has(event.event)) reject(event.index, { event: [NO_PLACE] });
    else events.push({ ...event, at, list: of });
  }
  const insertOnce = insertingOnce(needs);
  let covered = MEMBERS_A_CALL;
  const count = async (memberships: number) => {
    covered -= memberships;
    const more = Math.max(0, -covered);
    covered += Math.ceil(more / MEMBERS_A_CALL) * MEMBERS_A_CALL;
    await countMembers(needs, organization, more);
  };
  await inParallel([...Map.groupBy(events, ({ email }) => email).values()], MOST_AT_ONCE, async ofPerson => {
    for (const event of inOrder(ofPerson))
      results[event.index] = await storeEvent({ ...needs, organization, count }, event, insertOnce);
  });
  const came = events.filter(({ index }) => results[index]?.status !== 'rejected');
  await names.note([...new Set(came.map(({ event }) => event))]);
  return results;
}

const UNKNOWN_LIST = 'The organization has no email list with this id';
const NO_PLACE = `An organization can have ${MOST_EVENT_NAMES} names of events. One that has not come for 30 days gives way to a new one: send ids and the like in the properties`;

const OLDEST = 365 * DAY;

function readRow(now: Date, row: unknown): { event?: EventRow; errors: Record<string, string[]> } {
  const { success, data: event, error } = EventRow.safeParse(row);
  if (!success) {
    const faults = error.issues.map(({ path, message }) => [path.join('.') || 'event', message] as const);
    return { errors: textsByField(faults) };
  }
  const age = event.at ? now.getTime() - event.at.getTime() : 0;
  const own = `properties.${event.event}`;
  const errors = {
    ...(age > OLDEST && { at: ['An event must not be older than a year'] }),
    ...(age < -DAY && { at: ['An event must not be more than a day ahead'] }),
    ...(Object.hasOwn(event.properties, event.event) && {
      [own]: ['This is the name of the event: its value is at'],
    }),
    ...(event.create &&
      event.email_list_id === undefined && {
        email_list_id: ['Send the email list on which to create them'],
      }),
  };
  return Object.keys(errors).length > 0 ? { errors } : { event, errors };
}

async function readLists({ table }: Needs, organization: number, events: EventRow[]) {
  const ids = [...new Set(events.flatMap(({ email_list_id }) => email_list_id ?? []))];
  const found = await inParallel(ids, MOST_AT_ONCE, id => list.lookUp({ table }, organization, id));
  return new Map(ids.map((id, at) => [id, found[at]]));
}

/** Of one name the newest first, as the others change nothing then; its properties count among those of other names. */
function inOrder(events: Event[]): Event[] {
  const byName = [...Map.groupBy(events, ({ event }) => event).values()];
  return byName
    .map(named => named.toSorted((a, b) => b.at.getTime() - a.at.getTime()))
    .sort(([a], [b]) => Number(a?.at) - Number(b?.at))
    .flat();
}

async function storeEvent(needs: Storing, event: Event, insertOnce: InsertColumns): Promise<EventResult> {
  const { index } = event;
  try {
    const status = await statusOf(needs, event, insertOnce);
    const warnings = status === 'stored' ? warningsOfEvent(needs.now, event) : {};
    return { index, status, ...(Object.keys(warnings).length > 0 && { warnings }) };
  } catch (error) {
    // The call is to be repeated.
    if (!(error instanceof Refusal) || error.reason === 'too-many') throw error;
    return { index, status: 'rejected', errors: error.errors ?? { event: [error.message] } };
  }
}

const LATE =
  'This is more than an hour ago: an email that was due by now is not sent, only what is due from now on';

const warningsOfEvent = (now: Date, { at, properties }: Event): Record<string, string[]> => ({
  ...(now.getTime() - at.getTime() > BACKFILL && { at: [LATE] }),
  ...warningsOf(properties, 'properties.'),
});

async function statusOf(
  needs: Storing,
  event: Event,
  insertOnce: InsertColumns,
): Promise<'stored' | 'unchanged' | 'unknown'> {
  const key = keyOf(needs.organization, event.email);
  const { list: to, idempotency_key } = event;
  const happened = event.at.toISOString();
  let isUnknown = false;
  let isCreated = false;
  const status = await changeMemberships(needs, key, {
    known: await readPerson(needs.table, key),
    once: idempotency_key === undefined ? undefined : { key: idempotency_key, at: happened },
    decide: async (state, at = happened) => {
      const known = state.memberships.filter(({ list_id }) => !to || list_id === to.id);
      isCreated = known.length === 0 && event.create;
      const after =
        isCreated && to
          ? [created(needs.now, event, to.id, state, at)]
          : known.flatMap(membership => withEvent(needs.now, event, membership, at) ?? []);
      await needs.count(after.length);
      const stored = await withColumns(event, after, insertOnce);
      isUnknown = stored.length === 0 && after.length === known.length;
      return stored;
    },
  });
  if (isUnknown && status === 'unchanged') return 'unknown';
  if (isCreated && to) await list.requireNotDeleted(needs, to);
  return status;
}

const valuesOf = ({ event, properties }: Event, at: string) => ({ ...properties, [event]: at });

function created(now: Date, event: Event, list_id: string, state: PersonState, at: string): Unwritten {
  const metadata = requireWhole(changed({}, valuesOf(event, at)));
  const left = state.left.find(one => one.list_id === list_id);
  return newMembership(now, list_id, { email: event.email, metadata }, { head: state.head, left });
}

/** Undefined if the membership has the event, or a later one. */
export function withEvent(
  now: Date,
  event: Event,
  membership: Membership,
  at: string,
): Unwritten | undefined {
  const { revision: _, ...kept } = membership;
  const before = Object.hasOwn(kept.metadata, event.event) ? kept.metadata[event.event] : undefined;
  if (!isBefore(before, at)) return undefined;
  const metadata = requireWhole(changed(kept.metadata, valuesOf(event, at)));
  return { ...kept, metadata, updated_at: now.toISOString() };
}

function isBefore(value: MetadataValue | undefined, at: string): boolean {
  if (value === undefined || value === '') return true;
  const before = typeof value === 'string' ? instantIn(value) : undefined;
  // It may be a time zone or a name, which an event would destroy.
  if (!before)
    throw invalid('event', 'This member has metadata of this name that is no date: use another name');
  return before.toISOString() < at;
}

function requireWhole(metadata: Metadata): Metadata {
  const fault = wholeFaultOf(metadata);
  if (fault) throw invalid('properties', fault);
  return metadata;
}

/** Without the memberships of lists that are deleted. */
async function withColumns(event: Event, after: Unwritten[], insertOnce: InsertColumns) {
  const columns = [event.event, ...dateColumnsIn(event.properties)];
  const placeless = await inParallel(after, MOST_AT_ONCE, ({ list_id }) => insertOnce(list_id, columns));
  const refused = new Set(placeless.flatMap(names => names ?? []));
  if (refused.size > 0) {
    const fieldOf = (column: string) => (column === event.event ? 'event' : `properties.${column}`);
    throw placeRefusal(refused, fieldOf);
  }
  return after.filter((_, at) => placeless[at]);
}

/** Returns the columns for which the list has no place; undefined if it is deleted. */
type InsertColumns = (listId: string, columns: string[]) => Promise<string[] | undefined>;

/** Each column of a list once, and for one event after the other: at once they would be in each other's way. */
function insertingOnce(needs: Needs): InsertColumns {
  const turns = new Map<string, Promise<Map<string, boolean> | undefined>>();
  const insert = async (id: string, columns: string[], done: Map<string, boolean>) => {
    const missing = columns.filter(column => !done.has(column));
    const refused = await insertColumns(needs, id, missing).catch(ifDeleted);
    return refused && new Map([...done, ...missing.map(name => [name, !refused.has(name)] as const)]);
  };
  return async (id, columns) => {
    const before = turns.get(id) ?? Promise.resolve(new Map<string, boolean>());
    const turn = before.then(done => done && insert(id, columns, done));
    turns.set(id, turn);
    const placed = await turn;
    return placed && columns.filter(column => !placed.get(column));
  };
}

function ifDeleted(error: unknown): undefined {
  if (error instanceof Refusal && error.reason === 'not-found') return undefined;
  throw error;
}
