import { ADDED } from '#core/sources/source.ts';
import { deletePage, type Key, pages, query, queryPage, type Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, deleteWrite, putWrite, type Write } from '#core/storage/write.store.ts';
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

const MIDNIGHT = '00:00';

const suffixOf = ({ instant, zone }: ZonedDate) =>
  `${zone ? `#${zone}` : ''}${isTimeAtMidnight(instant) ? `#${MIDNIGHT}` : ''}`;

function withSuffix(minute: Date, suffix: string): ZonedDate {
  const parts = suffix.split('#').slice(1);
  const name = parts.find(part => part !== MIDNIGHT);
  const zone = name === undefined ? undefined : readTimeZone(name);
  return { instant: parts.includes(MIDNIGHT) ? timeAt(minute) : minute, ...(zone !== undefined && { zone }) };
}

/** As in a message of the queue: `2030-01-01T09:30`, with the time zone of the member if they have one. */
export const triggerText = (date: ZonedDate): string =>
  date.instant.toISOString().slice(0, MINUTE_LENGTH) + suffixOf(date);

export const readTrigger = (text: string): ZonedDate =>
  withSuffix(new Date(`${text.slice(0, MINUTE_LENGTH)}Z`), text.slice(MINUTE_LENGTH));

const MINUTE_LENGTH = '0000-00-00T00:00'.length;

const zoneIndex = (listId: string, column: string, zone: string) => `TRG#${listId}#${column}#${zone}`;

export const triggerRow: (listId: string, column: string, trigger: Trigger) => Key = rowKey;

type Dated = { list_id: string; metadata: Metadata; created_at: string };

/** For each date and for when the member was added, by minute of the day, then by day. With a zone, also in an index by it. */
export function triggerRows(hash: string, { list_id, metadata, created_at }: Dated): Key[] {
  const zone = timeZoneOf(metadata);
  const dated = [[ADDED, timeAt(new Date(created_at))] as const, ...datetimesOf(metadata)];
  return dated.map(([column, instant]) => rowKey(list_id, column, { hash, instant, zone }));
}

type ZonedDate = { instant: Date; zone?: string | undefined };

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

/** From the first minute of the day until before the second. */
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

/** Reading so many rows costs as much as finding none. */
function fewOf(listId: string, column: string): number {
  const { PK, SK } = rowKey(listId, column, { hash: '-'.repeat(HASH_LENGTH), instant: new Date(0) });
  return Math.floor(UNIT / `PK${PK}SK${SK}`.length);
}

/** `last`: the sort key of the last one if there may be more. */
export type TriggerPage = { rows: Trigger[]; last: string | undefined };

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

/** From the first minute until before the second. */
export const rangeOfMinutes = (from: number, until: number): TriggerRange => ({
  from: inKey(from),
  until: inKey(until),
});

/** Of one day, or until the end of a day. */
export const rangeOfDays = (
  minute: number,
  { day, until = day }: { day?: string; until?: string },
): TriggerRange => ({ from: `${inKey(minute)}#${day ?? ''}`, until: `${inKey(minute)}#${until}#~` });

export type TriggerSource = { listId: string; column: string; zone?: string | undefined };

/** After a sort key if one is given. */
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

export const rowsNotIn = (existing: Key[], rows: Key[]) => rows.filter(row => !existing.some(isSameKey(row)));

export const hasTriggers = async (table: Table, listId: string, column: string): Promise<boolean> =>
  (await queryPage(table, partition(listId, column), '')).items.length > 0;

/** Returns true if there may be more. */
export const purgeTriggers = (table: Table, listId: string, column: string) =>
  deletePage(table, partition(listId, column), '');

/** Only a member who may be mailed has any. */
export const triggersOf = (
  hash: string,
  head: MemberState['head'],
  membership: Unwritten | undefined,
): Key[] => (membership?.status === 'subscribed' && !head?.suppression ? triggerRows(hash, membership) : []);

/** If `addsAny`, they are written on condition that the address was not suppressed since the head was read. */
export function triggerWrites(
  table: Table,
  hash: string,
  before: Pick<MemberState, 'head' | 'membership'>,
  after: Unwritten | undefined,
): { writes: Write[]; addsAny: boolean } {
  // A suppression that is under way may not have come to this list, and leaves it out once the membership is ended.
  const rowsBefore = triggersOf(hash, undefined, before.membership);
  const rowsAfter = triggersOf(hash, before.head, after);
  const added = rowsNotIn(rowsBefore, rowsAfter);
  const removed = rowsNotIn(rowsAfter, rowsBefore);
  return {
    writes: [...removed.map(row => deleteWrite(table, row)), ...added.map(row => putWrite(table, row))],
    addsAny: added.length > 0,
  };
}

type Needs = { table: Table; now: Date };

/**
 * A process that died has left them behind. Returns false if the membership has changed since it was read. Without a
 * membership, the rows may be of an insert under way: an ended one is stored, and the insert is repeated as a change.
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
