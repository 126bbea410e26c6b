import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '#core/refusal.ts';
import { fromItem, get, type Table } from '#core/storage/table.store.ts';
import {
  ConditionFailed,
  commit,
  definedFields,
  deleteWrite,
  optimistically,
  unchanged,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { may, type Role } from '#shared/permissions.ts';
import { INITIAL_SAFEGUARDS, type Safeguards, type SafeguardsChange, WINDOWS } from '#shared/safeguards.ts';
import * as organizationStore from './organization.store.ts';
import { type Changing, recorded } from './record.ts';
import { safeguardsWrite } from './switches.ts';

export const read = async (table: Table, organizationId: number): Promise<Safeguards> => ({
  ...INITIAL_SAFEGUARDS,
  ...(await readChanged(table, organizationId)),
});

export async function change(
  needs: Changing & { role?: Role },
  organizationId: number,
  to: SafeguardsChange,
): Promise<Safeguards> {
  const { table } = needs;
  const changed = definedFields(to);
  const { pause_at_percent } = changed;
  if (pause_at_percent && needs.role && !may(needs.role, 'guard:edit')) {
    const before = await read(table, organizationId);
    if (!isDeepStrictEqual(pause_at_percent, before.pause_at_percent))
      throw new Refusal('forbidden', 'Only the owner may change when the guard pauses an automation.');
    // The owner may have changed it since it was read.
    delete changed.pause_at_percent;
  }
  if (Object.keys(changed).length === 0) return read(table, organizationId);
  return optimistically<SafeguardsChange | undefined, Safeguards>({
    read: () => readChanged(table, organizationId),
    write: async before => {
      const from = { ...INITIAL_SAFEGUARDS, ...before };
      const alive = organizationStore.aliveCheck(table, organizationId);
      try {
        await commit(table, [alive, ...changeWrites(needs, organizationId, before, changed)]);
        return { ...from, ...changed };
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (error.isOf(alive)) throw organizationStore.organizationGone();
        return undefined;
      }
    },
    conflict: 'Another change of the safeguards is under way. Please try again.',
  });
}

/** They fail if one of these fields was changed since it was read. */
export function changeWrites(
  needs: Changing,
  organizationId: number,
  before: SafeguardsChange | undefined,
  changed: SafeguardsChange,
): Write[] {
  const from = { ...INITIAL_SAFEGUARDS, ...before };
  const only = unchanged(before, Object.keys(changed));
  return [
    updateWrite(needs.table, keyOf(organizationId), { set: changed }, only),
    safeguardsWrite(needs, organizationId, changed),
    ...recorded(needs, organizationId, { kind: 'sending', from, to: { ...from, ...changed } }),
  ];
}

const keyOf = (organization: number) => ({ PK: `ORG#${organization}`, SK: 'SAFEGUARDS' });

/** Undefined if they are those of a new organization. */
export async function readChanged(table: Table, organization: number): Promise<SafeguardsChange | undefined> {
  const item = await get(table, keyOf(organization));
  return item && fromItem(item);
}

export const safeguardsDeleteWrite = (table: Table, organization: number): Write =>
  deleteWrite(table, keyOf(organization));

export type Window = (typeof WINDOWS)[number];

/** The longest window of the safeguards: older emails do not count. */
export const LONGEST_WINDOW = Math.max(...WINDOWS.map(({ length }) => length));

/** Emails without a record, sent until an instant, which kept to the safeguards for some time before it. */
export type Assumed = { until: number; length: number };

const mostWithin = (safeguards: Safeguards, time: number): number =>
  Math.min(...WINDOWS.map(({ field, length }) => safeguards[field] * (Math.floor(time / length) + 1)));

/** `sent` are the instants of emails until `at`. Assumed emails count as sent at the end of their time. */
export function cappedBy(
  safeguards: Safeguards,
  sent: number[],
  at: number,
  assumed: Assumed[] = [],
): Window | undefined {
  if (!safeguards.enabled) return undefined;
  return WINDOWS.find(({ field, length }) => {
    const within = sent.filter(instant => instant > at - length && instant <= at).length;
    const more = assumed
      .filter(({ until }) => until > at - length)
      .reduce((sum, one) => sum + mostWithin(safeguards, one.length), 0);
    return within + more >= safeguards[field];
  });
}
