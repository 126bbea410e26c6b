import { createHash } from 'node:crypto';
import type { Part } from '../../../shared/email/content.ts';
import type { Table } from '../table.store.ts';
import { ABSENT, commit, held, putWrite, updateWrite } from '../write.store.ts';
import { entryKey } from './journal.store.ts';
import { partitionOf, type RecipientKey } from './recipient.key.ts';
import { SENT } from './sent.store.ts';

/** The first click of a link in an email, by persons or by machines. */
export type Click = { at: string; url: string; part: Part; by: 'person' | 'machine' };

/** The clicks of an email begin with this sort key, in the order of emails. */
export const clicksOf = (seq: number) => `T#${String(seq).padStart(10, '0')}#`;

// 66 bits: no two links of an email ever share one.
const LINK_LENGTH = 11;
const linkOf = ({ url, part, by }: Omit<Click, 'at'>) =>
  createHash('sha256').update(`${part}\n${url}`).digest('base64url').slice(0, LINK_LENGTH) +
  (by === 'machine' ? '#m' : '');

/**
 * Stores a click together with the email's first one, in one transaction, so that none is without an email; false where
 * the link was clicked before, or where there is no such email.
 */
export const writeClick = (
  table: Table,
  key: RecipientKey,
  { seq, ...click }: Click & { seq: number },
): Promise<boolean> => {
  const as = click.by === 'person' ? 'first_clicked_at' : 'machine_clicked_at';
  return held(
    commit(table, [
      updateWrite(table, entryKey(key, seq), { first: { [as]: click.at } }, SENT),
      putWrite(table, { PK: partitionOf(key), SK: `${clicksOf(seq)}${linkOf(click)}`, ...click }, ABSENT),
    ]),
  );
};
