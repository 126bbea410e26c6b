import { fromItem, limitedPages, type Table } from '#core/storage/table.store.ts';
import { ABSENT, putWrite, type Write } from '#core/storage/write.store.ts';
import { PUNCTUAL } from '#core/timeouts.ts';
import type { MetadataValue } from '#shared/metadata.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';

/**
 * Where a change came from: `page` and `one_click` are the unsubscribe link of an email; `provider`, `complaint` and
 * `bounce` are events of the provider.
 */
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
  /** The person was erased since. */
  erased?: true;
} & Marks;

/** What happened to an email after it was sent: each is written once, when it happened for the first time. */
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
  /** The provider accepted it. Only stored if its outcome was unknown. */
  delivered_at?: string;
  /** The provider rejected it. Only stored if its outcome was unknown. */
  rejected_at?: string;
  bounced_at?: string;
  bounce?: 'hard' | 'soft';
  /** What the provider says of the bounce. */
  bounce_reason?: string;
  complained_at?: string;
};

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

const LIMITS: readonly number[] = Array(10).fill(200);

type Wanted = { list_id?: string; since: string; most: number };

/**
 * The entries of a person, newest first, without released claims: those of one list, back to the end of an earlier
 * membership, or those of all lists. None is read from before `since`, when the membership began. A journal may be longer
 * than one call reads: `complete` says whether all of these were read.
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

/** The claims of a person from the newest on, or from the one before a number, back to when they were erased. */
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

export const isClaim = (entry: Entry | Claim): entry is Claim => entry.type === 'send';
