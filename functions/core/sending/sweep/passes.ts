import { hasSource, type StoredAutomation } from '#core/automation/automation.store.ts';
import { endPassOfBroadcast, stop } from '#core/automation/broadcast.store.ts';
import {
  broadcastTrigger,
  firstOccurrence,
  hasFixedTrigger,
  isBegunBefore,
  type Rules,
} from '#core/automation/due/occurrences.ts';
import { isBroadcast } from '#core/id.ts';
import { isLack } from '#core/list/providers.ts';
import { inParallel } from '#core/parallel.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { movePass, type Pass, type Place } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { CLOCK_SKEW, MEMBERSHIP_WRITER_TIMEOUT } from '#core/timeouts.ts';
import { dateIn } from '#shared/metadata.ts';
import type { Skipped } from '#shared/send-status.ts';
import { DAY, HOUR, MINUTE, MINUTES_OF_DAY, startOfMinute } from '#shared/time.ts';
import { TIME_ZONES } from '#shared/time-zone.ts';
import { leftOf, warmUpAt } from '#shared/warm-up.ts';
import { minuteOf, type Pack, packsOf } from '../pack.ts';
import {
  blockedBy,
  endOfQuiet,
  oncePerState,
  readSendingState,
  type SendingState,
  timedOf,
} from '../state.ts';
import { daysLater, giveBack, isUsedUp, reserve } from '../warm-up-shares.ts';

export type Needs = {
  table: Table;
  now: Date;
  hasTimeLeft: () => boolean;
  /** Resolves when the queue has accepted the packs. */
  queue: (packs: Pack[]) => Promise<void>;
  /** Reports an organization that could not be swept; it is retried. */
  failed: (organization: number, error: unknown) => void;
  part?: { rows: number };
};

// Between two looks at the time: with a long row of days off, a row takes milliseconds.
const MOST_AT_ONCE = 4;
const ROWS = 1_000;
// Of an organization in a run: a hundred packs, as of what falls due.
const MOST_PAGES = 100;
/** Reading that a time zone has no members. */
const EMPTY_PAGE = 0.2;

/** `next`: when a pass has something to do. */
type Outcome = { packs: number; next: Date[] };

const isReady = ({ due }: Pass, now: Date) => due === undefined || readyAt(due) <= now;
/** As anything else, once the minute is over in which it is due. */
const readyAt = (due: string) => new Date(Date.parse(due) + MINUTE);

/**
 * Queues the people whom an automation has a claim on without a date of their own that says when: whose first email was due
 * before it was switched on, those of a broadcast, those of a course that began without them. Page by page: a pass moves on
 * once the queue has a page. So a run may die anywhere, and two may work on a pass, as who has any claim gets nothing.
 */
export async function runPasses(needs: Needs, passes: Pass[]): Promise<Outcome> {
  const waiting = passes.flatMap(pass => (isReady(pass, needs.now) ? [] : readyAt(pass.due ?? '')));
  const ready = passes.filter(pass => isReady(pass, needs.now));
  const byOrganization = [...Map.groupBy(ready, ({ organization }) => organization)];
  const outcomes = await inParallel(byOrganization, MOST_AT_ONCE, async ([organization, ofIt]) => {
    try {
      return await passesOf(needs, organization, ofIt);
    } catch (error) {
      needs.failed(organization, error);
      return { packs: 0, next: [needs.now] };
    }
  });
  return {
    packs: outcomes.reduce((sum, { packs }) => sum + packs, 0),
    next: [...waiting, ...outcomes.flatMap(({ next }) => next)],
  };
}

/** One page of each in turn, so that a large one keeps no other waiting. */
async function passesOf(needs: Needs, organization: number, passes: Pass[]): Promise<Outcome> {
  const { table, now } = needs;
  const state = await readSendingState(table, organization, passes);
  const outcome: Outcome = { packs: 0, next: [] };
  const line = passes.map(stored => ({ stored, pass: stored }));
  for (let pages = 0, turn = line.shift(); turn; turn = line.shift()) {
    if (pages >= MOST_PAGES || !needs.hasTimeLeft()) {
      // The next run goes on behind the time zones without members.
      const moved = [turn, ...line].filter(({ stored, pass }) => pass !== stored);
      await inParallel(moved, MOST_AT_ONCE, ({ stored, pass }) => movePass(table, stored, pass));
      return { ...outcome, next: [...outcome.next, now] };
    }
    const { stored, pass } = turn;
    const step = await stepOf(needs, state, pass);
    if (step === 'waits') {
      outcome.next.push(now);
      continue;
    }
    const { packs, to, stopped } = step;
    pages += step.pages;
    if (packs.length > 0) await needs.queue(packs);
    outcome.packs += packs.length;
    // A time zone without members is not worth a write.
    const isWritten = packs.length > 0 || !to || to.due !== undefined || to.zone === pass.zone;
    const next = to && { ...pass, ...to };
    if (!isWritten && next) {
      line.push({ stored, pass: next });
      continue;
    }
    const isMoved = to
      ? await movePass(table, stored, to)
      : await end({ table, now }, state, stored, stopped);
    if (!isMoved) outcome.next.push(now);
    else if (next?.due !== undefined) outcome.next.push(readyAt(next.due));
    else if (next) line.push({ stored: next, pass: next });
  }
  return outcome;
}

type Step = { packs: Pack[]; pages: number; to: Place | undefined; stopped?: Skipped };

/** Without a reason to stop, the whole pass is over. */
async function end(
  needs: { table: Table; now: Date },
  { organization }: SendingState,
  pass: Pass,
  stopped: Skipped | undefined,
): Promise<boolean> {
  if (!isBroadcast(pass.automation)) return movePass(needs.table, pass, undefined);
  // The purge deletes what is left of a deleted organization.
  if (!organization || organization.deleted_at) return true;
  if (stopped) return stop(needs, pass.organization, pass.automation, stopped);
  return endPassOfBroadcast(needs, pass);
}

/** What is written before the change that needs it may wait for that. */
const LONGEST_CHANGE = HOUR;

/** Those who have the same trigger at the same time. `zone`: see `Place`. */
type Stage = {
  zone?: string;
  /** The minute in which it is due. */
  at: number;
  isMeant: (row: triggers.Trigger) => boolean;
};

/** What is off ends a pass; the end of quiet hours, or of a stop by the operator, is waited for. */
async function stepOf(
  { table, now, part: { rows: most } = { rows: ROWS } }: Needs,
  state: SendingState,
  pass: Pass,
): Promise<Step | 'waits'> {
  const { organization, list, column, automation: id, since } = pass;
  const over = { packs: [], pages: 0, to: undefined };
  const automation = state.automations.get(id);
  if (!automation || !hasSource(automation, { organization, list, column })) {
    return now.getTime() - Date.parse(since) > LONGEST_CHANGE ? over : 'waits';
  }
  // Fifty lists mostly have the same.
  const begun = automation.begun?.[list]?.since;
  const key = [automation.id, since, begun, state.lists.get(list)?.time_zone].join('#');
  const stages = knownStages(state, key, () => stagesOf(state, pass, automation));
  const hours = state.organization?.hours_revision;
  // Other quiet hours may put a time zone that is still to come before this one.
  const isSameOrder = pass.zone === undefined || pass.hours === hours;
  const stage = (isSameOrder && stages.find(({ zone }) => zone === pass.zone)) || stages[0];
  if (!stage) return over;
  const { zone } = stage;
  const days = pass.days ?? 0;
  const at = stage.at + days * DAY;
  const after = isSameOrder && zone === pass.zone ? pass.after : '';
  const place = { ...pass, after, zone, due: undefined, hours };
  const isFixed = hasFixedTrigger(automation, list);
  if (isFixed && at + MINUTE > now.getTime()) {
    // It looks again each hour, as a time zone or quiet hours may be changed.
    const due = new Date(Math.min(at, startOfMinute(now.getTime()) + HOUR)).toISOString();
    return { packs: [], pages: 0, to: { ...place, due } };
  }
  // The clock that it was switched on by may be ahead of this one.
  const minute = new Date(
    startOfMinute(isFixed ? now.getTime() - MINUTE : Math.max(now.getTime(), Date.parse(since))),
  );
  const blocked = blockedBy(state, { list, automation: id }, automation.broadcast ? now : minute);
  const isOff = blocked?.endsWith('_off') || (isLack(blocked) && automation.broadcast);
  if (blocked && isOff) return { ...over, stopped: blocked };
  if ((blocked && !isLack(blocked)) || endOfQuiet(state.organization, minute)) return 'waits';
  // A broadcast waits for its share of a warm-up, at the place that it has reached.
  const stored = automation.broadcast && state.lists.get(list);
  const warmUp = stored && warmUpAt(stored.warm_up, now);
  const isOver = warmUp && isUsedUp(warmUp, now);
  if (isOver === 'not known yet') return 'waits';
  if (isOver) {
    const later = daysLater(at, now);
    const due = new Date(at + later * DAY).toISOString();
    return { packs: [], pages: 0, to: { ...place, due, days: days + later } };
  }
  const all = triggers.rangeOfMinutes(0, MINUTES_OF_DAY);
  const source = { listId: list, column, zone: zone || undefined };
  const page = { most: Math.min(most, warmUp ? leftOf(warmUp) : most), after };
  const { rows, last } = await triggers.triggerPage(table, source, all, page);
  const due = rows.filter(row => (zone !== '' || row.zone === undefined) && stage.isMeant(row));
  const items = due.map(row => ({
    list,
    column,
    automation: id,
    existing: since,
    hash: row.hash,
    trigger: triggers.triggerText(row),
  }));
  const reserved = warmUp && items.length > 0 && (await reserve(table, stored, items.length, now));
  if (reserved) {
    state.lists.set(list, { ...stored, ...reserved.list });
    if (reserved.emails < items.length) {
      await giveBack(table, reserved, reserved.emails);
      return 'waits';
    }
  }
  const packs = packsOf({ organization, minute: minuteOf(minute) }, items);
  return {
    packs: reserved ? packs.map(pack => ({ ...pack, warm_up_day: reserved.day })) : packs,
    pages: Math.max(EMPTY_PAGE, rows.length / most),
    to: last === undefined ? nextPlace(stages, stage, place) : { ...place, after: last },
  };
}

/** Undefined after the last one. People without a time zone are not forgotten where theirs was changed meanwhile. */
function nextPlace(stages: Stage[], { zone, at }: Stage, place: Place): Place | undefined {
  if (zone === undefined) return undefined;
  const isPlainDone = place.isPlainDone || zone === '';
  const next = stages.find(other =>
    other.zone === '' ? !isPlainDone : other.at > at || (other.at === at && (other.zone ?? '') > zone),
  );
  return next && { ...place, after: '', zone: next.zone, isPlainDone };
}

/** A run takes a step for each time zone. */
const knownStages = oncePerState<Stage[]>();

/** By time: one for each time zone, and one of people without any; or one for all, where they have the same time. */
function stagesOf(state: SendingState, pass: Pass, automation: StoredAutomation): Stage[] {
  const { list, since } = pass;
  const { rules } = timedOf(state, list, automation);
  const { broadcast, begun } = automation;
  if (!hasFixedTrigger(automation, list)) {
    const before = startOfMinute(Date.parse(since));
    const isMeant = ({ instant, zone }: triggers.Trigger) => {
      const first = firstOccurrence(instant, rules(zone));
      return first !== undefined && first.at.getTime() < before;
    };
    return [{ at: before, isMeant }];
  }
  const ofList = begun?.[list];
  const trigger = broadcast ? broadcastTrigger(broadcast) : dateIn(ofList?.since ?? '');
  const stage = (zone: string | undefined, named: string | undefined): Stage[] => {
    const first = firstOccurrence(trigger, rules(zone));
    // A step that was moved or added into the past is not sent later.
    const isMissed = !broadcast && first && first.at.getTime() < startOfMinute(Date.parse(since));
    if (!first || isMissed) return [];
    const added =
      broadcast?.at === undefined ? (first.heldSince ?? first.at).getTime() : Date.parse(broadcast.at);
    const isMeant = ({ instant }: triggers.Trigger) =>
      broadcast ? instant.getTime() <= added : ofList !== undefined && isBegunBefore(instant, ofList);
    // Who was added right before is stored a little later.
    const at = Math.max(first.at.getTime(), broadcast ? startOfMinute(added + STORED_LATER) : 0);
    return [{ ...(named !== undefined && { zone: named }), at, isMeant }];
  };
  const plain = stage(undefined, '');
  if (!isByZone(automation, rules)) return stage(undefined, undefined);
  const stages = [...plain, ...TIME_ZONES.flatMap(zone => stage(zone, zone))];
  if (new Set(stages.map(({ at }) => at)).size === 1) return stage(undefined, undefined);
  return stages.sort((a, b) => a.at - b.at || ((a.zone ?? '') < (b.zone ?? '') ? -1 : 1));
}

const STORED_LATER = MEMBERSHIP_WRITER_TIMEOUT + CLOCK_SKEW;

const isByZone = ({ time_zone_of }: StoredAutomation, rules: Rules) =>
  time_zone_of === 'member' && rules(undefined).timing !== undefined;
