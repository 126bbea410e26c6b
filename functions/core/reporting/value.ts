import { valuePartition } from '#core/automation/automation.store.ts';
import * as combination from '#core/content/combination.ts';
import { newRevision } from '#core/id.ts';
import { keyOf } from '#core/recipient/recipient.key.ts';
import { readMemberships } from '#core/recipient/recipient.store.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { rollupCounter } from '#core/sending/rollup.ts';
import type { Counter } from '#core/storage/projection.ts';
import {
  deletePage,
  fromItem,
  getAll,
  type Item,
  type Key,
  partitionPages,
  type Table,
} from '#core/storage/table.store.ts';
import { ABSENT, putItem } from '#core/storage/write.store.ts';
import { amountOf, unitsOf } from '#shared/report/figures.ts';
import {
  type CountedValue,
  type NewValue,
  NO_CURRENCY,
  otherCurrency,
  UNKNOWN_PERSON,
} from '#shared/value.ts';

type ValueEvent = {
  /** The filter of the stream selects events by it. */
  type: 'value';
  combination?: string;
  /** Of the person, if the call has named them, and the lists that they are or were on. */
  hash?: string;
  lists?: string[];
  /** In ten-thousandths. */
  units: number;
  /** When it was posted. */
  at: string;
  /** Tells which call stored it. */
  revision: string;
};

export const key = (organization: number, eventId: string): Key => ({
  PK: valuePartition(organization),
  SK: eventId,
});

/** Whatever else is wanted is read in the same batch. */
async function readWith(
  table: Table,
  organization: number,
  eventId: string,
  others: Key[],
): Promise<{ stored: ValueEvent | undefined; items: Item[] }> {
  const items = await getAll(table, [key(organization, eventId), ...others]);
  const isEvent = ({ PK }: Item) => PK === valuePartition(organization);
  const stored = items.find(isEvent);
  return { stored: stored && fromItem<ValueEvent>(stored), items: items.filter(item => !isEvent(item)) };
}

/** Returns false if there is one with this id. */
const insert = (table: Table, organization: number, eventId: string, event: ValueEvent) =>
  putItem(table, { ...key(organization, eventId), ...event }, ABSENT);

export async function* everything(table: Table, organization: number): AsyncGenerator<ValueEvent[]> {
  for await (const items of partitionPages(table, valuePartition(organization)))
    yield items.map(fromItem<ValueEvent>);
}

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, valuePartition(organization), '');

/** The projector counts it. An event that is stored already is returned unchanged. */
export async function post(
  { table, now, currency: ofAll }: { table: Table; now: Date; currency?: string | undefined },
  organization: number,
  { emailTemplateCombinationId: named, email, eventId, value, currency }: NewValue,
): Promise<CountedValue> {
  if (currency !== undefined && currency !== ofAll)
    throw invalid('currency', ofAll === undefined ? NO_CURRENCY : otherCurrency(ofAll));
  const others = named === undefined ? [] : combination.keysOf(organization, named);
  const [{ stored, items }, person] = await Promise.all([
    readWith(table, organization, eventId, others),
    email === undefined ? {} : personOf(table, organization, email),
  ]);
  if (named !== undefined && !combination.foundIn(items))
    throw new Refusal('not-found', 'There is no such combination.');
  if (stored) return counted(eventId, stored, true);
  const event: ValueEvent = {
    type: 'value',
    ...(named !== undefined && { combination: named }),
    ...person,
    units: unitsOf(value),
    at: now.toISOString(),
    revision: newRevision(),
  };
  if (await insert(table, organization, eventId, event)) return counted(eventId, event, false);
  const { stored: first = event } = await readWith(table, organization, eventId, []);
  // The insert also fails if the SDK repeats a request whose answer was lost: then the stored event is our own.
  return counted(eventId, first, first.revision !== event.revision);
}

async function personOf(table: Table, organization: number, email: string) {
  const key = keyOf(organization, email);
  const { memberships, left } = await readMemberships(table, key);
  const lists = [...memberships, ...left].map(({ list_id }) => list_id);
  if (lists.length === 0) throw invalid('email', UNKNOWN_PERSON);
  return { hash: key.hash, lists };
}

const counted = (
  eventId: string,
  { combination = '', units, at }: ValueEvent,
  is_repeated: boolean,
): CountedValue => ({
  emailTemplateCombinationId: combination,
  eventId,
  value: amountOf(units),
  posted_at: at,
  is_repeated,
});

export type PostedValue = Omit<ValueEvent, 'type' | 'revision'> & { organization_id: number };

export const conversionsIn = ({ organization_id: organization, hash, lists = [], units }: PostedValue) =>
  hash === undefined ? [] : [{ organization, hash, lists, units, counted: 'conversions' as const }];

/** Value counts on the day on which it was posted. Nothing may have been sent on that day, so the rollup may not exist. */
export function valueCounters({ organization_id, at, combination, units }: PostedValue): Counter[] {
  if (!combination) return [];
  // A value that is deleted has no number.
  const counts = { value: units, conversions: Number.isNaN(units) ? 0 : 1 };
  const counter = rollupCounter(organization_id, at.slice(0, 10), { combination }, counts);
  return [{ ...counter, guard: counter.key, organization: organization_id }];
}
