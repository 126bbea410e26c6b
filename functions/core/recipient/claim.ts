import {
  fromItem,
  get,
  getAll,
  type Item,
  type Key,
  query,
  type Table,
  textOf,
} from '#core/storage/table.store.ts';
import {
  insertItems,
  PRESENT,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import type { ProviderName } from '#shared/providers.ts';
import type { Suppression } from '#shared/suppression.ts';
import {
  type Claim,
  claimIn,
  type Entry,
  entryKey,
  IS_CLAIM,
  JOURNAL,
  type Mark,
  type Marks,
  UNERASED,
} from './journal.ts';
import { type Membership, membershipKey, membershipOrLeft } from './membership.ts';
import { HEAD, keyIn, MEMBERSHIP, partitionOf, peopleIndex, type RecipientKey } from './recipient.key.ts';
import { headKey } from './recipient.store.ts';

/** What a sender must know of a recipient: all in one query. */
export type Person = {
  hasHead: boolean;
  suppression: Suppression | undefined;
  /** By list. */
  memberships: Map<string, Membership>;
  /** Number and instant of the newest entry; 0 and an empty text if there is none. */
  last: { seq: number; at: string };
  /** The newest claims, back to an instant or until there were enough; without those that were released. */
  claims: Claim[];
};

/** Read back to `since`, or until `enough` claims are found. */
type Reach = { since: Date; enough: number; consistent: boolean };

// Room for the head and the memberships of most people, and for entries that are not claims.
const OTHERS = 4;
const MOST_AT_ONCE = 16;

export async function readPerson(
  table: Table,
  key: RecipientKey,
  { since, enough, consistent }: Reach,
): Promise<Person> {
  const from = since.toISOString();
  const items = await query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND SK < :beyond',
      ExpressionAttributeValues: { ':pk': partitionOf(key), ':beyond': 'K' },
      ConsistentRead: consistent,
      Limit: Math.min(enough, MOST_AT_ONCE) + OTHERS,
    },
    {
      enough: read =>
        isEntry(read.at(-1)) && (String(read.at(-1)?.at) < from || claimsIn(read).length >= enough),
    },
  );
  const head = items.find(({ SK }) => SK === HEAD);
  const newest = items.find(isEntry);
  const memberships = items
    .filter(({ SK }) => String(SK).startsWith(MEMBERSHIP))
    .flatMap(item => membershipOrLeft(item).membership ?? []);
  return {
    hasHead: head !== undefined,
    suppression: head?.suppression as Suppression | undefined,
    memberships: new Map(memberships.map(membership => [membership.list_id, membership])),
    last: { seq: Number(newest?.seq ?? 0), at: String(newest?.at ?? '') },
    claims: claimsIn(items),
  };
}

const isEntry = (item: Item | undefined) => item !== undefined && String(item.SK).startsWith(JOURNAL);

const claimsIn = (items: Item[]): Claim[] =>
  items
    .filter(isEntry)
    .map(fromItem<Claim | Entry>)
    .filter((entry): entry is Claim => entry.type === 'send' && !('released' in entry));

type Insert = { item: Item & Key; resolve: (isInserted: boolean) => void; reject: (error: unknown) => void };

/**
 * Writes the claims of several people, whose inserts share requests: one is made when every person waits for an insert. Each
 * waits for one insert at a time, as their next claim depends on it. `leave` is called once per person, after their last claim.
 */
export class ClaimWriter {
  readonly #table: Table;
  #people: number;
  #inserts: Insert[] = [];

  constructor(table: Table, people: number) {
    this.#table = table;
    this.#people = people;
  }

  /**
   * Appends a claim. Returns false if another entry has its number. A person without a head gets one before their first
   * claim: people are found by their heads, so nobody may have a journal without one.
   */
  async write(key: RecipientKey, claim: Claim, first: { email: string } | undefined): Promise<boolean> {
    if (first) {
      const index = { GSI1PK: peopleIndex(key.organization), GSI1SK: first.email };
      const head = { ...headKey(key), email: first.email, ...index };
      // If another process has put a head, the person may be suppressed or erased by now, so they are read again.
      if (!(await this.#insert(head))) return false;
    }
    return this.#insert({ ...entryKey(key, claim.seq), ...claim });
  }

  leave(): void {
    this.#people -= 1;
    this.#insertIfAllWait();
  }

  #insert(item: Item & Key): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#inserts.push({ item, resolve, reject });
      this.#insertIfAllWait();
    });
  }

  #insertIfAllWait(): void {
    const inserts = this.#inserts;
    if (inserts.length === 0 || inserts.length < this.#people) return;
    this.#inserts = [];
    insertItems(
      this.#table,
      inserts.map(({ item }) => item),
    ).then(
      inserted => {
        for (const [at, { resolve }] of inserts.entries()) resolve(inserted[at] ?? false);
      },
      error => {
        for (const { reject } of inserts) reject(error);
      },
    );
  }
}

/** Appends one claim: see `ClaimWriter`. */
export const writeClaim = (
  table: Table,
  key: RecipientKey,
  claim: Claim,
  first: { email: string } | undefined,
): Promise<boolean> => new ClaimWriter(table, 1).write(key, claim, first);

export const releaseClaim = (table: Table, key: RecipientKey, seq: number): Promise<unknown> =>
  updateItem(table, entryKey(key, seq), { set: { released: true } }, PRESENT);

/** Without a number, the email was skipped. */
type Wanted = { hash: string; list: string; seq?: number };

export type Sent = {
  /** Undefined if they have left the list, or were erased since the email. */
  membership: Membership | undefined;
  /** Undefined if the person was erased. */
  email: string | undefined;
  claim: Claim | undefined;
};

/** As they are now, in the order that was given. */
export async function readSent(table: Table, organization: number, wanted: Wanted[]): Promise<Sent[]> {
  const keysOf = ({ hash, list, seq }: Wanted) => {
    const key = { organization, hash };
    return [headKey(key), membershipKey(key, list), ...(seq === undefined ? [] : [entryKey(key, seq)])];
  };
  const items = await getAll(table, wanted.flatMap(keysOf));
  const byKey = new Map(items.map(item => [textOf(item as Item & Key), item]));
  return wanted.map(email => {
    const [head, member, entry] = keysOf(email).map(key => byKey.get(textOf(key)));
    const claim = claimIn(entry);
    // They may have been added again since.
    if (claim?.erased) return { membership: undefined, email: undefined, claim };
    const membership = member && membershipOrLeft(member).membership;
    return { membership, email: membership?.email ?? (head?.email as string | undefined), claim };
  });
}

export async function readClaim(table: Table, key: RecipientKey, seq: number): Promise<Claim | undefined> {
  return claimIn(await get(table, entryKey(key, seq)));
}

/** Those that exist, by the hashes of their recipients. */
export async function readClaims(
  table: Table,
  claims: { key: RecipientKey; seq: number }[],
): Promise<{ hash: string; claim: Claim }[]> {
  const items = await getAll(
    table,
    claims.map(({ key, seq }) => entryKey(key, seq)),
  );
  return items.flatMap(item => {
    const claim = claimIn(item);
    return claim ? [{ hash: keyIn(String(item.PK)).hash, claim }] : [];
  });
}

const unmarked = ({ as, with: { bounce_reason } = {} }: Mark) => ({
  condition: `${(bounce_reason ? UNERASED : IS_CLAIM).condition} AND attribute_not_exists(#mark)`,
  names: { ...IS_CLAIM.names, '#mark': as },
  values: IS_CLAIM.values,
});

/** Returns false if it has the mark already, if there is no such email, or if a bounce reason might name an erased person. */
export const markClaim = async (table: Table, key: RecipientKey, mark: Mark) =>
  (await updateItem(table, entryKey(key, mark.seq), { set: setOf(mark) }, unmarked(mark))) !== undefined;

/** The transaction fails if the claim has the mark already. */
export const markWrite = (table: Table, key: RecipientKey, mark: Mark) =>
  updateWrite(table, entryKey(key, mark.seq), { set: setOf(mark) }, unmarked(mark));

/** Of one more conversion. The transaction fails if the person was erased. */
export const conversionWrite = (
  table: Table,
  key: RecipientKey,
  seq: number,
  { at, units }: { at: string; units: number },
) => updateWrite(table, entryKey(key, seq), { first: { converted_at: at }, add: { value: units } }, UNERASED);

const setOf = ({ as, at, with: more }: Mark) => ({ ...more, [as]: at });

/** It overrides a soft bounce. Undefined if the claim has it already. */
export function hardBounceWrite(
  table: Table,
  key: RecipientKey,
  claim: Claim,
  { at, reason, provider }: { at: string; reason: string; provider?: ProviderName | undefined },
): Write | undefined {
  const isKept = reason !== '' && !claim.erased;
  const bounce: Partial<Marks> = {
    bounce: 'hard',
    ...(isKept && { bounce_reason: reason }),
    ...(provider && { provider }),
  };
  if (claim.bounced_at === undefined) {
    return markWrite(table, key, { seq: claim.seq, as: 'bounced_at', at, with: bounce });
  }
  if (claim.bounce === 'hard') return undefined;
  return updateWrite(
    table,
    entryKey(key, claim.seq),
    { set: bounce },
    unchanged(claim, ['bounce', 'erased']),
  );
}

type KnownOutcome = { seq: number; outcome: 'sent' | 'failed'; as: keyof Marks; at: string };

/** `sent` overrides `failed`, and a repetition changes nothing. */
export const storeOutcome = (table: Table, key: RecipientKey, { seq, outcome, as, at }: KnownOutcome) =>
  updateItem(
    table,
    entryKey(key, seq),
    { set: { outcome }, first: { [as]: at } },
    {
      // As strings, `failed` sorts before `sent`.
      condition: `${IS_CLAIM.condition} AND (attribute_not_exists(#outcome) OR #outcome < :new_outcome)`,
      names: IS_CLAIM.names,
      values: IS_CLAIM.values,
    },
  );

/** Returns false if there is one already. */
export const requestResend = async (table: Table, key: RecipientKey, seq: number, request: string) =>
  (await updateItem(
    table,
    entryKey(key, seq),
    { set: { resend: request } },
    {
      // It also holds if the SDK repeats this request.
      condition: `${IS_CLAIM.condition} AND (attribute_not_exists(#resend) OR #resend = :request)`,
      names: IS_CLAIM.names,
      values: { ...IS_CLAIM.values, ':request': request },
    },
  )) !== undefined;

/** So that another one may follow. */
export const dropResend = (table: Table, key: RecipientKey, seq: number, request: string) =>
  updateItem(
    table,
    entryKey(key, seq),
    { drop: ['resend'] },
    { condition: '#resend = :request', values: { ':request': request } },
  );
