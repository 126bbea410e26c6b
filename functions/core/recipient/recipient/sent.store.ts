import { fromItem, get, getAll, type Item, type Key, type Table, textOf } from '../../storage/table.store.ts';
import { unchanged, updateItem, updateWrite, type Write } from '../../storage/write.store.ts';
import { type Claim, entryKey, type Marks } from './journal.store.ts';
import { type Membership, membershipKey, membershipOrLeft } from './membership.store.ts';
import { keyIn, type RecipientKey } from './recipient.key.ts';
import { headKey } from './recipient.store.ts';

/** An email to somebody, or, without a number, one that was skipped. */
type Wanted = { hash: string; list: string; seq?: number };

export type Sent = {
  /** Undefined where they have left the list, or were erased since the email. */
  membership: Membership | undefined;
  /** Undefined where the person was erased. */
  email: string | undefined;
  claim: Claim | undefined;
};

/** The recipients of emails as they are now, in the order that was given. */
export async function readSent(table: Table, organization: number, wanted: Wanted[]): Promise<Sent[]> {
  const keysOf = ({ hash, list, seq }: Wanted) => {
    const key = { organization, hash };
    return [headKey(key), membershipKey(key, list), ...(seq === undefined ? [] : [entryKey(key, seq)])];
  };
  const items = await getAll(table, wanted.flatMap(keysOf));
  const byKey = new Map(items.map(item => [textOf(item as Item & Key), item]));
  return wanted.map(one => {
    const [head, member, entry] = keysOf(one).map(key => byKey.get(textOf(key)));
    const claim = claimIn(entry);
    // They may have been added again since.
    if (claim?.erased) return { membership: undefined, email: undefined, claim };
    const membership = member && membershipOrLeft(member).membership;
    return { membership, email: membership?.email ?? (head?.email as string | undefined), claim };
  });
}

/** Undefined where an item is no claim. */
export const claimIn = (item: Item | undefined): Claim | undefined =>
  item?.type === 'send' ? fromItem<Claim>(item) : undefined;

export async function readClaim(table: Table, key: RecipientKey, seq: number): Promise<Claim | undefined> {
  return claimIn(await get(table, entryKey(key, seq)));
}

/** Those of the claims that exist, by the hashes of their recipients. */
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

/** What happened to an email for the first time, and what is known of that. */
export type Marked = { seq: number; as: keyof Marks; at: string; with?: Partial<Marks> };

/** An email that exists. */
export const SENT = {
  condition: '#type = :send',
  names: { '#type': 'type' },
  values: { ':send': 'send' },
};

/** What is said of an erased person's email may name them. */
export const UNERASED = { ...SENT, condition: `${SENT.condition} AND attribute_not_exists(erased)` };

/** An email that exists, and to which this has not happened before. */
const unmarked = ({ as, with: { bounce_reason } = {} }: Marked) => ({
  condition: `${(bounce_reason ? UNERASED : SENT).condition} AND attribute_not_exists(#mark)`,
  names: { ...SENT.names, '#mark': as },
  values: SENT.values,
});

/**
 * Notes what happened to an email; false where that is noted already, where there is no such email, or where what is known of
 * it may name an erased person.
 */
export const markClaim = async (table: Table, key: RecipientKey, mark: Marked) =>
  (await updateItem(table, entryKey(key, mark.seq), { set: setOf(mark) }, unmarked(mark))) !== undefined;

/** The same within a transaction, which fails where it is noted already. */
export const markWrite = (table: Table, key: RecipientKey, mark: Marked) =>
  updateWrite(table, entryKey(key, mark.seq), { set: setOf(mark) }, unmarked(mark));

const setOf = ({ as, at, with: more }: Marked) => ({ ...more, [as]: at });

/** A hard bounce outweighs a soft one; undefined where it is noted. */
export function hardBounceWrite(
  table: Table,
  key: RecipientKey,
  claim: Claim,
  { at, reason }: { at: string; reason: string },
): Write | undefined {
  const isKept = reason !== '' && !claim.erased;
  const bounce: Partial<Marks> = { bounce: 'hard', ...(isKept && { bounce_reason: reason }) };
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

type Told = { seq: number; outcome: 'sent' | 'failed'; as: keyof Marks; at: string };

/**
 * Stores what became of an email of which nobody knew whether it was sent. Repeating it changes nothing; that it was sent
 * outweighs that it failed.
 */
export const storeOutcome = (table: Table, key: RecipientKey, { seq, outcome, as, at }: Told) =>
  updateItem(
    table,
    entryKey(key, seq),
    { set: { outcome }, first: { [as]: at } },
    {
      // As texts, `failed` comes before `sent`.
      condition: `${SENT.condition} AND (attribute_not_exists(#outcome) OR #outcome < :new_outcome)`,
      names: SENT.names,
      values: SENT.values,
    },
  );

/** Notes the wish to send an email again; false where there is one already. */
export const requestResend = async (table: Table, key: RecipientKey, seq: number, request: string) =>
  (await updateItem(
    table,
    entryKey(key, seq),
    { set: { resend: request } },
    {
      // Also where the SDK repeats its own request.
      condition: `${SENT.condition} AND (attribute_not_exists(#resend) OR #resend = :request)`,
      names: SENT.names,
      values: { ...SENT.values, ':request': request },
    },
  )) !== undefined;

/** The wish was not fulfilled: another one may follow. */
export const dropResend = (table: Table, key: RecipientKey, seq: number, request: string) =>
  updateItem(
    table,
    entryKey(key, seq),
    { drop: ['resend'] },
    { condition: '#resend = :request', values: { ':request': request } },
  );
