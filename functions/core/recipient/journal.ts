import { createHash } from 'node:crypto';
import { fromItem, type Item, limitedPages, type Table } from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionsHeld,
  putWrite,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { PUNCTUAL } from '#core/timeouts.ts';
import type { Part } from '#shared/email/content.ts';
import type { Mailbox } from '#shared/mailbox.ts';
import type { MetadataValue } from '#shared/metadata.ts';
import type { ProviderName } from '#shared/providers.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';

/** `page` and `one_click`: the unsubscribe link of an email; `provider`, `complaint`, `bounce`: events of the provider. */
export type Source = 'app' | 'api' | 'import' | 'page' | 'one_click' | 'provider' | 'complaint' | 'bounce';

/** An event of a recipient: numbered without gaps, never changed, and without anything personal. */
export type Entry = {
  seq: number;
  /** `imported`: an import has changed the metadata of a member. */
  type: 'subscribed' | 'unsubscribed' | 'removed' | 'erased' | 'complained' | 'bounced' | 'imported';
  at: string;
  list_id?: string;
  by?: Source;
  /** The number of the claim of the email that it came from. */
  email?: number;
  /** With `removed`: when they had been added. */
  since?: string;
  /** The import that it came from; with `removed`, the one that had added them. */
  import?: string;
};

/** A claim: an email to the recipient that no other process sends. Whether it was sent is in the batch. */
export type Claim = {
  seq: number;
  type: 'send';
  /** The instant of the email, from which the safeguards count; never before that of the entry before. */
  at: string;
  list_id: string;
  automation_id: string;
  /** The key of the occurrence: see `dueOccurrences`. */
  key: string;
  batch: string;
  combination: string;
  /** On a day with shares: how often this content was chosen, and whether by them and not as one of those at equal shares. */
  share?: number;
  weighted?: true;
  /** Who runs the mailbox of its address. Emails from before that was counted have none. */
  mailbox?: Mailbox;
  /** How often its automation had been switched on after a pause of the guard. */
  resumes?: number;
  /** The values of its placeholders, if they fit in its write unit, and the date that made it due. */
  values?: Record<string, MetadataValue>;
  trigger?: string;
  /** It was not sent, and counts for nothing. */
  released?: true;
  /** If its batch ended as unknown, what the provider's events say. */
  outcome?: 'sent' | 'failed';
  /** The id of a user's request to send it again, which is under way or was fulfilled. */
  resend?: string;
  /** Of a resend: the number of the claim that it repeats, and the user who requested it. */
  resends?: number;
  resent_by?: string;
  /** It was due before its automation was switched on, which included the people who were there already. */
  existing?: true;
  /** What its conversions brought in, in ten-thousandths. */
  value?: number;
  /** The person was erased since. */
  erased?: true;
} & Marks;

/** Each is written once, when it happened for the first time. */
export type Marks = {
  opened_at?: string;
  first_clicked_at?: string;
  /** The first open and the first click by a machine. */
  machine_opened_at?: string;
  machine_clicked_at?: string;
  /** The page of its unsubscribe link was opened. */
  unsub_clicked_at?: string;
  unsubscribed_at?: string;
  /** The person subscribed again by its link, after that. */
  resubscribed_at?: string;
  /** The provider accepted or rejected it. Only stored if its outcome was unknown. */
  delivered_at?: string;
  rejected_at?: string;
  /** The provider reported that the recipient's mail server took it. Only stored if a webhook wants to be told. */
  received_at?: string;
  bounced_at?: string;
  bounce?: 'hard' | 'soft';
  bounce_reason?: string;
  complained_at?: string;
  /** A conversion was reported that names the email. */
  converted_at?: string;
  /** The provider that reported the bounce or the complaint. */
  provider?: ProviderName;
};

/** With marks that belong to it. */
export type Mark = { seq: number; as: keyof Marks; at: string; with?: Partial<Marks> };

export const JOURNAL = 'J#';

// Inverted, so that the newest entry comes first.
const HIGHEST = 9_999_999_999;
export const entryKey = (key: RecipientKey, seq: number) => ({
  PK: partitionOf(key),
  SK: `${JOURNAL}${String(HIGHEST - seq).padStart(10, '0')}`,
});

/** Fails if another process has appended an entry with this number. */
export const entryWrite = (table: Table, key: RecipientKey, entry: Entry): Write =>
  putWrite(table, { ...entryKey(key, entry.seq), ...entry }, ABSENT);

export const isClaim = (entry: Entry | Claim): entry is Claim => entry.type === 'send';

export const claimIn = (item: Item | undefined): Claim | undefined =>
  item?.type === 'send' ? fromItem<Claim>(item) : undefined;

export const IS_CLAIM = {
  condition: '#type = :send',
  names: { '#type': 'type' },
  values: { ':send': 'send' },
};

/** For whatever may name the person. */
export const UNERASED = { ...IS_CLAIM, condition: `${IS_CLAIM.condition} AND attribute_not_exists(erased)` };

const LIMITS: readonly number[] = Array(10).fill(200);

type Wanted = { list_id?: string; since: string; most: number };

/**
 * Newest first, without released claims: those of one list, back to the end of an earlier membership, or those of all lists.
 * None is from before `since`, when the membership began. `complete` says whether all of these were read.
 */
export async function readJournal(
  table: Table,
  key: RecipientKey,
  { list_id, since, most }: Wanted,
): Promise<{ entries: (Entry | Claim)[]; complete: boolean }> {
  // A member may be mailed at once, by an email that was due before they were added.
  const earliest = new Date(Date.parse(since) - PUNCTUAL).toISOString();
  const entries: (Entry | Claim)[] = [];
  const journal = {
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :journal)',
    ExpressionAttributeValues: { ':pk': partitionOf(key), ':journal': JOURNAL },
    ConsistentRead: true,
  };
  for await (const { items, isLast } of limitedPages(table, journal, LIMITS)) {
    for (const item of items) {
      const isOther = list_id !== undefined && item.list_id !== list_id;
      const isBefore =
        item.type === 'erased' || (item.type === 'removed' && list_id !== undefined && !isOther);
      if (isBefore || String(item.at) < earliest) return { entries, complete: true };
      if (isOther || item.released) continue;
      if (entries.length === most) return { entries, complete: false };
      entries.push(fromItem(item));
    }
    if (isLast) return { entries, complete: true };
  }
  return { entries, complete: false };
}

// The log shows a page of 25 first.
const CLAIM_LIMITS = [40, ...LIMITS.slice(1)];

type ClaimsPart = { claims: Claim[]; reached: number; isEnd: boolean };

/** From the newest on, or from the one before a number, back to when the person was erased. */
export async function* newestClaims(
  table: Table,
  key: RecipientKey,
  before = HIGHEST,
): AsyncGenerator<ClaimsPart> {
  const range = {
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :newest AND :oldest',
    ExpressionAttributeValues: {
      ':pk': partitionOf(key),
      ':newest': entryKey(key, before - 1).SK,
      ':oldest': entryKey(key, 0).SK,
    },
    ConsistentRead: true,
  };
  for await (const { items, isLast } of limitedPages(table, range, CLAIM_LIMITS)) {
    const entries = items.map(item => fromItem<Entry | Claim>(item));
    const erased = entries.findIndex(({ type }) => type === 'erased');
    const known = erased < 0 ? entries : entries.slice(0, erased);
    yield {
      claims: known.filter(isClaim).filter(({ released }) => !released),
      reached: entries.at(-1)?.seq ?? 0,
      isEnd: erased >= 0 || isLast,
    };
    if (erased >= 0) return;
  }
}

/** The first one, by persons or by machines. */
export type Click = { at: string; url: string; part: Part; by: 'person' | 'machine' };

export const CLICKS = 'T#';

/** Clicks sort by the number of the email. */
const clicksOf = (seq: number) => `${CLICKS}${String(seq).padStart(10, '0')}#`;

// 66 bits: no two links of an email ever share one.
const LINK_LENGTH = 11;
const linkOf = ({ url, part, by }: Omit<Click, 'at'>) =>
  createHash('sha256').update(`${part}\n${url}`).digest('base64url').slice(0, LINK_LENGTH) +
  (by === 'machine' ? '#m' : '');

/** In one transaction, so that no click is without an email. Returns false if it was clicked before or the person is erased. */
export const writeClick = (
  table: Table,
  key: RecipientKey,
  { seq, ...click }: Click & { seq: number },
): Promise<boolean> => {
  const as = click.by === 'person' ? 'first_clicked_at' : 'machine_clicked_at';
  return conditionsHeld(
    commit(table, [
      updateWrite(table, entryKey(key, seq), { first: { [as]: click.at } }, UNERASED),
      putWrite(table, { PK: partitionOf(key), SK: `${clicksOf(seq)}${linkOf(click)}`, ...click }, ABSENT),
    ]),
  );
};

export type Clicked = Click & { seq: number; link: string };

const CLICK_LIMITS: readonly number[] = Array(5).fill(200);

/** Newest email first, read as one range of keys. `complete` says whether all were read. */
export async function readClicks(
  table: Table,
  key: RecipientKey,
  emails: number[],
): Promise<{ clicks: Clicked[]; complete: boolean }> {
  const clicks: Clicked[] = [];
  if (emails.length === 0) return { clicks, complete: true };
  const wanted = new Set(emails);
  const range = {
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': partitionOf(key),
      ':from': clicksOf(Math.min(...emails)),
      ':to': clicksOf(Math.max(...emails) + 1),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  for await (const { items, isLast } of limitedPages(table, range, CLICK_LIMITS)) {
    clicks.push(...items.map(clickIn).filter(({ seq }) => wanted.has(seq)));
    if (isLast) return { clicks, complete: true };
  }
  return { clicks, complete: false };
}

export function clickIn({ SK, ...stored }: Item): Clicked {
  const [, seq, link = ''] = String(SK).split('#');
  return { ...fromItem<Click>(stored), seq: Number(seq), link };
}
