import type { Claim, Marks } from '../../recipient/recipient/recipient.ts';
import type { Counter } from '../../storage/projection/projection.ts';
import { type Item, type Key, queryPartition, sortKeyRange, type Table } from '../../storage/table.store.ts';

/** What is counted of the emails of a combination, and the letter it is stored under: names count for the size of an item. */
const LETTERS = {
  sent: 's',
  opened: 'o',
  clicked: 'c',
  unsub_clicked: 'l',
  unsubscribed: 'u',
  bounced: 'b',
  complained: 'x',
} as const;
export type Counted = keyof typeof LETTERS;
const COUNTED = Object.keys(LETTERS) as Counted[];

export const reportPartition = (organization: number) => `ORG#${organization}#REPORT`;

/** One item holds a month of a combination, each day under a name of its own: `s07` is what was sent on the 7th. */
const rollupKey = (organization: number, month: string, combination: string): Key => ({
  PK: reportPartition(organization),
  SK: `${month}#${combination}`,
});

/** The rollups of a month, as they are stored. */
export const readMonth = (table: Table, organization: number, month: string): Promise<Item[]> =>
  queryPartition(table, reportPartition(organization), `${month}#`);

/** The first and the last month with a rollup. */
export async function firstAndLast(table: Table, organization: number) {
  const range = await sortKeyRange(table, reportPartition(organization));
  return range && { first: monthIn(range.first), last: monthIn(range.last) };
}

const monthIn = (SK: string) => SK.slice(0, 'yyyy-mm'.length);
export const combinationOf = ({ SK }: Item) => String(SK).slice('yyyy-mm#'.length);

export type Counts = Partial<Record<Counted, number>>;
type Of = { organization: number; combination: string };

/** What to add to which items: everything counts on the day of its email, `yyyy-mm-dd`. */
export function rollupCounters(
  { organization, combination }: Of,
  byDay: Iterable<[string, Counts]>,
): Counter[] {
  const months = Map.groupBy(byDay, ([day]) => day.slice(0, 7));
  return [...months].map(([month, days]) => ({
    key: rollupKey(organization, month, combination),
    add: Object.fromEntries(days.flatMap(([day, counts]) => fieldsOf(day.slice(8), counts))),
  }));
}

const fieldsOf = (date: string, counts: Counts): [string, number][] =>
  COUNTED.flatMap(name => (counts[name] ? [[`${LETTERS[name]}${date}`, counts[name]]] : []));

/** The counts of an item, by day. */
export function countsIn({ SK, ...fields }: Item): Map<string, Counts> {
  const days = Map.groupBy(Object.keys(fields).filter(isCount), field => field.slice(1));
  return new Map(
    [...days].map(([date, names]) => [
      `${String(SK).slice(0, 7)}-${date}`,
      Object.fromEntries(names.map(name => [counted(name[0]), Number(fields[name])])),
    ]),
  );
}

export const isCount = (field: string) => /^[a-z]\d\d$/.test(field) && counted(field[0]) !== undefined;
const counted = (letter: string | undefined) => COUNTED.find(name => LETTERS[name] === letter);

/** As what a mark of a claim is counted. What machines do is counted nowhere, and that it was sent by who settles it. */
const COUNTED_AS: Partial<Record<keyof Marks, Counted>> = {
  opened_at: 'opened',
  first_clicked_at: 'clicked',
  unsub_clicked_at: 'unsub_clicked',
  unsubscribed_at: 'unsubscribed',
  bounced_at: 'bounced',
  complained_at: 'complained',
};
export const COUNTED_MARKS = Object.keys(COUNTED_AS) as (keyof Marks)[];

const countsOf = (marks: (keyof Marks)[]): Counts =>
  Object.fromEntries(marks.flatMap(mark => (COUNTED_AS[mark] ? [[COUNTED_AS[mark], 1]] : [])));

/** A claim as far as it is counted. */
export type CountedClaim = { at: string; combination: string; released: boolean; marks: (keyof Marks)[] };

export const countedOf = (claim: Claim): CountedClaim => ({
  ...claim,
  released: claim.released === true,
  marks: COUNTED_MARKS.filter(mark => claim[mark] !== undefined),
});

type Change = {
  organization_id: number;
  before: CountedClaim | undefined;
  after: CountedClaim | undefined;
};

/** What the new marks of a claim add to the rollup of its combination. */
export function markCounters({ organization_id: organization, before, after }: Change): Counter[] {
  if (!before || !after || after.released) return [];
  const counts = countsOf(after.marks.filter(mark => !before.marks.includes(mark)));
  if (Object.keys(counts).length === 0) return [];
  const { at, combination } = after;
  // Nearly always the rollup exists, since it counts what was sent: then this needs no other item.
  return rollupCounters({ organization, combination }, [[at.slice(0, 10), counts]]).map(counter => ({
    ...counter,
    guard: counter.key,
    organization,
  }));
}
