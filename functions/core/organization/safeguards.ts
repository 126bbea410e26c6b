import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '#core/refusal.ts';
import { get, query, storedOf, type Table } from '#core/storage/table.store.ts';
import {
  ConditionFailed,
  commit,
  definedFields,
  deleteWrite,
  optimistically,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { may, type Role } from '#shared/permissions.ts';
import { dayAfter } from '#shared/report/range.ts';
import { INITIAL_SAFEGUARDS, type Safeguards, type SafeguardsChange, WINDOWS } from '#shared/safeguards.ts';
import * as organizationStore from './organization.store.ts';
import { type Changing, recorded } from './record.ts';
import { safeguardsWrite } from './switches.ts';

/** By UTC day, which automations earn most by an email, the best first. What is not named earns less, or nothing proves it. */
export type Earners = Record<string, string[]>;
type Stored = SafeguardsChange & { earners?: Earners };

/** What decides on emails to one person. */
export async function readWithEarners(
  table: Table,
  organization: number,
): Promise<{ safeguards: Safeguards; earners: Earners }> {
  const { earners = {}, ...changed } = (await readStored(table, organization)) ?? {};
  return { safeguards: { ...INITIAL_SAFEGUARDS, ...changed }, earners };
}

export const read = async (table: Table, organizationId: number): Promise<Safeguards> =>
  (await readWithEarners(table, organizationId)).safeguards;

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
    updateWrite(needs.table, keyOf(organizationId), indexed(organizationId, changed), only),
    safeguardsWrite(needs, organizationId, changed),
    ...recorded(needs, organizationId, { kind: 'sending', from, to: { ...from, ...changed } }),
  ];
}

const keyOf = (organization: number) => ({ PK: `ORG#${organization}`, SK: 'SAFEGUARDS' });

const readStored = async (table: Table, organization: number) =>
  storedOf<Stored>(await get(table, keyOf(organization)));

/** Undefined if they are those of a new organization. */
export async function readChanged(table: Table, organization: number): Promise<SafeguardsChange | undefined> {
  const { earners: _, ...changed } = (await readStored(table, organization)) ?? {};
  return Object.keys(changed).length > 0 ? changed : undefined;
}

const RANKED = 'RANKED';

const indexed = (organization: number, changed: SafeguardsChange) => ({
  set: { ...changed, ...(changed.order === 'value' && { GSI1PK: RANKED, GSI1SK: String(organization) }) },
  ...(changed.order === 'least_recent' && { drop: ['GSI1PK', 'GSI1SK'] }),
});

/** The organizations whose emails go by what they earn. The index may miss the last change. */
export async function organizationsByValue(table: Table): Promise<number[]> {
  const found = await query(table, {
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :pk',
    ExpressionAttributeValues: { ':pk': RANKED },
  });
  return found.map(({ PK }) => Number(String(PK).split('#')[1]));
}

/** The days that are kept, so that it can be explained why another email came first. */
const KEPT_DAYS = 8;

/** Once for each day. `compute` is called if there are none. Returns whether they were stored. */
export async function storeEarners(
  table: Table,
  organization: number,
  day: string,
  compute: () => Promise<string[] | undefined>,
): Promise<boolean> {
  const before = await readStored(table, organization);
  if (before?.order !== 'value' || before.earners?.[day]) return false;
  const ids = await compute();
  if (!ids) return false;
  const kept = Object.entries(before.earners ?? {}).filter(([other]) => other > dayAfter(day, -KEPT_DAYS));
  const earners = { ...Object.fromEntries(kept), [day]: ids };
  const only = unchanged(before, ['order', 'earners']);
  return (await updateItem(table, keyOf(organization), { set: { earners } }, only)) !== undefined;
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
