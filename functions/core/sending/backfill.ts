import { dueOccurrences, type Interval, triggerOf } from '#core/automation/due/occurrences.ts';
import { eachInParallel } from '#core/parallel.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { type Source, sourcesIn } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { NEWLY_DUE, STALE } from '#core/timeouts.ts';
import type { Metadata } from '#shared/metadata.ts';
import { MINUTE, SECOND } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { type DueItem, instantOf, minuteOf, type Pack, packId, packsOf } from './pack.ts';
import { readSendingState, ruleFor } from './state.ts';

/** The sweep is sure to find what was stored at least this long before the end of a minute. */
const READ_AFTER = 10 * SECOND;
const MOST_AT_ONCE = 10;

/** A membership that was stored, and its version before. */
export type Stored = {
  organization: number;
  hash: string;
  membership: Subscribed;
  /** Undefined if they were not subscribed. */
  before: Subscribed | undefined;
  written: Date;
  /** The sequence number of its record in the stream. */
  sequence: string;
};
type Subscribed = { list_id: string; metadata: Metadata; created_at: string };

type NewlyDue = DueItem & {
  minute: string;
  /** The sweep will find the same emails (`Pack.isEarly`). */
  isEarly: boolean;
};

type Needs = { table: Table; now: Date; queue: (packs: Pack[]) => Promise<void> };

/**
 * Queues what fell due in the hour before a member's date was stored, in minutes that the sweep may have passed already. So
 * an automation without a delay mails at once, however late the stream is. What the sweep queues too is sent once. A failure
 * of one list does not stop the others.
 */
export async function enqueueNewlyDue(needs: Needs, stored: Stored[]): Promise<void> {
  const byList = Map.groupBy(
    stored,
    ({ organization, membership }) => `${organization}#${membership.list_id}`,
  );
  await eachInParallel([...byList], MOST_AT_ONCE, ([key, ofList]) => {
    const [organization = '', list = ''] = key.split('#');
    return enqueueOfList(needs, { organization: Number(organization), list }, ofList);
  });
}

async function enqueueOfList(
  { table, now, queue }: Needs,
  { organization, list }: Pick<Source, 'organization' | 'list'>,
  stored: Stored[],
): Promise<void> {
  const sources = await sourcesIn(table, organization, list);
  if (sources.length === 0) return;
  const state = await readSendingState(table, organization, sources);
  const found = stored.flatMap(one =>
    sources.flatMap(source => {
      const automation = state.automations.get(source.automation);
      if (!automation?.active || !isNewDate(one, automation)) return [];
      const trigger = triggerOf(one.membership, automation);
      const rule = ruleFor(state, list, automation, one.membership.metadata);
      return dueOccurrences(trigger, rule, intervalOf(one, now)).map(({ at }) =>
        foundBy(source, one, trigger ?? at, at),
      );
    }),
  );
  const packs = [...Map.groupBy(found, ({ minute, isEarly }) => `${minute} ${isEarly}`).values()].flatMap(
    some => packsOfMinute(organization, some),
  );
  if (packs.length > 0) await queue(packs.map(pack => ({ ...pack, id: packIdFor(pack, stored) })));
}

function packsOfMinute(organization: number, found: NewlyDue[]): Pack[] {
  const [{ minute, isEarly } = { minute: '', isEarly: false }] = found;
  const packs = packsOf({ organization, minute }, found);
  return isEarly ? packs.map(pack => ({ ...pack, isEarly })) : packs;
}

/** Whether the change gave the member the date that an automation starts at, or another time zone. */
function isNewDate({ membership, before }: Stored, automation: Parameters<typeof triggerOf>[1]): boolean {
  if (!before) return true;
  return (
    triggerOf(before, automation)?.getTime() !== triggerOf(membership, automation)?.getTime() ||
    timeZoneOf(before.metadata) !== timeZoneOf(membership.metadata)
  );
}

const intervalOf = ({ written }: Stored, now: Date): Interval => ({
  from: new Date(Math.max(written.getTime() - NEWLY_DUE, now.getTime() - STALE)),
  until: new Date(Math.min(written.getTime() + MINUTE + READ_AFTER, now.getTime())),
});

const foundBy = (
  { list, column, automation }: Source,
  { hash, membership, written }: Stored,
  trigger: Date,
  at: Date,
): NewlyDue => ({
  hash,
  list,
  column,
  automation,
  trigger: triggers.triggerText({ instant: trigger, zone: timeZoneOf(membership.metadata) }),
  minute: minuteOf(at),
  isEarly: written.getTime() <= instantOf(minuteOf(at)).getTime() + MINUTE - READ_AFTER,
});

/** Equal for the same records and dues, so that repeated records queue a redelivery of the same pack. */
const packIdFor = ({ id }: Pack, stored: Stored[]) => packId([id, stored.map(({ sequence }) => sequence)]);
