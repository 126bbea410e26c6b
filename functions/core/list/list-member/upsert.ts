import type { RowResult } from '../../../../shared/list-member.ts';
import { changed } from '../../../../shared/metadata.ts';
import { inParallel } from '../../parallel.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import { Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import * as list from '../list/list.ts';
import { dateColumnsIn } from './columns.ts';
import { type Row, readRows } from './rows.ts';

type Needs = { table: Table; now: Date };
type Known = Omit<recipient.State, 'seq' | 'isErased'>;

const MOST_AT_ONCE = 20;

/** Creates or updates the members that a program sends, each on its own: a repeated call does no harm. */
export async function upsertAll(
  needs: Needs,
  to: list.CountedList,
  members: unknown[],
): Promise<RowResult[]> {
  const { table, now } = needs;
  const { rows: valid, rejected } = readRows(members);
  const wanted = valid.flatMap(({ metadata }) => dateColumnsIn(metadata));
  const refused = await list.insertColumns(needs, to.id, wanted);
  const rows: Row[] = [];
  for (const row of valid) {
    const columns = dateColumnsIn(row.metadata).filter(column => refused.has(column));
    if (columns.length === 0) rows.push(row);
    else rejected.push(rejection(row, list.placeErrors(columns)));
  }
  const keyOf = ({ email }: Row) => recipient.keyOf(to.organization_id, email);
  const known = await recipient.readAll(table, rows.map(keyOf), to.id);
  const knownOf = (row: Row) => known.get(keyOf(row).hash) as Known;

  const isNew = (row: Row) => !knownOf(row).membership && !knownOf(row).left;
  const joining = rows.filter(isNew).map(row => ({
    row,
    key: keyOf(row),
    head: knownOf(row).head,
    membership: recipient.newMembership(now, to.id, wantedOf(row), knownOf(row)),
  }));
  const results = [
    ...(await recipient.joinAll(needs, joining, {
      inserted: ({ row, membership }) => resultOf(row, 'created', membership),
      otherwise: ({ row, key }) => upsert(needs, to, row, key),
    })),
    ...(await inParallel(
      rows.filter(row => !isNew(row)),
      MOST_AT_ONCE,
      row => upsert(needs, to, row, keyOf(row), knownOf(row)),
    )),
  ];
  if (rows.length > 0) await list.requireNotDeleted(needs, to);
  return [...results, ...rejected].sort((a, b) => a.index - b.index);
}

const wantedOf = ({ email, is_subscribed, metadata }: Row) => ({
  email,
  is_subscribed,
  metadata: changed({}, metadata),
});

/** A program may unsubscribe a member, but never subscribe them again. */
const changeOf = ({ is_subscribed, metadata }: Row) => ({
  is_subscribed: is_subscribed === false ? false : undefined,
  metadata,
});

async function upsert(
  needs: Needs,
  to: list.CountedList,
  row: Row,
  key: recipient.RecipientKey,
  known?: Known,
): Promise<RowResult> {
  const decide = (state: Known): recipient.Change | undefined =>
    state.membership
      ? recipient.membershipChange(needs.now, state, changeOf(row), 'api')
      : { membership: recipient.newMembership(needs.now, to.id, wantedOf(row), state) };
  try {
    if (known?.membership && !decide(known)) return resultOf(row, 'unchanged', known.membership);
    const { before, after, isChanged } = await recipient.change(needs, key, to.id, decide);
    const status = !isChanged ? 'unchanged' : before.membership ? 'updated' : 'created';
    return resultOf(row, status, after);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return rejection(row, error.errors ?? { member: [error.message] });
  }
}

const rejection = ({ index, email }: Row, errors: Record<string, string[]>): RowResult => ({
  index,
  email,
  status: 'rejected',
  errors,
});

const STAYS_UNSUBSCRIBED = 'This person unsubscribed or cannot be mailed any more, so they stay unsubscribed';

function resultOf(
  { index, email, is_subscribed, warnings: others }: Row,
  status: RowResult['status'],
  membership: Pick<recipient.Membership, 'status'> | undefined,
): RowResult {
  const wasRefused = membership?.status === 'unsubscribed' && is_subscribed !== false;
  const wanted = is_subscribed === true || status === 'created';
  const warnings = {
    ...others,
    ...(wasRefused && wanted && { is_subscribed: [STAYS_UNSUBSCRIBED] }),
  };
  return { index, email, status, ...(Object.keys(warnings).length > 0 && { warnings }) };
}
