import { isDeepStrictEqual } from 'node:util';
import { isBroadcast, isId, newId, newRevision } from '#core/id.ts';
import * as counts from '#core/list/counts.ts';
import * as list from '#core/list/list.ts';
import * as quota from '#core/organization/quota.ts';
import { type Changing, recorded } from '#core/organization/record.ts';
import { switchWrites } from '#core/organization/switches.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import {
  ConditionFailed,
  commit,
  conditionsHeld,
  definedFields,
  MOST_WRITES,
  optimistically,
  type Write,
} from '#core/storage/write.store.ts';
import { listsOf } from '#shared/audience.ts';
import {
  type Automation,
  type AutomationChange,
  BEGINS_NOTHING,
  CHANGED_SINCE,
  COLUMN_BESIDE_ADDED,
  type Eligibility,
  eitherOr,
  inBoth,
  type NewAutomation,
  NO_ANNIVERSARY,
  NO_FIRST,
  NO_TRIGGER,
  NO_VALUE,
  type Start,
  UNKNOWN_AUDIENCE_LIST,
  UNKNOWN_COLUMN,
  UNKNOWN_LIST,
} from '#shared/automation.ts';
import type { AutomationOption } from '#shared/automation-link.ts';
import { isOpen } from '#shared/broadcast-state.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import { AUTOMATIONS_PAGE } from '#shared/limits.ts';
import { faultOfEvent } from '#shared/metadata.ts';
import { byName } from '#shared/names.ts';
import { ANY_TIME, PLAIN, scheduleFaults } from '#shared/schedule.ts';
import * as store from './automation.store.ts';
import * as broadcasts from './broadcast.store.ts';
import * as sequences from './sequence.store.ts';

type Needs = Changing;

/** None if the text cannot be an id. A broadcast is found too: its content and emails are those of an automation. */
export const keysOf = (organizationId: number, id: string) =>
  isId(id) || isBroadcast(id) ? [store.key(organizationId, id)] : [];

const notFound = () => new Refusal('not-found', 'Automation not found');

export function found(items: Item[]): store.StoredAutomation {
  const automation = store.fromItems(items);
  if (automation) return automation;
  throw notFound();
}

/** Throws an error for a broadcast, which has calls of its own. */
export function requireAutomation({ id }: store.StoredAutomation): void {
  if (isBroadcast(id)) throw notFound();
}

export async function detail(
  { table }: { table: Table },
  automation: store.StoredAutomation,
): Promise<Automation> {
  requireAutomation(automation);
  const [[shown], hasPass] = await Promise.all([
    shownAll(table, automation.organization_id, [automation]),
    store.hasPass(table, [automation]),
  ]);
  return { ...(shown as Automation), ...(hasPass && { mails_existing: true }) };
}

/** By name. */
export async function page(
  { table }: { table: Table },
  organizationId: number,
  number: number,
): Promise<Automation[]> {
  const automations = await store.readAll(table, organizationId);
  const from = (number - 1) * AUTOMATIONS_PAGE;
  return shownAll(table, organizationId, automations.sort(byName).slice(from, from + AUTOMATIONS_PAGE));
}

async function shownAll(
  table: Table,
  organization: number,
  automations: store.StoredAutomation[],
): Promise<Automation[]> {
  const [lists, linked] = await listsAndLinks(table, organization, automations);
  return automations.map(automation => shown(automation, lists, linked.get(automation.id)));
}

export const listsAndLinks = (
  table: Table,
  organization: number,
  automations: Pick<store.StoredAutomation, 'id' | 'email_list_ids'>[],
) =>
  Promise.all([
    list.options(
      table,
      organization,
      automations.flatMap(({ email_list_ids }) => email_list_ids),
    ),
    store.readLinked(
      table,
      organization,
      automations.map(({ id }) => id),
    ),
  ]);

export async function create(
  needs: Needs,
  organization_id: number,
  fields: NewAutomation,
): Promise<Automation> {
  const { table } = needs;
  const { automation: created, lists } = await newAutomation(needs, organization_id, fields);
  const passes = fields.include_existing ? created.email_list_ids : [];
  const writes = [
    quota.reserveQuotaWrite(table, organization_id, placesOf(created)),
    ...store.createWrites(table, created),
    ...store.sourceWrites(table, undefined, created, { now: needs.now, passes }).added,
    ...switchedWrites(needs, created, { from: false, to: created.active }),
    ...recorded(needs, organization_id, { kind: 'automation', to: withExisting(created, passes) }),
  ];
  if (!(await conditionsHeld(commit(table, writes)))) {
    await quota.requireQuota({ table }, organization_id, placesOf(created));
    throw new Refusal('conflict', 'The automation could not be created. Please try again.');
  }
  return shown(created, lists, {});
}

type Draft = { automation: store.StoredAutomation; lists: Lists };

/** Checked but not stored. */
export async function newAutomation(
  { table, now }: Needs,
  organization_id: number,
  { include_existing, ...fields }: NewAutomation,
): Promise<Draft> {
  const automation: store.StoredAutomation = {
    ...fields,
    ...startOf(undefined, fields),
    id: newId(),
    organization_id,
    email_list_ids: [...new Set(fields.email_list_ids)],
    ...(fields.active && { active_since: now.toISOString() }),
    created_at: now.toISOString(),
    revision: newRevision(),
  };
  if (include_existing) requireBegun(undefined, automation);
  const lists = await requireLists(table, automation);
  await requireColumn(table, automation);
  await requireAudienceLists(table, automation);
  await requireValue(table, organization_id, fields);
  return { automation, lists };
}

async function requireValue(
  table: Table,
  organization: number,
  { allocation }: Pick<AutomationChange, 'allocation'>,
): Promise<void> {
  if (allocation === 'conversions' && !(await store.hasValue(table, organization)))
    throw invalid('allocation', NO_VALUE);
}

/** Checked but not stored. */
export async function changed(
  { table, now }: Needs,
  before: store.StoredAutomation,
  { include_existing, ...to }: AutomationChange,
): Promise<store.StoredAutomation> {
  await requireOwn(table, before, { ...to, include_existing });
  requireAutomation(before);
  await requireValue(table, before.organization_id, to);
  const wanted: store.StoredAutomation = {
    ...before,
    ...definedFields(to),
    ...startOf(before, to),
    revision: newRevision(),
  };
  const [nth] = inBoth(wanted);
  if (nth) throw invalid(`double_send_${nth}`, eitherOr(nth));
  const [fault] = scheduleFaults(wanted);
  if (fault) throw invalid(...fault);
  const after = {
    ...wanted,
    email_list_ids: await checkedLists(table, before, wanted, to),
    // An edit of an active automation keeps it.
    ...(wanted.active && !before.active && { active_since: now.toISOString(), ...store.resumed(before) }),
    ...rescheduled(before, wanted, now),
  };
  if (include_existing) requireBegun(before, after);
  return after;
}

const TIMES = [
  'repeat',
  'delay_days',
  'delay_minutes',
  'send_at',
  'time_zone_of',
  'days_off',
  'dates_off',
] as const;

/** Whether its emails go at other times. */
export const isMoved = (before: store.StoredAutomation, after: store.StoredAutomation): boolean =>
  TIMES.some(field => !isDeepStrictEqual(before[field], after[field]));

export const rescheduled = (before: store.StoredAutomation, after: store.StoredAutomation, now: Date) =>
  after.repeat === 'once' && isMoved(before, after) ? { rescheduled_at: now.toISOString() } : {};

type Mailing = Pick<
  store.StoredAutomation,
  'active' | 'organization_id' | 'email_list_ids' | 'metadata_trigger' | 'starts_at' | 'repeat' | 'audience'
>;

/** Returns its lists without the deleted ones. Its column and the lists of its conditions are checked where they change. */
export async function checkedLists(
  table: Table,
  before: Mailing,
  wanted: Mailing,
  to: Pick<AutomationChange, 'email_list_ids' | 'audience'>,
): Promise<string[]> {
  const lists = to.email_list_ids
    ? await requireLists(table, wanted)
    : await list.options(table, before.organization_id, before.email_list_ids);
  const after = {
    ...wanted,
    email_list_ids: [...new Set(wanted.email_list_ids)].filter(id => lists.has(id)),
  };
  const isOther =
    after.metadata_trigger !== before.metadata_trigger ||
    before.starts_at === 'event' ||
    (after.repeat === 'yearly' && before.repeat !== 'yearly') ||
    after.email_list_ids.some(id => !before.email_list_ids.includes(id));
  if (isOther) await requireColumn(table, after);
  if (to.audience || becomesActive(before, after)) await requireAudienceLists(table, after);
  return after.email_list_ids;
}

/** A step has a name, a reply address, content and its shares of its own. All else is that of its sequence. */
async function requireOwn(
  table: Table,
  before: store.StoredAutomation,
  { name: _, reply_to: __, allocation: ___, include_existing, ...to }: AutomationChange,
): Promise<void> {
  if (!before.sequence_id) return;
  const stored: Record<string, unknown> = { holdout_percent: 0, ...before, starts_at: shownStart(before) };
  const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value);
  const isOther = Object.entries(definedFields(to)).some(
    ([field, value]) => !isDeepStrictEqual(sorted(value), sorted(stored[field])),
  );
  if (isOther || include_existing) throw await stepRefusal(table, before);
}

/** Throws an error for a step, which is deleted with its sequence, or by a change of it. */
export async function requireNoStep(table: Table, automation: store.StoredAutomation): Promise<void> {
  if (automation.sequence_id) throw await stepRefusal(table, automation);
}

async function stepRefusal(
  table: Table,
  { organization_id, sequence_id = '' }: store.StoredAutomation,
): Promise<Refusal> {
  const sequence = await sequences.read(table, organization_id, sequence_id);
  return new Refusal(
    'conflict',
    `This is a step of the sequence “${sequence?.name ?? ''}”: change it there.`,
  );
}

export type Started = { metadata_trigger: string | null; starts_at: 'event' | undefined };

/** What starts it after a change. An event stays one while there is a column. */
export function startOf(
  before: Partial<Started> | undefined,
  to: { metadata_trigger?: string | null | undefined; starts_at?: Start | undefined },
): Started {
  const kept = to.starts_at === 'added' ? null : (before?.metadata_trigger ?? null);
  const metadata_trigger = to.metadata_trigger === undefined ? kept : to.metadata_trigger;
  if (metadata_trigger === null) {
    if (to.starts_at && to.starts_at !== 'added') throw invalid('metadata_trigger', NO_TRIGGER[to.starts_at]);
    return { metadata_trigger, starts_at: undefined };
  }
  if (to.starts_at === 'added') throw invalid('starts_at', COLUMN_BESIDE_ADDED);
  if ((to.starts_at ?? before?.starts_at) !== 'event') return { metadata_trigger, starts_at: undefined };
  const fault = faultOfEvent(metadata_trigger);
  if (fault) throw invalid('metadata_trigger', fault);
  return { metadata_trigger, starts_at: 'event' };
}

export function requireRevision(known: { revision: string }, wanted: string | undefined): void {
  if (wanted !== undefined && wanted !== known.revision) throw new Refusal('conflict', CHANGED_SINCE);
}

export function requireBegun(
  before: Pick<Mailing, 'active' | 'email_list_ids'> | undefined,
  after: Pick<Mailing, 'active' | 'email_list_ids' | 'repeat'>,
): void {
  const isBegun = after.active && (!before?.active || store.begunLists(before, after).length > 0);
  if (!isBegun) throw invalid('include_existing', BEGINS_NOTHING);
  if (after.repeat === 'yearly') throw invalid('include_existing', NO_FIRST);
}

/** What is recorded of a change that also mails people who are there already. */
const withExisting = (after: store.StoredAutomation, passes: string[]) => ({
  ...after,
  include_existing: passes.length > 0,
});

/** The counters of the organization. */
const placesOf = ({ active }: store.StoredAutomation): ('automations' | 'active_automations')[] =>
  active ? ['automations', 'active_automations'] : ['automations'];

/** Removes its deleted lists too. */
export const change = (
  needs: Needs,
  automation: store.StoredAutomation,
  to: AutomationChange,
): Promise<Automation> =>
  optimistically<store.StoredAutomation, Automation>({
    known: automation,
    read: () => readExisting(needs.table, automation),
    write: async before => {
      const after = await changed(needs, before, to);
      const passes = to.include_existing ? store.begunLists(before, after) : [];
      if (!(await commitChange({ ...needs, passes }, before, after))) return undefined;
      return detail(needs, after);
    },
    conflict: 'Another change of this automation is under way. Please try again.',
  });

/**
 * Writes the new sources in the same transaction, so that an active automation always has its sources. If they exceed a
 * transaction, the last of the old sources are deleted after it; the sweep skips a source that is left behind.
 */
async function commitChange(
  needs: Needs & { passes: string[] },
  before: store.StoredAutomation,
  after: store.StoredAutomation,
): Promise<boolean> {
  const { table } = needs;
  const own = store.changeWrite(table, before, after);
  const { added, removed } = store.sourceWrites(table, before, after, needs);
  const writes = [
    own,
    ...recorded(needs, before.organization_id, {
      kind: 'automation',
      from: before,
      to: withExisting(after, needs.passes),
    }),
    ...quota.changeQuotaWrites(table, before.organization_id, {
      active_automations: Number(after.active) - Number(before.active),
    }),
    ...switchedWrites(needs, before, { from: before.active, to: after.active }),
    ...added,
    ...removed,
  ];
  try {
    await commit(table, writes.slice(0, MOST_WRITES));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // If the automation was changed since it was read, it is read again first: it may be active by now.
    if (!error.isOf(own) && becomesActive(before, after)) {
      await quota.requireQuota({ table }, before.organization_id, ['active_automations']);
    }
    return false;
  }
  const rest = writes.slice(MOST_WRITES);
  if (rest.length > 0) await conditionsHeld(commit(table, [store.unchangedCheck(table, after), ...rest]));
  return true;
}

const becomesActive = (before: { active: boolean }, after: { active: boolean }) =>
  after.active && !before.active;

/** By the guard. Returns false if it is off already. */
export const pause = (
  needs: Needs,
  organization: number,
  id: string,
  paused: store.StoredAutomation['paused'],
): Promise<boolean> =>
  optimistically<store.StoredAutomation | undefined, boolean>({
    read: () => store.read(needs.table, organization, id),
    write: async before => {
      if (!before?.active) return false;
      const after = { ...before, active: false, paused, revision: newRevision() };
      return (await commitChange({ ...needs, passes: [] }, before, after)) || undefined;
    },
    conflict: 'Another change of this automation is under way. Please try again.',
  });

/** The content that was linked to it drops the link with its next change. */
export async function remove(needs: Needs, automation: store.StoredAutomation): Promise<void> {
  requireAutomation(automation);
  const { table } = needs;
  await optimistically<store.StoredAutomation, true>({
    known: automation,
    read: () => readExisting(table, automation),
    write: async before => {
      await requireNoStep(table, before);
      const writes = [
        ...store.deletionWrites(table, before),
        ...recorded(needs, before.organization_id, { kind: 'automation', from: before }),
        ...store.sourceWrites(table, before, undefined, { now: needs.now, passes: [] }).removed,
        quota.freePlacesWrite(table, before.organization_id, placesOf(before)),
        ...switchedWrites(needs, before, { from: before.active, to: false }),
      ];
      return (await conditionsHeld(commit(table, writes))) || undefined;
    },
    conflict: 'Another change of this automation is under way. Please try again.',
  });
}

export const switchedWrites = (
  needs: Needs,
  { organization_id, id }: store.StoredAutomation,
  change: { from: boolean; to: boolean },
): Write[] => switchWrites(needs, organization_id, `automation#${id}`, change);

async function readExisting(
  table: Table,
  { organization_id, id }: store.StoredAutomation,
): Promise<store.StoredAutomation> {
  const automation = await store.read(table, organization_id, id);
  if (automation) return automation;
  throw notFound();
}

type Lists = Map<string, Automation['email_lists'][number]>;

export async function requireLists(
  table: Table,
  { organization_id, email_list_ids }: Pick<store.StoredAutomation, 'organization_id' | 'email_list_ids'>,
): Promise<Lists> {
  const lists = await list.options(table, organization_id, email_list_ids);
  if (email_list_ids.some(id => !lists.has(id))) throw invalid('email_list_ids', UNKNOWN_LIST);
  return lists;
}

export async function requireAudienceLists(
  table: Table,
  { organization_id, audience }: Pick<store.StoredAutomation, 'organization_id' | 'audience'>,
): Promise<void> {
  const ids = audience ? [...new Set(listsOf(audience))] : [];
  const lists = await list.options(table, organization_id, ids);
  if (ids.some(id => !lists.has(id))) throw invalid('audience', UNKNOWN_AUDIENCE_LIST);
}

/** Without the list, who was on it would match what they are to be left out by. */
export async function requireNotNamed(
  { table, now }: Needs,
  { organization_id, id }: { organization_id: number; id: string },
): Promise<void> {
  const [automations, all] = await Promise.all([
    store.readAll(table, organization_id),
    broadcasts.readAll(table, organization_id),
  ]);
  const sending = [...automations.filter(({ active }) => active), ...all.filter(one => isOpen(one, now))];
  const naming = sending.find(({ audience }) => audience && listsOf(audience).includes(id));
  if (naming)
    throw new Refusal('conflict', `The conditions of ${naming.name} name this list: change them first.`);
}

async function requireColumn(
  table: Table,
  { repeat, metadata_trigger, starts_at, email_list_ids }: Mailing,
): Promise<void> {
  if (metadata_trigger === null || starts_at === 'event') return;
  if (await counts.hasColumn(table, email_list_ids, metadata_trigger)) return;
  throw repeat === 'yearly' ? invalid('repeat', NO_ANNIVERSARY) : invalid('metadata_trigger', UNKNOWN_COLUMN);
}

/** A template has all parts. */
export function eligibilityOf(linked: store.Linked = {}): Eligibility {
  const hasTemplate = Boolean(linked.template?.size);
  const parts = REQUIRED_PARTS.map(part => [part, hasTemplate || Boolean(linked[part]?.size)] as const);
  return {
    is_eligible: parts.every(([, isAvailable]) => isAvailable),
    ...(Object.fromEntries(parts) as Omit<Eligibility, 'is_eligible'>),
  };
}

export const shownStart = ({
  starts_at,
  metadata_trigger,
}: Pick<store.StoredAutomation, 'starts_at' | 'metadata_trigger'>): Start =>
  starts_at ?? (metadata_trigger === null ? 'added' : 'date');

function shown(stored: store.StoredAutomation, lists: Lists, linked: store.Linked | undefined): Automation {
  const {
    begun: _,
    active_since: __,
    rescheduled_at: ___,
    resumes: ____,
    paused,
    warned,
    email_list_ids,
    organization_id,
    revision,
    ...automation
  } = stored;
  return {
    ...ANY_TIME,
    ...PLAIN,
    audience: null,
    reply_to: null,
    allocation: 'equal',
    holdout_percent: 0,
    sequence_id: null,
    ...automation,
    paused: paused ? shownPause(paused) : null,
    warned: warned ?? null,
    starts_at: shownStart(stored),
    email_lists: email_list_ids.flatMap(id => lists.get(id) ?? []),
    email_eligibility: eligibilityOf(linked),
  };
}

export const shownPause = ({ told_at: _, ...paused }: NonNullable<store.StoredAutomation['paused']>) =>
  paused;

const option = ({ id, name }: store.StoredAutomation): AutomationOption => ({ id, name });

export const options = async ({ table }: { table: Table }, organizationId: number) =>
  (await store.readAll(table, organizationId)).map(option).sort(byName);

type LinkedContent = { automation_ids?: ReadonlySet<string> | undefined };

/** With the broadcasts, which are read only if one of the contents is linked to one. */
export async function withBroadcasts(
  { table }: { table: Table },
  organization: number,
  options: AutomationOption[],
  contents: LinkedContent[],
): Promise<AutomationOption[]> {
  const isNeeded = contents.some(({ automation_ids = [] }) => [...automation_ids].some(isBroadcast));
  return isNeeded
    ? [...options, ...(await broadcasts.readAll(table, organization)).map(option)].sort(byName)
    : options;
}

/** Those that exist, by name. */
export const named = async ({ table }: { table: Table }, organizationId: number, ids: string[]) =>
  (await store.readThese(table, organizationId, ids)).map(option).sort(byName);
