import { ADDED } from '#core/sources/source.ts';
import { deletePage, type Key, pages, query, queryPage, type Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, deleteWrite, putWrite } from '#core/storage/write.store.ts';
import { datetimesOf, isTimeAtMidnight, type Metadata, timeAt } from '#shared/metadata.ts';
import { MINUTES_OF_DAY, minuteOfDay } from '#shared/time.ts';
import { readTimeZone, timeZoneOf } from '#shared/time-zone.ts';
import { membershipWrite, newLeft, type Unwritten, unchangedCheck } from './membership.ts';
import type { RecipientKey } from './recipient.key.ts';
import type { MemberState } from './recipient.store.ts';

const partition = (listId: string, column: string) => `TRG#${listId}#${column}`;

const inKey = (minute: number) => String(minute).padStart(4, '0');

type RowKey = Key & { GSI1PK?: string; GSI1SK?: string };

function rowKey(listId: string, column: string, { hash, instant, zone }: Trigger): RowKey {
  const day = instant.toISOString().slice(0, 10);
  const minute = minuteOfDay(instant.getTime());
  const SK = `${inKey(minute)}#${day}#${hash}${suffixOf({ instant, zone })}`;
  const row = { PK: partition(listId, column), SK };
  return zone ? { ...row, GSI1PK: zoneIndex(listId, column, zone), GSI1SK: SK } : row;
}

/** The suffix of a date with the time 00:00, which would be read as a date without a time otherwise. */
const MIDNIGHT = '00:00';

/** The suffix of a date: the time zone, and the mark of a time at midnight. */
const suffixOf = ({ instant, zone }: ZonedDate) =>
  `${zone ? `#${zone}` : ''}${isTimeAtMidnight(instant) ? `#${MIDNIGHT}` : ''}`;

function withSuffix(minute: Date, suffix: string): ZonedDate {
  const parts = suffix.split('#').slice(1);
  const name = parts.find(part => part !== MIDNIGHT);
  const zone = name === undefined ? undefined : readTimeZone(name);
  return { instant: parts.includes(MIDNIGHT) ? timeAt(minute) : minute, ...(zone !== undefined && { zone }) };
}

/** A date of a member as a message of the queue has it: `2030-01-01T09:30`, with their time zone if they have one. */
export const triggerText = (date: ZonedDate): string =>
  date.instant.toISOString().slice(0, MINUTE_LENGTH) + suffixOf(date);

export const readTrigger = (text: string): ZonedDate =>
  withSuffix(new Date(`${text.slice(0, MINUTE_LENGTH)}Z`), text.slice(MINUTE_LENGTH));

const MINUTE_LENGTH = '0000-00-00T00:00'.length;

/** A partition of GSI1: the rows of a column whose members are in a time zone. */
const zoneIndex = (listId: string, column: string, zone: string) => `TRG#${listId}#${column}#${zone}`;

/** The row by which a list member was found. */
export const triggerRow: (listId: string, column: string, trigger: Trigger) => Key = rowKey;

type Dated = { list_id: string; metadata: Metadata; created_at: string };

/**
 * The rows by which the sweep finds a list member: one for each of their dates and one for when they were added, by minute
 * of the day, then by day; those of a member with a time zone are also in an index by time zone. A row is nothing but its
 * keys.
 */
export function triggerRows(hash: string, { list_id, metadata, created_at }: Dated): Key[] {
  const zone = timeZoneOf(metadata);
  const dated = [[ADDED, timeAt(new Date(created_at))] as const, ...datetimesOf(metadata)];
  return dated.map(([column, instant]) => rowKey(list_id, column, { hash, instant, zone }));
}

/** A date of a list member, to the minute, and their time zone if they have one. */
type ZonedDate = { instant: Date; zone?: string | undefined };

/** A list member with a date. */
export type Trigger = ZonedDate & { hash: string };

const HASH_LENGTH = 22;
const ROW = new RegExp(
  `^(\\d{4})#(\\d{4}-\\d{2}-\\d{2})#([\\w-]{${HASH_LENGTH}})((?:#[\\w/+-]+)?(?:#${MIDNIGHT})?)$`,
);

/** Empty if the key is not one that the product writes. */
function fromKey(SK: string): Trigger[] {
  const [, minute, day, hash = '', suffix = ''] = ROW.exec(SK) ?? [];
  const at = new Date(Date.parse(`${day}T00:00:00Z`) + Number(minute) * 60_000);
  return Number.isNaN(at.getTime()) ? [] : [{ hash, ...withSuffix(at, suffix) }];
}

// A page of 1 MB has 17,000 rows. Smaller pages let a caller stop in time.
const PER_PAGE = 5_000;

/** The rows of a column in some minutes of the day, from the first until before the second, page by page. */
export async function* triggersBetween(
  table: Table,
  listId: string,
  column: string,
  [from, until]: [from: number, until: number],
): AsyncGenerator<Trigger[]> {
  const rows = rowsBetween(partition(listId, column), inKey(from), inKey(until));
  for await (const items of pages(table, { ...rows, Limit: PER_PAGE })) {
    yield items.flatMap(({ SK }) => fromKey(String(SK)));
  }
}

const UNIT = 4096;

/** How many rows fit in one read unit: reading them costs as much as finding none. */
function fewOf(listId: string, column: string): number {
  const { PK, SK } = rowKey(listId, column, { hash: '-'.repeat(HASH_LENGTH), instant: new Date(0) });
  return Math.floor(UNIT / `PK${PK}SK${SK}`.length);
}

/** Some rows, and the sort key of the last one if there may be more. */
export type TriggerPage = { rows: Trigger[]; last: string | undefined };

/** The first rows of a column from a minute of the day on. */
export const firstTriggers = (
  table: Table,
  listId: string,
  column: string,
  from: number,
): Promise<TriggerPage> =>
  triggerPage(table, { listId, column }, rangeOfMinutes(from, MINUTES_OF_DAY), {
    most: fewOf(listId, column),
  });

/** Sort keys of rows, both ends included. */
export type TriggerRange = { from: string; until: string };

/** The rows of some minutes of the day, from the first until before the second. */
export const rangeOfMinutes = (from: number, until: number): TriggerRange => ({
  from: inKey(from),
  until: inKey(until),
});

/** The rows of one minute of the day: those of one day, or those until the end of a day. */
export const rangeOfDays = (
  minute: number,
  { day, until = day }: { day?: string; until?: string },
): TriggerRange => ({ from: `${inKey(minute)}#${day ?? ''}`, until: `${inKey(minute)}#${until}#~` });

/** A column of a list, or its members in one time zone. */
export type TriggerSource = { listId: string; column: string; zone?: string | undefined };

/** Up to `most` rows of a range, after a sort key if one is given. */
export async function triggerPage(
  table: Table,
  { listId, column, zone }: TriggerSource,
  { from, until }: TriggerRange,
  { most, after = '' }: { most: number; after?: string },
): Promise<TriggerPage> {
  const first = after < from ? from : `${after}~`;
  const rows =
    zone === undefined
      ? rowsBetween(partition(listId, column), first, until)
      : rowsOfZone(zoneIndex(listId, column, zone), first, until);
  const items = await query(table, rows, { most });
  const last = items.at(-1);
  return {
    rows: items.flatMap(({ SK }) => fromKey(String(SK))),
    last: items.length < most || !last ? undefined : String(last.SK),
  };
}

const rowsBetween = (PK: string, from: string, until: string) => ({
  KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :until',
  ExpressionAttributeValues: { ':pk': PK, ':from': from, ':until': until },
  ProjectionExpression: 'SK',
  // Eventually consistent, at half the price: the membership is read before a row is used.
  ConsistentRead: false,
});

const rowsOfZone = (partition: string, from: string, until: string) => ({
  IndexName: 'GSI1',
  KeyConditionExpression: 'GSI1PK = :partition AND GSI1SK BETWEEN :from AND :until',
  ExpressionAttributeValues: { ':partition': partition, ':from': from, ':until': until },
  ProjectionExpression: 'SK',
});

const isSameKey = (a: Key) => (b: Key) => a.PK === b.PK && a.SK === b.SK;

const DATE_LENGTH = '0000#0000-00-00#'.length + HASH_LENGTH;

/** Whether two rows are of one date of a member, under two time zones. */
export const isOfSameDate = (a: Key, b: Key) =>
  a.PK === b.PK && a.SK.slice(0, DATE_LENGTH) === b.SK.slice(0, DATE_LENGTH);

/** The rows that are not among the existing ones. */
export const rowsNotIn = (existing: Key[], rows: Key[]) => rows.filter(row => !existing.some(isSameKey(row)));

/** Whether a column of a list has any row. */
export const hasTriggers = async (table: Table, listId: string, column: string): Promise<boolean> =>
  (await queryPage(table, partition(listId, column), '')).items.length > 0;

/** Deletes a page of the rows in a column of a deleted list. Returns true if there may be more. */
export const purgeTriggers = (table: Table, listId: string, column: string) =>
  deletePage(table, partition(listId, column), '');

/** The trigger rows of a membership: only a member who may be mailed has any. */
export const triggersOf = (
  hash: string,
  head: MemberState['head'],
  membership: Unwritten | undefined,
): Key[] => (membership?.status === 'subscribed' && !head?.suppression ? triggerRows(hash, membership) : []);

type Needs = { table: Table; now: Date };

/**
 * Deletes those of the trigger rows that the membership, as it was read, does not have: a process left them behind when
 * it died. Returns false if the membership has changed since.
 *
 * If there is no membership, the rows may be those of an insert that is under way. So a membership that has ended is stored:
 * then the insert fails, and is repeated as a change, which writes its rows again.
 */
export async function deleteStrayTriggers(
  { table, now }: Needs,
  { key, listId, state }: { key: RecipientKey; listId: string; state: MemberState },
  rows: Key[],
): Promise<boolean> {
  const own = triggersOf(key.hash, state.head, state.membership);
  const stray = rowsNotIn(own, rows);
  if (stray.length === 0) return true;
  // The membership may have been stored before time zones were kept in its rows.
  const instead = own.filter(row => stray.some(other => isOfSameDate(row, other)));
  const isKnown = state.membership !== undefined || state.left !== undefined;
  const guard = isKnown
    ? unchangedCheck(table, key, state, listId)
    : membershipWrite(table, key, state, newLeft(listId, false, now.toISOString()));
  const writes = [...instead.map(row => putWrite(table, row)), ...stray.map(row => deleteWrite(table, row))];
  return conditionsHeld(commit(table, [guard, ...writes]));
}
