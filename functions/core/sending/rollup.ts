import { createHash } from 'node:crypto';
import { inParallel } from '#core/parallel.ts';
import type { Counter } from '#core/storage/projection.ts';
import {
  deletePage,
  getAll,
  type Item,
  type Key,
  pages,
  type RawItem,
  type Reading,
  rawPages,
  sortKeyRange,
  type Table,
} from '#core/storage/table.store.ts';
import { MAILBOX_NAMES, type Mailbox } from '#shared/mailbox.ts';
import { dayAfter } from '#shared/report/range.ts';
import { type Amounts, classOf, partOf } from './amounts.ts';

const HASH_LENGTH = 5;
const HASHES = 36 ** HASH_LENGTH;

/** A whole id would make the names of counts much longer, and names make up most of an item. */
export const automationHash = (id: string) =>
  (createHash('sha256').update(id).digest().readUIntBE(0, 6) % HASHES)
    .toString(36)
    .padStart(HASH_LENGTH, '0');

/** The letters of names: names add to the size of an item. */
const LETTERS = {
  sent: 's',
  opened: 'o',
  machine_opened: 'm',
  clicked: 'c',
  unsub_clicked: 'l',
  unsubscribed: 'u',
  bounced: 'b',
  complained: 'x',
  /** In ten-thousandths. */
  value: 'v',
  /** How often value was reported. */
  reported: 'r',
  /** Emails after which their person converted. */
  conversions: 'n',
} as const;
export type Counted = keyof typeof LETTERS;
const COUNTED = Object.keys(LETTERS) as Counted[];

/** Only combinations among which one automation chooses for the same emails can be compared. */
const BY_AUTOMATION = ['sent', 'clicked', 'conversions'] as const satisfies Counted[];
const isOfAutomations = (name: Counted): name is (typeof BY_AUTOMATION)[number] =>
  (BY_AUTOMATION as readonly Counted[]).includes(name);

/** Beside the combinations, the items of a day count by mailbox provider: they are written anyway. */
const letterOf = (mailbox: Mailbox | undefined) => (mailbox === 'other' ? 'x' : (mailbox?.charAt(0) ?? ''));
const mailboxOf = (letter: string) => MAILBOX_NAMES.find(mailbox => letterOf(mailbox) === letter);
export const mailboxIn = (field: string) => (field.length === 2 ? mailboxOf(field.charAt(1)) : undefined);

const reportPartition = (organization: number) => `ORG#${organization}#REPORT`;

/**
 * The items of a day: so few that a batch changes no more for each of its days, and so many that counting an open costs one
 * write unit. Around midnight the emails of a batch count on two days: twice as many still fit in one transaction.
 */
const BUCKETS = 48;
export const bucketOf = (combination: string) =>
  String(createHash('sha256').update(combination).digest().readUInt8() % BUCKETS).padStart(2, '0');

/**
 * Each count is an attribute: `o` and a combination, or `s`, a combination and the hash of the automation that sent it. By mailbox
 * provider it is `o` and a letter. `k` and `a`, a combination, a class of amounts and a tenth of the people: how many emails brought
 * in such an amount, and how much together.
 */
const rollupKey = (organization: number, day: string, combination: string): Key => ({
  PK: reportPartition(organization),
  SK: `${day}#${bucketOf(combination)}`,
});

export type Days = { from: string; to: string };

const rangeOf = (organization: number, { from, to }: Days) => ({
  PK: reportPartition(organization),
  from,
  to: `${to}#~`,
});

export const pagesOfDays = (
  table: Table,
  organization: number,
  days: Days,
  { consistent }: Reading,
): AsyncGenerator<Item[]> => {
  const { PK, from, to } = rangeOf(organization, days);
  return pages(table, {
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': PK, ':from': from, ':to': to },
    ConsistentRead: consistent,
  });
};

export async function readDays(
  table: Table,
  organization: number,
  days: Days,
  reading: Reading,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOfDays(table, organization, days, reading)) items.push(...page);
  return items;
}

const MOST_DAYS_AT_ONCE = 10;

/** By day and combination; only of one combination if it is given. */
export async function readCounts(
  table: Table,
  organization: number,
  days: string[],
  combination?: string,
): Promise<Map<string, Map<string, Counts>>> {
  const found =
    combination === undefined
      ? await inParallel(days, MOST_DAYS_AT_ONCE, day =>
          readDays(table, organization, { from: day, to: day }, { consistent: false }),
        )
      : [
          await getAll(
            table,
            days.map(day => rollupKey(organization, day, combination)),
            { consistent: false },
          ),
        ];
  const byDay = new Map<string, Map<string, Counts>>();
  for (const { day, counts } of found.flat().map(countsIn)) {
    byDay.set(day, new Map([...(byDay.get(day) ?? []), ...counts]));
  }
  return byDay;
}

export async function firstAndLast(table: Table, organization: number) {
  const range = await sortKeyRange(table, reportPartition(organization));
  return range && { first: dayIn(range.first), last: dayIn(range.last) };
}

export type Sums = Record<Counted, number>;
export const noSums = (): Sums => Object.fromEntries(COUNTED.map(name => [name, 0])) as Sums;

const BY_LETTER = new Map(COUNTED.map(name => [LETTERS[name] as string, name]));
const FIELD_LENGTH = 's0123456789ab'.length;
const AMOUNT_LENGTH = FIELD_LENGTH + 3;
const LONG_LENGTH = FIELD_LENGTH + HASH_LENGTH;
/** Emails that were chosen by shares are counted apart from those of their automation that were chosen at equal ones. */
const WEIGHTED = 'w';
const WEIGHTED_LENGTH = LONG_LENGTH + WEIGHTED.length;
const isByAutomation = ({ length }: string) => length === LONG_LENGTH || length === WEIGHTED_LENGTH;
const isOfLength = (field: string) => field.length === FIELD_LENGTH || isByAutomation(field);
const combinationIn = (field: string) => field.slice(1, FIELD_LENGTH);
export const combinationOf = (field: string) => (isOfLength(field) ? combinationIn(field) : undefined);

const MOST_PARTS_AT_ONCE = 8;

/** In parallel parts of `daysOfPart` days, as reports read tens of thousands of items. `take` throws if time is over. */
export async function readInParts(
  table: Table,
  organization: number,
  { from, to }: Days,
  daysOfPart: number,
  take: (items: RawItem[]) => void,
): Promise<void> {
  const parts: Days[] = [];
  for (let day = from; day <= to; day = dayAfter(day, daysOfPart)) {
    const last = dayAfter(day, daysOfPart - 1);
    parts.push({ from: day, to: last < to ? last : to });
  }
  await inParallel(parts, MOST_PARTS_AT_ONCE, async part => {
    for await (const items of rawPages(table, rangeOf(organization, part), { consistent: false }))
      take(items);
  });
}

/** By combination, or by what else is in the name of a count. */
export function addTo(
  sums: Map<string, Sums>,
  item: RawItem,
  keyIn: (field: string) => string | undefined = combinationOf,
): void {
  for (const field in item) {
    const key = keyIn(field);
    const name = key && BY_LETTER.get(field.charAt(0));
    if (!name) continue;
    let ofKey = sums.get(key);
    if (!ofKey) {
      ofKey = noSums();
      sums.set(key, ofKey);
    }
    ofKey[name] += Number(item[field]?.N);
  }
}

export function total(all: Iterable<Sums>): Sums {
  const total = noSums();
  for (const sums of all) for (const name of COUNTED) total[name] += sums[name];
  return total;
}

const dayIn = (SK: string) => SK.slice(0, 'yyyy-mm-dd'.length);
export const dayOf = ({ SK }: RawItem) => dayIn(SK?.S ?? '');
export const bucketIn = ({ SK }: Key) => SK.slice('yyyy-mm-dd#'.length);

export type Counts = Partial<Record<Counted, number>>;

type Source = {
  combination: string;
  automation?: string | undefined;
  mailbox?: Mailbox | undefined;
  weighted?: boolean | undefined;
};

/** By which a batch counts. */
export const sentName = ({ combination, mailbox, weighted }: Source) =>
  `${combination}${letterOf(mailbox)}${weighted ? WEIGHTED : ''}`;
export function sentIn(name: string): Source {
  const [combination, marks] = [name.slice(0, FIELD_LENGTH - 1), name.slice(FIELD_LENGTH - 1)];
  const weighted = marks.endsWith(WEIGHTED);
  return { combination, mailbox: mailboxOf(weighted ? marks.slice(0, -1) : marks), weighted };
}

/** Everything counts on the day of its email, `yyyy-mm-dd`. */
export function rollupCounter(
  organization: number,
  day: string,
  { combination, automation, mailbox, weighted }: Source,
  counts: Counts,
): Counter {
  const hash = automation ? `${automationHash(automation)}${weighted ? WEIGHTED : ''}` : '';
  const fieldsOf = (name: Counted) => [
    `${LETTERS[name]}${combination}${isOfAutomations(name) ? hash : ''}`,
    ...(mailbox ? [`${LETTERS[name]}${letterOf(mailbox)}`] : []),
  ];
  return {
    key: rollupKey(organization, day, combination),
    // A value that is deleted has no number.
    add: Object.fromEntries(
      COUNTED.flatMap(name => fieldsOf(name).map(field => [field, counts[name] || 0])).filter(([, n]) => n),
    ),
  };
}

const AMOUNT = /^k([a-z0-9]{12})([a-z0-9]{2})(\d)$/;

/** Moves an email from the class of what its conversions brought in before to that of what they bring in now. */
export function amountCounts(
  { combination, hash }: { combination: string; hash: string },
  before: number | undefined,
  after: number | undefined,
): Record<string, number> {
  const add: Record<string, number> = {};
  for (const [units, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (units === undefined) continue;
    const name = `${combination}${classOf(units).toString(36).padStart(2, '0')}${partOf(hash)}`;
    add[`k${name}`] = (add[`k${name}`] ?? 0) + sign;
    add[`a${name}`] = (add[`a${name}`] ?? 0) + sign * units;
  }
  return Object.fromEntries(Object.entries(add).filter(([, count]) => count !== 0));
}

export type AmountsOfPart = Amounts & { part: number };

/** By combination. */
export function addAmounts(to: Map<string, AmountsOfPart[]>, item: RawItem): void {
  for (const field in item) {
    const [, combination = '', amounts = '', part] =
      field.length === AMOUNT_LENGTH ? (AMOUNT.exec(field) ?? []) : [];
    if (!combination) continue;
    const [count, units] = [Number(item[field]?.N), Number(item[`a${field.slice(1)}`]?.N ?? 0)];
    const one = { amounts: Number.parseInt(amounts, 36), part: Number(part), count, units };
    const known = to.get(combination);
    if (known) known.push(one);
    else to.set(combination, [one]);
  }
}

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, reportPartition(organization), '');

export function countsIn({ SK, ...fields }: Item): { day: string; counts: Map<string, Counts> } {
  const counts = new Map<string, Counts>();
  for (const field of Object.keys(fields).filter(isCount)) {
    const [name, combination] = [countedAs(field[0]), combinationIn(field)];
    if (!name) continue;
    const known = counts.get(combination);
    counts.set(combination, { ...known, [name]: (known?.[name] ?? 0) + Number(fields[field]) });
  }
  return { day: dayIn(String(SK)), counts };
}

/** `automation` is its hash. */
export type CountsOfAutomation = {
  day: string;
  automation: string;
  combination: string;
  counted: (typeof BY_AUTOMATION)[number];
  /** Of those that were chosen by shares. */
  weighted: boolean;
  count: number;
};

/** What is counted by automation. */
export type OwnCounts = Record<CountsOfAutomation['counted'], number>;
export const noCounts = (): OwnCounts => ({ sent: 0, clicked: 0, conversions: 0 });

export function* countsByAutomation(item: RawItem): Generator<CountsOfAutomation> {
  const day = dayOf(item);
  for (const field in item) {
    if (!isByAutomation(field)) continue;
    const counted = BY_LETTER.get(field.charAt(0));
    if (!counted || !isOfAutomations(counted)) continue;
    const [combination, automation] = [combinationIn(field), field.slice(FIELD_LENGTH, LONG_LENGTH)];
    const weighted = field.length === WEIGHTED_LENGTH;
    yield { day, automation, combination, counted, weighted, count: Number(item[field]?.N) };
  }
}

/** Counts of value are counted anew from other items. */
export const isCountOfEmails = (field: string) =>
  mailboxIn(field) !== undefined || (isCount(field) && !isValue(field)) || /^[ka].{15}$/.test(field);
export const isCountOfValue = (field: string) => isCount(field) && isValue(field);
const isValue = (field: string) => field.startsWith(LETTERS.value) || field.startsWith(LETTERS.reported);

const isCount = (field: string) =>
  /^[a-z][a-z0-9]{12}(?:[a-z0-9]{5}w?)?$/.test(field) && countedAs(field[0]) !== undefined;
const countedAs = (letter: string | undefined) => COUNTED.find(name => LETTERS[name] === letter);
