import type { RowResult } from '../../../shared/list-member.ts';
import { changed } from '../../../shared/metadata.ts';
import * as list from '../list/list.ts';
import { inParallel } from '../parallel.ts';
import * as recipient from '../recipient/recipient.ts';
import { Refusal } from '../refusal.ts';
import type { Table } from '../table.store.ts';
import { beginning, turned } from './membership.ts';
import { type Row, readRows } from './rows.ts';

type Needs = { table: Table; now: Date };
type Known = Omit<recipient.State, 'seq'>;

const MOST_AT_ONCE = 20;

/**
 * Adds or updates the members that a program sends, each on its own: what it repeats after a broken call, it repeats
 * without harm.
 */
export async function upsertAll(needs: Needs, to: list.Found, members: unknown[]): Promise<RowResult[]> {
  const { table } = needs;
  const { rows, rejected } = readRows(members);
  const personOf = ({ email }: Row) => ({ organization: to.organization_id, hash: recipient.hashOf(email) });
  const known = await recipient.readSome(table, rows.map(personOf), to.id);
  const knownOf = (row: Row) => known.get(personOf(row).hash) as Known;

  const isNew = (row: Row) => !knownOf(row).membership && !knownOf(row).left;
  const newcomers = rows.filter(isNew).map(row => ({
    row,
    person: personOf(row),
    membership: beginning(needs, to.id, wantedOf(row), knownOf(row)),
  }));
  const entered = await recipient.enterAll(table, newcomers);

  const results = [
    ...newcomers
      .filter((_, index) => entered[index])
      .map(({ row, membership }) => told(row, 'created', membership)),
    ...(await inParallel(
      newcomers.filter((_, index) => !entered[index]),
      MOST_AT_ONCE,
      async newcomer => {
        const result = await upsert(needs, to, newcomer.row, newcomer.person);
        await recipient.leaveAlone(table, newcomer);
        return result;
      },
    )),
    ...(await inParallel(
      rows.filter(row => !isNew(row)),
      MOST_AT_ONCE,
      row => upsert(needs, to, row, personOf(row), knownOf(row)),
    )),
  ];
  if (rows.length > 0) await list.purgeIfGone(needs, to);
  return [...results, ...rejected].sort((a, b) => a.index - b.index);
}

const wantedOf = ({ email, is_subscribed, metadata }: Row) => ({
  email,
  is_subscribed,
  metadata: changed({}, metadata),
});

/** A program may unsubscribe somebody, but never subscribe them again. */
const changeOf = ({ is_subscribed, metadata }: Row) => ({
  is_subscribed: is_subscribed === false ? false : undefined,
  metadata,
});

async function upsert(
  needs: Needs,
  to: list.Found,
  row: Row,
  person: recipient.Person,
  known?: Known,
): Promise<RowResult> {
  const decide = (state: recipient.State): recipient.Turn | undefined =>
    state.membership
      ? turned(needs, state, changeOf(row), 'api')
      : { membership: beginning(needs, to.id, wantedOf(row), state) };
  try {
    if (known?.membership && !decide({ ...known, seq: 0 })) return told(row, 'unchanged', known.membership);
    const { before, after, turned: isTurned } = await recipient.turn(needs, person, to.id, decide);
    const status = !isTurned ? 'unchanged' : before.membership ? 'updated' : 'created';
    return told(row, status, after);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errors = error.errors ?? { member: [error.message] };
    return { index: row.index, email: row.email, status: 'rejected', errors };
  }
}

const STAYS_UNSUBSCRIBED = 'This person unsubscribed or cannot be mailed any more, so they stay unsubscribed';

function told(
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
