import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '#core/refusal.ts';
import { fromItem, get, type Table } from '#core/storage/table.store.ts';
import {
  commit,
  conditionsHeld,
  definedFields,
  deleteWrite,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { may, type Role } from '#shared/permissions.ts';
import { INITIAL_SAFEGUARDS, type Safeguards, type SafeguardsChange, WINDOWS } from '#shared/safeguards.ts';
import * as organizationStore from './organization.store.ts';
import * as organization from './organization.ts';
import { safeguardsWrite } from './switches.ts';

export const read = async (table: Table, organizationId: number): Promise<Safeguards> => ({
  ...INITIAL_SAFEGUARDS,
  ...(await readChanged(table, organizationId)),
});

export async function change(
  needs: { table: Table; now: Date; user?: string; role?: Role },
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
  if (Object.keys(changed).length > 0) {
    const writes = [
      organizationStore.aliveCheck(table, organizationId),
      updateWrite(table, keyOf(organizationId), { set: changed }),
      safeguardsWrite(needs, organizationId, changed),
    ];
    if (!(await conditionsHeld(commit(table, writes)))) {
      throw organization.organizationGone();
    }
  }
  return read(table, organizationId);
}

const keyOf = (organization: number) => ({ PK: `ORG#${organization}`, SK: 'SAFEGUARDS' });

async function readChanged(table: Table, organization: number): Promise<SafeguardsChange | undefined> {
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
