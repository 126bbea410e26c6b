import * as automationStore from '#core/automation/automation.store.ts';
import type { DueRule } from '#core/automation/due/occurrences.ts';
import { quietOf } from '#core/automation/due/quiet-hours.ts';
import { type Timed, timedIn } from '#core/automation/due/read-plan.ts';
import { whenFor } from '#core/automation/due/send-slots.ts';
import * as combinations from '#core/content/combination.ts';
import { isBroadcast } from '#core/id.ts';
import { withVerified } from '#core/list/identity.store.ts';
import * as listStore from '#core/list/list.store.ts';
import { lackOf, providerNow } from '#core/list/providers.ts';
import * as holdout from '#core/organization/holdout.ts';
import type * as organizationStore from '#core/organization/organization.store.ts';
import * as organization from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import type { Reading, Table } from '#core/storage/table.store.ts';
import { PUNCTUAL } from '#core/timeouts.ts';
import { type AudienceItem, type AudienceMember, firstMismatch, type When } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';
import type { Safeguards } from '#shared/safeguards.ts';
import type { Skipped } from '#shared/send-status.ts';
import { MINUTE, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { instantOf, type Pack, type PackSource } from './pack.ts';
import * as stops from './stop.ts';

/** As they are now. */
export type SendingState = {
  stage: stops.StageSending;
  /** Undefined if it is deleted. */
  organization: organizationStore.StoredOrganization | undefined;
  lists: Map<string, listStore.StoredList>;
  automations: Map<string, automationStore.StoredAutomation>;
};

/** All that decides what is sent, except the recipients. */
export type SendingContext = SendingState & {
  linked: Map<string, automationStore.Linked>;
  /** Of the days on which something may be claimed, by `sharesName`. Without any, all shares are equal. */
  shares?: Map<string, automationStore.Shares>;
  safeguards: Safeguards;
  /** Which automations earn most by an email, on a UTC day; none where nothing is stored of it. */
  earnersOn?: (day: string) => string[] | undefined;
  contents: combinations.Contents;
  /** Whether a list may send to a person now, by its warm-up; `before`: emails of the same decision. Absent: without a limit. */
  mayMail?: (list: string, at: Date, hash: string, before: number) => boolean;
  /** Has one email more, or less, taken of what is reserved. */
  take?: (list: string, emails: 1 | -1) => void;
};

type Pair = Pick<PackSource, 'list' | 'automation'>;
type Automation = automationStore.StoredAutomation;

export async function readContext(
  table: Table,
  { organization: organizationId, minute, sources }: Pick<Pack, 'organization' | 'minute' | 'sources'>,
  now: Date,
  known?: SendingState,
): Promise<SendingContext> {
  const automationIds = [...new Set(sources.map(({ automation }) => automation))];
  const state = known ?? (await readSendingState(table, organizationId, sources));
  const days = new Set(
    [instantOf(minute), now, new Date(now.getTime() + LATER)].map(at => at.toISOString().slice(0, 10)),
  );
  const wanted = automationIds
    .filter(id => automationStore.isAllocated(state.automations.get(id) ?? {}))
    .flatMap(automation => [...days].map(day => ({ automation, day })));
  const [choosing, { safeguards: limits, earners }] = await Promise.all([
    automationStore.readChoosing(table, organizationId, automationIds, wanted),
    safeguards.readWithEarners(table, organizationId),
  ]);
  return {
    ...state,
    ...choosing,
    safeguards: limits,
    earnersOn: day => earners[day],
    contents: combinations.contentsOf(table, organizationId),
  };
}

/** Of an automation, the steps of a sequence together; or of all that its organization sends. */
export const isHeldOut = (
  { organization }: Pick<SendingState, 'organization'>,
  { id, sequence_id = id, holdout_percent }: Pick<Automation, 'id' | 'sequence_id' | 'holdout_percent'>,
  hash: string,
): boolean =>
  holdout.isHeldOut(hash, sequence_id, holdout_percent) ||
  (organization !== undefined &&
    holdout.isHeldOut(hash, holdout.idOf(organization), organization.holdout_percent));

/** A pack claims for less than this after it was read. The shares of the next day are stored by then (`isSettled`). */
const LATER = 2 * MINUTE;

export async function readSendingState(
  table: Table,
  organizationId: number,
  sources: Pair[],
): Promise<SendingState> {
  const states = await readSendingStates(table, new Map([[organizationId, sources]]));
  return states.get(organizationId) as SendingState;
}

/** In requests of a hundred items each. */
export async function readSendingStates(
  table: Table,
  pairs: Map<number, Pair[]>,
  /** For organizations and lists. Automations are always read consistently, as their schedule decides who is due. */
  reading?: Reading,
): Promise<Map<number, SendingState>> {
  const ids = (name: keyof Pair) =>
    [...pairs].flatMap(([organization, ofIt]) => ofIt.map(pair => ({ organization, id: pair[name] })));
  const [stage, organizations, lists, automations] = await Promise.all([
    stops.readStage(table, reading),
    organization.findAll({ table }, [...pairs.keys()], reading),
    listStore.readNamed(table, ids('list'), reading).then(lists => withVerified(table, lists, reading)),
    automationStore.readNamed(table, ids('automation')),
  ]);
  const byId = new Map(organizations.map(stored => [stored.id, stored]));
  const [listsOf, automationsOf] = [byOrganization(lists), byOrganization(automations)];
  return new Map(
    [...pairs.keys()].map(id => [
      id,
      {
        stage,
        organization: byId.get(id),
        lists: listsOf.get(id) ?? new Map(),
        automations: automationsOf.get(id) ?? new Map(),
      },
    ]),
  );
}

function byOrganization<T extends { organization_id: number; id: string }>(
  stored: T[],
): Map<number, Map<string, T>> {
  const grouped = Map.groupBy(stored, ({ organization_id }) => organization_id);
  return new Map([...grouped].map(([id, ofIt]) => [id, new Map(ofIt.map(item => [item.id, item]))]));
}

/** What is computed of a state once for each key. */
export function oncePerState<T>() {
  const known = new WeakMap<SendingState, Map<string, T>>();
  return (state: SendingState, key: string, compute: () => T): T => {
    const ofState = known.get(state) ?? new Map<string, T>();
    known.set(state, ofState);
    const value = ofState.get(key) ?? compute();
    ofState.set(key, value);
    return value;
  };
}

const knownTimed = oncePerState<Timed>();

export const timedOf = (state: SendingState, list: string, automation: Automation): Timed =>
  knownTimed(state, `${list}#${automation.id}`, () =>
    timedIn(automation, { organization: state.organization, list: state.lists.get(list) }),
  );

export const ruleFor = (
  state: SendingState,
  list: string,
  automation: Automation,
  metadata: Metadata,
): DueRule => timedOf(state, list, automation).rules(timeZoneOf(metadata));

/** What of the audience a member does not match, as they are now, for an email that is due at an instant. */
export function mismatchOf(
  state: SendingState,
  list: string,
  automation: Automation,
  member: AudienceMember,
  at: Date,
): AudienceItem | undefined {
  if (!automation.audience) return undefined;
  return firstMismatch(automation.audience, member, conditionsAt(state, list, automation, member, at));
}

/** An instant, with the time zone in which the conditions of an automation count days for a member. */
export const conditionsAt = (
  { organization, lists }: SendingState,
  list: string,
  automation: Automation,
  { metadata }: Pick<AudienceMember, 'metadata'>,
  at: Date,
): When => whenFor(automation, { organization, list: lists.get(list) }, at)(metadata);

/** The minute in which all must be on. A broadcast goes on where it was stopped, so what was off before does not count. */
export const minuteOfSending = ({ minute }: Pick<Pack, 'minute'>, automation: string, now: Date): Date =>
  isBroadcast(automation)
    ? new Date(Math.max(now.getTime(), instantOf(minute).getTime()))
    : instantOf(minute);

/** An email that fell due while something was off stays unsent. `due`: the minute in which it was due. */
export function blockedBy(
  { stage, organization, lists, automations }: SendingState,
  { list: listId, automation: automationId, existing }: Pair & Pick<PackSource, 'existing'>,
  due: Date,
): Skipped | undefined {
  const list = lists.get(listId);
  const automation = automations.get(automationId);
  if (!organization?.active || organization.deleted_at || wasOff(organization, due)) {
    return 'organization_off';
  }
  if (stops.isStopped(stage.stop, due) || stops.isStopped(organization.stop, due)) {
    return stops.isLost(stage, due) ? 'restored' : 'stopped';
  }
  // Whether the automation was off at that minute is checked by the caller, and not for a resend, which was owed before.
  if (!automation?.active) return automation?.paused ? 'guard_off' : 'automation_off';
  if (!automation.email_list_ids.includes(listId)) return 'automation_off';
  if (!list?.active || wasOff(list, due)) return 'list_off';
  // People who are there already are mailed until it is switched off, also if it is on again by then. A broadcast goes on.
  const isOver =
    existing !== undefined && !automation.broadcast && (automation.active_since ?? '') > existing;
  return lackOf(list) ?? (isOver ? 'automation_off' : undefined);
}

export const wasOff = ({ active_since = '' }: { active_since?: string | undefined }, due: Date): boolean =>
  active_since >= new Date(due.getTime() + MINUTE).toISOString();

/** Its providers throttle it, or its key is denied. */
export function pausedUntil(list: listStore.StoredList, now: Date): Date | undefined {
  const used = providerNow(list, now);
  return 'until' in used ? used.until : undefined;
}

/** An email that has just fallen due did so before quiet hours began, and is not held. */
export function quietUntil(
  organization: SendingState['organization'],
  due: Date,
  now: Date,
): Date | undefined {
  return now.getTime() - due.getTime() <= PUNCTUAL ? undefined : endOfQuiet(organization, now);
}

/** When the present quiet hours of an organization end; undefined outside of quiet hours. */
export function endOfQuiet(organization: SendingState['organization'], now: Date): Date | undefined {
  const end = quietOf(organization)?.endOf(startOfMinute(now.getTime())) ?? 0;
  return end > now.getTime() ? new Date(end) : undefined;
}
