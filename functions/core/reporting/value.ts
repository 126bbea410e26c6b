import { valuePartition } from '#core/automation/automation.store.ts';
import * as combination from '#core/content/combination.ts';
import { newRevision } from '#core/id.ts';
import { conversionWrite, readClaim } from '#core/recipient/claim.ts';
import { type Claim, newestClaims } from '#core/recipient/journal.ts';
import { keyOf, type RecipientKey, readClaimId } from '#core/recipient/recipient.key.ts';
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
import { ABSENT, commit, conditionsHeld, putWrite } from '#core/storage/write.store.ts';
import { amountOf, unitsOf } from '#shared/report/figures.ts';
import {
  type CountedValue,
  type NewValue,
  NO_CURRENCY,
  otherCurrency,
  UNKNOWN_PERSON,
  UNKNOWN_SEND,
} from '#shared/value.ts';

type ValueEvent = {
  /** The filter of the stream selects events by it. */
  type: 'value';
  combination?: string;
  /** Of the person, if the call has named them or an email of theirs, and the lists that they are or were on. */
  hash?: string;
  lists?: string[];
  /** The number of their email that it counts for, and when that was claimed. */
  seq?: number;
  sent_at?: string;
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

export async function* everything(table: Table, organization: number): AsyncGenerator<ValueEvent[]> {
  for await (const items of partitionPages(table, valuePartition(organization)))
    yield items.map(fromItem<ValueEvent>);
}

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, valuePartition(organization), '');

type Needs = { table: Table; now: Date; currency?: string | undefined };

/** The projector counts it. An event that is stored already is returned unchanged. */
export async function post(
  { table, now, currency: ofAll }: Needs,
  organization: number,
  { emailTemplateCombinationId: named, email, send_id, eventId, value, currency }: NewValue,
): Promise<CountedValue> {
  if (currency !== undefined && currency !== ofAll)
    throw invalid('currency', ofAll === undefined ? NO_CURRENCY : otherCurrency(ofAll));
  const others = named === undefined ? [] : combination.keysOf(organization, named);
  const [{ stored, items }, about] = await Promise.all([
    readWith(table, organization, eventId, others),
    aboutOf(table, organization, { named, email, send_id }),
  ]);
  if (named !== undefined && !combination.foundIn(items))
    throw new Refusal('not-found', 'There is no such combination.');
  if (stored) return counted(eventId, stored, true);
  const event: ValueEvent = {
    type: 'value',
    ...(named !== undefined && { combination: named }),
    ...about,
    units: unitsOf(value),
    at: now.toISOString(),
    revision: newRevision(),
  };
  const { hash = '', seq } = event;
  const writes = [
    putWrite(table, { ...key(organization, eventId), ...event }, ABSENT),
    // In one transaction, so that what the email brought in has each event once.
    ...(seq === undefined ? [] : [conversionWrite(table, { organization, hash }, seq, event)]),
  ];
  if (await conditionsHeld(commit(table, writes))) return counted(eventId, event, false);
  const { stored: first } = await readWith(table, organization, eventId, []);
  if (!first) throw invalid(send_id ? 'send_id' : 'email', send_id ? UNKNOWN_SEND : UNKNOWN_PERSON);
  // The write also fails if the SDK repeats a request whose answer was lost: then the stored event is our own.
  return counted(eventId, first, first.revision !== event.revision);
}

type Named = { named: string | undefined; email: string | undefined; send_id: string | undefined };

async function aboutOf(table: Table, organization: number, { named, email, send_id }: Named) {
  if (send_id === undefined && email === undefined) return {};
  const sent = send_id === undefined ? undefined : readClaimId(send_id);
  if (send_id !== undefined && !sent) throw invalid('send_id', UNKNOWN_SEND);
  const key = sent ? { organization, hash: sent.hash } : keyOf(organization, email ?? '');
  const [{ memberships, left }, claim] = await Promise.all([
    readMemberships(table, key),
    sent ? readClaim(table, key, sent.seq) : named && newestOf(table, key, named),
  ]);
  if (sent && (!claim || claim.released || claim.erased)) throw invalid('send_id', UNKNOWN_SEND);
  const lists = [...memberships, ...left].map(({ list_id }) => list_id);
  if (claim) {
    const { seq, combination, list_id, at: sent_at } = claim;
    return { hash: key.hash, lists: [...new Set([...lists, list_id])], seq, combination, sent_at };
  }
  if (lists.length === 0) throw invalid('email', UNKNOWN_PERSON);
  return { hash: key.hash, lists };
}

/** The newest email of the person with a combination, among their newest ones. */
async function newestOf(table: Table, key: RecipientKey, named: string): Promise<Claim | undefined> {
  for await (const { claims } of newestClaims(table, key))
    return claims.find(({ combination }) => combination === named);
  return undefined;
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

/** On the day of the email that it names, or else on that on which it was posted, of which no rollup may exist. */
export function valueCounters({
  organization_id,
  at,
  sent_at = at,
  combination,
  units,
}: PostedValue): Counter[] {
  // A value that is deleted has no number.
  if (!combination || Number.isNaN(units)) return [];
  const counter = rollupCounter(
    organization_id,
    sent_at.slice(0, 10),
    { combination },
    { value: units, reported: 1 },
  );
  return [{ ...counter, guard: counter.key, organization: organization_id }];
}
