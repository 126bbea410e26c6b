import type { Item, Key } from '../table.store.ts';

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

export type Counts = Partial<Record<Counted, number>>;
type Of = { organization: number; combination: string };

/** What to add to which items: everything counts on the day of its email, `yyyy-mm-dd`. */
export function rollupCounters({ organization, combination }: Of, byDay: Iterable<[string, Counts]>) {
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

const isCount = (field: string) => /^[a-z]\d\d$/.test(field) && counted(field[0]) !== undefined;
const counted = (letter: string | undefined) => COUNTED.find(name => LETTERS[name] === letter);
