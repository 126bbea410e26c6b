import { createHash } from 'node:crypto';
import type { Table } from '#core/storage/table.store.ts';
import * as click from '../click.store.ts';
import * as sent from '../sent.store.ts';
import type { By, Token } from './tracking.ts';

type Needs = { table: Table; now: Date };

/** Stores that an email was opened, the first time; a repetition changes nothing. */
export const recordOpen = async ({ table, now }: Needs, { seq, ...key }: Token<'open'>, by: By) => {
  const as = by === 'person' ? 'opened_at' : 'machine_opened_at';
  await sent.markClaim(table, key, { seq, as, at: now.toISOString() });
};

// The clicks that this process has stored: storing one again would be a failed transaction, which costs as much as another.
const stored = new WeakMap<Table['client'], Set<string>>();
const MOST_KNOWN = 5_000;

/** Stores that a link was clicked, the first time; a repetition changes nothing. */
export async function recordClick(
  { table, now }: Needs,
  { seq, url, part, ...key }: Token<'click'>,
  by: By,
): Promise<void> {
  const known = stored.get(table.client) ?? new Set();
  stored.set(table.client, known);
  const name = createHash('sha256')
    .update([key.organization, key.hash, seq, by, part, url].join('\n'))
    .digest('base64url');
  if (known.has(name)) return;
  await click.writeClick(table, key, { seq, url, part, by, at: now.toISOString() });
  if (known.size >= MOST_KNOWN) known.clear();
  known.add(name);
}
