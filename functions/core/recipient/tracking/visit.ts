import type { Table } from '../../storage/table.store.ts';
import * as recipient from '../recipient/recipient.ts';
import type { By, Token } from './tracking.ts';

type Needs = { table: Table; now: Date };

/** Stores that an email was opened, the first time; a repetition changes nothing. */
export const recordOpen = async ({ table, now }: Needs, { seq, ...key }: Token<'open'>, by: By) => {
  const as = by === 'person' ? 'opened_at' : 'machine_opened_at';
  await recipient.markClaim(table, key, { seq, as, at: now.toISOString() });
};

/** Stores that a link was clicked, the first time; a repetition changes nothing. */
export const recordClick = async (
  { table, now }: Needs,
  { seq, url, part, ...key }: Token<'click'>,
  by: By,
) => {
  await recipient.writeClick(table, key, { seq, url, part, by, at: now.toISOString() });
};
