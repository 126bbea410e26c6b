import type { StoredAutomation } from '#core/automation/automation.store.ts';
import {
  type Added,
  type Dated,
  dueOccurrences,
  fixedTrigger,
  type Interval,
  isStarted,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import { eachInParallel } from '#core/parallel.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { type Source, sourcesIn } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { BACKFILL, STALE } from '#core/timeouts.ts';
import { MINUTE, SECOND, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { type DueItem, instantOf, minuteOf, type Pack, packId, packsOf } from './pack.ts';
import { readSendingState, ruleFor, type SendingState } from './state.ts';

/** The sweep is sure to find what was stored at least this long before the end of a minute. */
const READ_AFTER = 10 * SECOND;
const MOST_AT_ONCE = 10;

export type StoredMember = {
  organization: number;
  hash: string;
  membership: Subscribed;
  /** Undefined if they were not subscribed. */
  before: Subscribed | undefined;
  written: Date;
  /** The sequence number of its record in the stream. */
  sequence: string;
};
type Subscribed = Dated & Added & { list_id: string };

type BackfillItem = DueItem & {
  minute: string;
  /** The sweep will find the same emails (`Pack.isEarly`). */
  isEarly: boolean;
};

type Needs = { table: Table; now: Date; queue: (packs: Pack[]) => Promise<void> };

/**
 * In minutes that the sweep may have passed already: an automation without a delay mails at once, however late the stream is.
 * What the sweep queues too is sent once. A failure of one list does not stop the others.
 */
export async function backfill(needs: Needs, members: StoredMember[]): Promise<void> {
  const byList = Map.groupBy(
    members,
    ({ organization, membership }) => `${organization}#${membership.list_id}`,
  );
  await eachInParallel([...byList], MOST_AT_ONCE, ([key, ofList]) => {
    const [organization = '', list = ''] = key.split('#');
    return backfillList(needs, Number(organization), list, ofList);
  });
}

async function backfillList(
  { table, now, queue }: Needs,
  organization: number,
  list: string,
  members: StoredMember[],
): Promise<void> {
  const sources = await sourcesIn(table, organization, list);
  if (sources.length === 0) return;
  const state = await readSendingState(table, organization, sources);
  const due = members.flatMap(member => sources.flatMap(source => dueItems(state, source, member, now)));
  // One batch of a late stream may have two records of a person, who left and came again.
  const distinct = new Map(due.map(item => [Object.values(item).join('#'), item]));
  const byMinute = Map.groupBy(distinct.values(), ({ minute, isEarly }) => `${minute} ${isEarly}`);
  const packs = [...byMinute.values()].flatMap(items => packsOfMinute(organization, items));
  if (packs.length > 0) await queue(packs.map(pack => ({ ...pack, id: packIdFor(pack, members) })));
}

/** What a member is due for by a new date, in minutes that may be past. */
export function dueItems(
  state: SendingState,
  source: Source,
  member: StoredMember,
  now: Date,
): BackfillItem[] {
  const { list, column, automation: id } = source;
  const automation = state.automations.get(id);
  const { hash, membership, written } = member;
  if (!automation?.active || !isNewDate(member, automation)) return [];
  const trigger = triggerOf(membership, automation);
  if (!trigger || fixedTrigger(membership, automation)) return [];
  const rule = ruleFor(state, list, automation, membership.metadata);
  const due = dueOccurrences(trigger, rule, intervalOf(automation, trigger, member, now)).filter(occurrence =>
    isStarted(membership, trigger, rule, occurrence),
  );
  return due.map(({ at }) => ({
    hash,
    list,
    column,
    automation: id,
    trigger: triggers.triggerText({ instant: trigger, zone: timeZoneOf(membership.metadata) }),
    minute: minuteOf(at),
    isEarly: written.getTime() <= instantOf(minuteOf(at)).getTime() + MINUTE - READ_AFTER,
  }));
}

/** Whether the change gave the member the date that an automation starts at, or another time zone. */
function isNewDate({ membership, before }: StoredMember, automation: StoredAutomation): boolean {
  if (!before) return true;
  return (
    triggerOf(before, automation)?.getTime() !== triggerOf(membership, automation)?.getTime() ||
    timeZoneOf(before.metadata) !== timeZoneOf(membership.metadata)
  );
}

const intervalOf = (
  automation: StoredAutomation,
  trigger: Date,
  { written }: StoredMember,
  now: Date,
): Interval => ({
  from: new Date(Math.max(earliestDue(automation, trigger, written), now.getTime() - STALE)),
  until: new Date(Math.min(written.getTime() + MINUTE + READ_AFTER, now.getTime())),
});

/** An event that is older starts only what is due from now on, whatever the delay; any other one all that is due. */
function earliestDue({ starts_at }: StoredAutomation, trigger: Date, written: Date): number {
  const since = written.getTime() - BACKFILL;
  if (starts_at !== 'event') return since;
  return startOfMinute(trigger.getTime() < since ? written.getTime() : since);
}

function packsOfMinute(organization: number, items: BackfillItem[]): Pack[] {
  const [{ minute, isEarly } = { minute: '', isEarly: false }] = items;
  const packs = packsOf({ organization, minute }, items);
  return isEarly ? packs.map(pack => ({ ...pack, isEarly })) : packs;
}

/** Repeated records queue a redelivery of the same pack. */
const packIdFor = ({ id }: Pack, members: StoredMember[]) =>
  packId([id, members.map(({ sequence }) => sequence)]);
