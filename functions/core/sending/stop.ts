import * as organizationStore from '#core/organization/organization.store.ts';
import * as organizations from '#core/organization/organization.ts';
import type { Assumed } from '#core/organization/safeguards.ts';
import type { Stop } from '#core/organization/switches.ts';
import * as switches from '#core/organization/switches.ts';
import { Refusal } from '#core/refusal.ts';
import { fromItem, get, type Reading, type Table } from '#core/storage/table.store.ts';
import { ABSENT, optimistically, unchanged, updateWith, type Write } from '#core/storage/write.store.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';

const KEY = { PK: 'STAGE', SK: 'SENDING' };

/** From the point in time to which the table was restored until sending was stopped: what was sent in between is lost. */
type Restored = { from: string; until: string };

export type StageSending = { stop?: Stop; restored?: Restored[] };

export async function readStage(table: Table, reading?: Reading): Promise<StageSending> {
  const item = await get(table, KEY, reading);
  return item ? fromItem(item) : {};
}

/** Without an organization, all of them are meant. */
type Needs = { table: Table; now: Date; organization?: number | undefined };

/** Empty if it never was. */
export const status = async ({ table, organization }: Omit<Needs, 'now'>): Promise<Stop> =>
  (organization === undefined ? await readStage(table) : await readOrganization(table, organization)).stop ??
  {};

/** Nothing is posted five seconds later, whatever is queued or claimed. */
export const stop = (needs: Needs): Promise<Stop> =>
  change(needs, ({ stopped_since }) =>
    stopped_since === undefined ? { stopped_since: needs.now.toISOString() } : undefined,
  );

/** With the first minute that no run of the sweep has read: what was due before, and what waits in the queue, is skipped. */
export const start = (needs: Needs): Promise<Stop> =>
  change(needs, ({ stopped_since }) =>
    stopped_since === undefined ? undefined : { sending_since: minuteNotSwept(needs.now).toISOString() },
  );

/** By any clock. */
const minuteNotSwept = (now: Date) => new Date((Math.floor(now.getTime() / MINUTE) + 2) * MINUTE);

/** Returns undefined if nothing changes. */
type Change = (before: Stop) => Stop | undefined;

const change = ({ table, organization }: Needs, changed: Change): Promise<Stop> =>
  optimistically({
    read: async () => (organization === undefined ? readStage(table) : readOrganization(table, organization)),
    write: async (before): Promise<Stop | undefined> => {
      const next = changed(before.stop ?? {});
      if (!next) return before.stop ?? {};
      const recorded = [switches.stopWrite(table, organization, next)];
      const isStored =
        'id' in before
          ? await organizationStore.changeStop(table, before, next, recorded)
          : await replaceStage(table, before, { stop: next }, recorded);
      return isStored ? next : undefined;
    },
    conflict: 'Somebody else is stopping or starting it. Please try again.',
  });

async function readOrganization(table: Table, id: number): Promise<organizationStore.StoredOrganization> {
  const [found] = await organizations.findAll({ table }, [id]);
  if (!found) throw new Refusal('not-found', `There is no organization ${id}.`);
  return found;
}

/** Returns false if it has changed since it was read. */
async function replaceStage(
  table: Table,
  before: StageSending,
  set: StageSending,
  others: Write[],
): Promise<boolean> {
  // A stored item always has a stop.
  const only = before.stop ? unchanged(before, ['stop', 'restored']) : ABSENT;
  return (await updateWith(table, KEY, { set }, only, others)) !== undefined;
}

/** A restore is kept for as long as the longest window of the safeguards, and a day. */
const RESTORED_KEPT = 8 * DAY;

/** In the record of switches, sending is off from the point in time of the restore on. A repetition changes nothing. */
export const recordRestored = (
  { table, now }: Omit<Needs, 'organization'>,
  { from, until, stopped }: { from: Date; until: Date; stopped: Date },
): Promise<true> =>
  optimistically({
    read: () => readStage(table),
    write: async before => {
      const noted = { from: from.toISOString(), until: until.toISOString() };
      const stop = { stopped_since: stopped.toISOString() };
      const { restored = [] } = before;
      const isNoted = until <= from || restored.some(interval => interval.until === noted.until);
      if (isNoted && before.stop?.stopped_since === stop.stopped_since) return true;
      const oldest = new Date(now.getTime() - RESTORED_KEPT).toISOString();
      const kept = restored.filter(interval => interval.until >= oldest);
      const next = { stop, restored: isNoted ? kept : [...kept, noted] };
      const recorded = [switches.stopWrite(table, undefined, { stopped_since: noted.from })];
      return (await replaceStage(table, before, next, recorded)) || undefined;
    },
    conflict: 'Somebody else is stopping or starting it. Please try again.',
  });

/** `due`: the minute. */
export const isStopped = ({ stopped_since, sending_since = '' }: Stop = {}, due: Date): boolean =>
  stopped_since !== undefined || sending_since > due.toISOString();

/** What is due in this minute may have been sent before the table was restored. */
export const isLost = ({ restored = [] }: StageSending, due: Date): boolean =>
  restored.some(({ until }) => due.toISOString() <= until);

/** With a time of day, the day of an email is that of a time zone, which may be this far ahead of UTC. */
const EASTERNMOST = 14 * HOUR;

/** Only the day decides: a person gets one email of an automation on a day, whatever date and schedule were stored then. */
export const mayHaveBeenSent = (
  { restored = [] }: StageSending,
  { key }: { key: string },
  { isTimed }: { isTimed: boolean },
): boolean => {
  const [, day = ''] = key.split('#');
  return restored.some(({ until }) => {
    const last = new Date(Date.parse(until) + (isTimed ? EASTERNMOST : 0));
    return day <= last.toISOString().slice(0, 10);
  });
};

/** The sends that a restore may have lost. */
export const assumedSends = ({ restored = [] }: StageSending): Assumed[] =>
  restored.map(({ from, until }) => ({
    until: Date.parse(until),
    length: Date.parse(until) - Date.parse(from),
  }));
