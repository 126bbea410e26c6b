import * as memberships from '#core/recipient/membership.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { RowResult } from '#shared/list-member.ts';
import type * as list from '../list.ts';
import { type Row, readRows } from './rows.ts';
import { storeRows, type Texts, type Writer, wantedOf } from './stored-rows.ts';

type Needs = { table: Table; now: Date };

/** Creates or updates the members that a program sends, each by itself. Repeating the call changes nothing. */
export async function upsertAll(
  needs: Needs,
  to: list.CountedList,
  members: unknown[],
): Promise<RowResult[]> {
  const { rows, rejected } = readRows(members);
  const results = await storeRows(needs, to, rows, programWriter(needs.now, to.id));
  return [...results, ...rejected].sort((a, b) => a.index - b.index);
}

const programWriter = (now: Date, listId: string): Writer<Row, RowResult> => ({
  decide: (row, state) =>
    state.membership
      ? memberships.membershipChange(now, state, changeOf(row), 'api')
      : { membership: memberships.newMembership(now, listId, wantedOf(row), state) },
  stored: resultOf,
  rejected: rejection,
});

/** A program may unsubscribe a member, but never subscribe them again. */
export const changeOf = ({ is_subscribed, metadata }: Row) => ({
  is_subscribed: is_subscribed === false ? false : undefined,
  metadata,
});

const rejection = ({ index, email }: Row, errors: Texts): RowResult => ({
  index,
  email,
  status: 'rejected',
  errors,
});

const STAYS_UNSUBSCRIBED = 'This person unsubscribed or cannot be mailed any more, so they stay unsubscribed';

function resultOf(
  { index, email, is_subscribed, warnings: others }: Row,
  status: RowResult['status'],
  membership: Pick<memberships.Membership, 'status'> | undefined,
): RowResult {
  const wasRefused = membership?.status === 'unsubscribed' && is_subscribed !== false;
  const wanted = is_subscribed === true || status === 'created';
  const warnings = {
    ...others,
    ...(wasRefused && wanted && { is_subscribed: [STAYS_UNSUBSCRIBED] }),
  };
  return { index, email, status, ...(Object.keys(warnings).length > 0 && { warnings }) };
}
