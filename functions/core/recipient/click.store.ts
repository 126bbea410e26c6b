import { createHash } from 'node:crypto';
import { fromItem, type Item, limitedPages, type Table } from '#core/storage/table.store.ts';
import { ABSENT, commit, conditionsHeld, putWrite, updateWrite } from '#core/storage/write.store.ts';
import type { Part } from '#shared/email/content.ts';
import { entryKey } from './journal.store.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';
import { UNERASED } from './sent.store.ts';

/** The first click of a link in an email, by persons or by machines. */
export type Click = { at: string; url: string; part: Part; by: 'person' | 'machine' };

export const CLICKS = 'T#';

/** The prefix of the sort keys of an email's clicks, which sort by the number of the email. */
const clicksOf = (seq: number) => `${CLICKS}${String(seq).padStart(10, '0')}#`;

// 66 bits: no two links of an email ever share one.
const LINK_LENGTH = 11;
const linkOf = ({ url, part, by }: Omit<Click, 'at'>) =>
  createHash('sha256').update(`${part}\n${url}`).digest('base64url').slice(0, LINK_LENGTH) +
  (by === 'machine' ? '#m' : '');

/**
 * Stores a click, and marks the claim with its first one, in one transaction, so that no click is without an email. Returns
 * false if the link was clicked before, if there is no such email, or if the person is erased.
 */
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

/** A click with the number of the email's claim. */
export type Clicked = Click & { seq: number; link: string };

const LIMITS: readonly number[] = Array(5).fill(200);

/** The clicks in some emails, newest email first, read as one range of keys. `complete` says whether all were read. */
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
  for await (const { items, isLast } of limitedPages(table, range, LIMITS)) {
    clicks.push(...items.map(clickIn).filter(({ seq }) => wanted.has(seq)));
    if (isLast) return { clicks, complete: true };
  }
  return { clicks, complete: false };
}

export function clickIn({ SK, ...stored }: Item): Clicked {
  const [, seq, link = ''] = String(SK).split('#');
  return { ...fromItem<Click>(stored), seq: Number(seq), link };
}
