import {
  fromItems,
  key,
  type Linked,
  linkedKey,
  ONCE,
  readLinked,
  resumed,
} from '#core/automation/automation.store.ts';
import {
  eligibilityOf,
  listsAndLinks,
  requireAudienceLists,
  requireLists,
  requireRevision,
  shownPause,
} from '#core/automation/automation.ts';
import * as store from '#core/automation/broadcast.store.ts';
import type { Broadcast as When } from '#core/automation/due/occurrences.ts';
import { zoneNamed } from '#core/automation/due/zone.ts';
import { relink } from '#core/content/automation-content.ts';
import { findAny } from '#core/content/content.ts';
import type { relink as relinkTemplate } from '#core/content/email-template.ts';
import { isBroadcast, newBroadcastId, newRevision } from '#core/id.ts';
import * as lists from '#core/list/list.ts';
import * as quota from '#core/organization/quota.ts';
import { type Changing, withdrawnWrites } from '#core/organization/record.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionsHeld,
  definedFields,
  optimistically,
  putWrite,
  type Write,
} from '#core/storage/write.store.ts';
import type { Broadcast, BroadcastChange, NewBroadcast } from '#shared/broadcast.ts';
import { type BroadcastStatus, isOpen, isResumable } from '#shared/broadcast-state.ts';
import { AUTOMATIONS_PAGE } from '#shared/limits.ts';
import type { Schedule } from '#shared/schedule.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import { minutesOf, TIME_ZONES } from '#shared/time-zone.ts';

type Stored = store.StoredBroadcast;
type Active = Parameters<typeof relinkTemplate>[1];
type Needs = Changing;

const NO_CONTENT = 'Choose an active template, or active assets of each type, which it sends';
const NO_LISTS = 'Choose at least one email list';
const IN_THE_PAST = 'This instant has passed: choose a later one, or leave it out to send now';
const PAST_SOMEWHERE = 'This time has passed in some time zone: choose one that lies ahead everywhere';
const ALONE = 'To cancel it, change its status alone.';
const REFUSED: Partial<Record<BroadcastStatus, string>> = {
  sending: 'It has begun, so it can only be cancelled.',
  cancelled: 'It was cancelled. Create another broadcast instead.',
  sent: 'It was sent. Create another broadcast instead.',
  stopped: 'It was stopped: it can only be sent to the rest, or cancelled.',
};
const HAS_BEGUN = 'It has begun: a holdout of a broadcast is chosen before';
const TOO_LATE = 'It was stopped more than two days ago. Create another broadcast instead.';

const conflict = (message: string) => new Refusal('conflict', message);

export const keysOf = (organization: number, id: string) => (isBroadcast(id) ? [key(organization, id)] : []);

const notFound = () => new Refusal('not-found', 'Broadcast not found');

export function found(items: Item[]): Stored {
  const broadcast = fromItems(items);
  if (broadcast) return broadcast as Stored;
  throw notFound();
}

export const detail = async (needs: Omit<Needs, 'user'>, broadcast: Stored): Promise<Broadcast> =>
  (await allShown(needs, broadcast.organization_id, [broadcast]))[0] as Broadcast;

/** The newest first. */
export async function page(
  needs: Omit<Needs, 'user'>,
  organization: number,
  number: number,
): Promise<Broadcast[]> {
  const all = await store.readAll(needs.table, organization, number * AUTOMATIONS_PAGE);
  return allShown(needs, organization, all.slice((number - 1) * AUTOMATIONS_PAGE));
}

async function allShown({ table, now }: Omit<Needs, 'user'>, organization: number, all: Stored[]) {
  const [named, linked] = await listsAndLinks(table, organization, all);
  return all.map(broadcast => shown(broadcast, named, linked.get(broadcast.id), now));
}

function shown(
  broadcast: Stored,
  named: Awaited<ReturnType<typeof lists.options>>,
  linked: Linked = {},
  now: Date,
): Broadcast {
  const {
    id,
    name,
    email_list_ids,
    audience = null,
    created_at,
    begins_at,
    ended_at,
    paused,
    stopped,
    revision,
  } = broadcast;
  const { template = new Set<string>(), ...assets } = linked;
  const status = store.statusOf(broadcast, now);
  const until = stopped?.at ?? ended_at ?? now.toISOString();
  const isStarted = begins_at !== undefined && begins_at <= until;
  return {
    id,
    name,
    status,
    email_list_ids,
    email_lists: email_list_ids.flatMap(list => named.get(list) ?? []),
    audience,
    at: broadcast.broadcast?.at ?? null,
    local_at: broadcast.broadcast?.local_at ?? null,
    holdout_percent: broadcast.holdout_percent ?? 0,
    email_template_ids: [...template],
    email_asset_ids: Object.values(assets).flatMap(ids => [...ids]),
    email_eligibility: eligibilityOf(linked),
    created_at,
    started_at: isStarted ? begins_at : null,
    ended_at: ended_at ?? null,
    paused: paused ? shownPause(paused) : null,
    stopped: stopped ?? null,
    revision,
  };
}

/** What makes an automation of it. */
export function scheduleOf(when: When | undefined): Schedule & { broadcast?: When } {
  if (!when) return ONCE;
  const local = when.local_at === undefined ? {} : sendAt(when.local_at);
  return { ...ONCE, ...local, broadcast: when };
}
const sendAt = (local: string) => ({ send_at: local.slice(11), time_zone_of: 'member' as const });

type Fields = Omit<BroadcastChange, 'status' | 'email_template_ids' | 'email_asset_ids' | 'revision'>;

/** Checked but not stored. */
export async function newBroadcast(
  { table, now }: Needs,
  organization_id: number,
  { status: _, email_template_ids, email_asset_ids, ...fields }: NewBroadcast,
): Promise<{ draft: Stored; linked: Linked }> {
  const id = newBroadcastId(now);
  const empty = { organization_id, id, active: false, metadata_trigger: null, status: 'draft' as const };
  const draft: Stored = {
    ...ONCE,
    ...empty,
    name: fields.name,
    email_list_ids: [],
    created_at: now.toISOString(),
    revision: newRevision(),
  };
  const linked = await requireContent(table, organization_id, { email_template_ids, email_asset_ids });
  return { draft: await edited(table, draft, fields), linked };
}

type Contents = Pick<NewBroadcast, 'email_template_ids' | 'email_asset_ids'>;

/** Returns the active ones, as they would be linked. */
async function requireContent(table: Table, organization: number, wanted: Contents): Promise<Linked> {
  const linked: Linked = {};
  for (const { head, kind } of await findAny(table, organization, wanted)) {
    const field = kind === 'template' ? 'email_template_ids' : 'email_asset_ids';
    if (!wanted[field].includes(head.id)) throw invalid(otherField(field), `${head.id} is no such content`);
    if (head.is_active) linked[kind] = new Set([...(linked[kind] ?? []), head.id]);
  }
  return linked;
}
const otherField = (field: keyof Contents): keyof Contents =>
  field === 'email_template_ids' ? 'email_asset_ids' : 'email_template_ids';

async function edited(table: Table, before: Stored, { at, local_at, ...to }: Fields): Promise<Stored> {
  const times = { at: before.broadcast?.at, local_at: before.broadcast?.local_at };
  if (at !== undefined) Object.assign(times, { at, ...(at && { local_at: null }) });
  if (local_at !== undefined) Object.assign(times, { local_at, ...(local_at && { at: null }) });
  const when: When | undefined = times.local_at
    ? { local_at: times.local_at }
    : times.at
      ? { at: times.at }
      : undefined;
  const { broadcast: _, ...rest } = before;
  const after: Stored = { ...rest, ...definedFields(to), ...scheduleOf(when), revision: newRevision() };
  const known = to.email_list_ids
    ? await requireLists(table, after)
    : await lists.options(table, before.organization_id, before.email_list_ids);
  if (to.audience) await requireAudienceLists(table, after);
  return { ...after, email_list_ids: [...new Set(after.email_list_ids)].filter(id => known.has(id)) };
}

/** Throws an error if it cannot be scheduled as it is. */
function scheduled(draft: Stored, linked: Linked, now: Date): Stored {
  if (draft.email_list_ids.length === 0) throw invalid('email_list_ids', NO_LISTS);
  if (!eligibilityOf(linked).is_eligible) throw invalid('email_template_ids', NO_CONTENT);
  const when = draft.broadcast ?? { at: now.toISOString() };
  const begins = beginOf(when);
  if (when.at !== undefined && begins.getTime() < now.getTime() - MINUTE) throw invalid('at', IN_THE_PAST);
  if (when.local_at !== undefined && begins <= now) throw invalid('local_at', PAST_SOMEWHERE);
  return { ...begun(draft, now), ...scheduleOf(when), begins_at: begins.toISOString() };
}

const begun = ({ stopped: _, ended_at: __, ...broadcast }: Stored, now: Date): Stored => ({
  ...broadcast,
  status: 'scheduled',
  active: true,
  active_since: now.toISOString(),
  ...resumed(broadcast),
  left: broadcast.email_list_ids,
});

/** The first instant at which it is due anywhere. */
export function beginOf(when: When): Date {
  if (when.at !== undefined) return new Date(when.at);
  const [day, time] = [Date.parse(when.local_at.slice(0, 10)) / DAY, minutesOf(when.local_at.slice(11))];
  return new Date(Math.min(...TIME_ZONES.map(zone => zoneNamed(zone).instantOf(day, time))));
}

export async function create(needs: Needs, active: Active, fields: NewBroadcast): Promise<Broadcast> {
  const { table, now } = needs;
  const organization = active.organization.id;
  if (fields.status === 'cancelled') throw invalid('status', 'A new broadcast is a draft or scheduled');
  const { draft: created, linked } = await newBroadcast(needs, organization, fields);
  if (fields.status === 'scheduled') scheduled(created, linked, now);
  const notes = store.recordedWrites(needs, undefined, created);
  const writes = [
    ...store.changeWrites(needs, undefined, created),
    ...notes,
    putWrite(table, linkedKey(organization, created.id), ABSENT),
  ];
  if (!(await conditionsHeld(commit(table, writes)))) {
    await quota.requireQuota({ table }, organization, ['broadcasts']);
    throw conflict('The broadcast could not be created. Please try again.');
  }
  try {
    const { email_template_ids, email_asset_ids, status } = fields;
    return await change(needs, active, created, { email_template_ids, email_asset_ids, status });
  } catch (error) {
    // Nothing is left of what is refused, not in the record either.
    if (error instanceof Refusal) await remove(needs, created, withdrawnWrites(table, notes));
    throw error;
  }
}

export async function change(
  needs: Needs,
  active: Active,
  broadcast: Stored,
  to: BroadcastChange,
): Promise<Broadcast> {
  const { table } = needs;
  const { email_template_ids, email_asset_ids, status, revision, ...fields } = to;
  requireRevision(broadcast, revision);
  const contents = { email_template_ids, email_asset_ids };
  const isContent = email_template_ids !== undefined || email_asset_ids !== undefined;
  const known = (await readLinked(table, broadcast.organization_id, [broadcast.id])).get(broadcast.id) ?? {};
  const wanted = isContent ? await contentOf(table, broadcast, known, contents) : known;
  const after = (before: Stored) => changed(needs, before, { status, fields, isContent, linked: wanted });
  if (isContent) {
    // All is checked before any content is linked.
    await after(broadcast);
    await relinkTo(needs, active, broadcast, known, wanted);
  }
  return optimistically<Stored, Broadcast>({
    known: broadcast,
    read: () => readExisting(table, broadcast),
    write: async before => {
      requireRevision(before, revision);
      const next = await after(before);
      if (next === before) return detail(needs, before);
      if (await store.commitChange(needs, before, next)) return detail(needs, next);
      if (next.status === 'scheduled' && before.status !== 'scheduled') {
        await quota.requireQuota({ table }, before.organization_id, ['active_automations']);
      }
      return undefined;
    },
    conflict: store.CONFLICT,
  });
}

type Wanted = { status: BroadcastChange['status']; fields: Fields; isContent: boolean; linked: Linked };

/** Returns what it was given where nothing changes. */
async function changed(
  { table, now }: Needs,
  before: Stored,
  { status = before.status === 'scheduled' ? 'scheduled' : undefined, fields, isContent, linked }: Wanted,
): Promise<Stored> {
  const present = store.statusOf(before, now);
  if (fields.holdout_percent !== undefined && present !== 'draft' && present !== 'scheduled')
    throw invalid('holdout_percent', HAS_BEGUN);
  const isEdit = isContent || Object.values(fields).some(value => value !== undefined);
  if (status === 'cancelled') return isEdit ? refuseEdit(present) : cancelled(before, present, now);
  if (present === 'draft' || present === 'scheduled') {
    const after = isEdit ? await edited(table, before, fields) : { ...before, revision: newRevision() };
    if (status === 'scheduled') {
      await requireAudienceLists(table, after);
      return scheduled(after, linked, now);
    }
    if (!isEdit && present === 'draft') return before;
    const { left: _, begins_at: __, ...rest } = after;
    return { ...rest, status: 'draft', active: false };
  }
  if (isEdit) refuseEdit(present);
  if (present === 'sending' && status === 'scheduled') return before;
  if (present !== 'stopped' || status !== 'scheduled') return refuseEdit(present);
  if (!isResumable(before, now)) throw conflict(TOO_LATE);
  const rest = begun(await edited(table, before, {}), now);
  if (rest.email_list_ids.length === 0) throw invalid('email_list_ids', NO_LISTS);
  await requireAudienceLists(table, rest);
  if (!eligibilityOf(linked).is_eligible) throw invalid('email_template_ids', NO_CONTENT);
  // By the same instant, and so with the same keys: who has got it does not get it again.
  return rest;
}

function refuseEdit(status: BroadcastStatus): never {
  throw conflict(REFUSED[status] ?? ALONE);
}

function cancelled(before: Stored, present: BroadcastStatus, now: Date): Stored {
  if (present === 'cancelled') return before;
  if (present === 'draft') throw invalid('status', 'A draft is not scheduled: delete it instead');
  if (present === 'sent' && !isOpen(before, now)) refuseEdit(present);
  const { stopped: _, ...kept } = before;
  return {
    ...kept,
    status: 'cancelled',
    active: false,
    left: [],
    ended_at: now.toISOString(),
    revision: newRevision(),
  };
}

async function contentOf(
  table: Table,
  { organization_id }: Stored,
  known: Linked,
  { email_template_ids, email_asset_ids }: Partial<Record<keyof Contents, string[] | undefined>>,
): Promise<Linked> {
  const { template = new Set<string>(), ...assets } = known;
  const all = { email_template_ids: email_template_ids ?? [], email_asset_ids: email_asset_ids ?? [] };
  const wanted = await requireContent(table, organization_id, all);
  return {
    ...wanted,
    ...(email_template_ids === undefined && { template }),
    ...(email_asset_ids === undefined && assets),
  };
}

const idsOf = ({ wordings: _, ...linked }: Linked) => Object.values(linked).flatMap(ids => [...ids]);

async function relinkTo(needs: Needs, active: Active, broadcast: Stored, from: Linked, to: Linked) {
  const [before, after] = [idsOf(from), idsOf(to)];
  const link = after.filter(id => !before.includes(id));
  const unlink = before.filter(id => !after.includes(id));
  if (link.length + unlink.length > 0) await relink(needs, active, broadcast, { link, unlink });
}

/** What is not posted yet stays unsent. The content that was linked to it drops the link with its next change. */
export async function remove(needs: Needs, broadcast: Stored, withdrawn?: Write[]): Promise<void> {
  await optimistically<Stored, true>({
    known: broadcast,
    read: () => readExisting(needs.table, broadcast),
    write: async before => {
      const notes = withdrawn ?? store.recordedWrites(needs, before);
      const writes = [...store.deletionWrites(needs, before), ...notes];
      return (await conditionsHeld(commit(needs.table, writes))) || undefined;
    },
    conflict: store.CONFLICT,
  });
}

async function readExisting(table: Table, { organization_id, id }: Stored): Promise<Stored> {
  const broadcast = await store.read(table, organization_id, id);
  if (broadcast) return broadcast;
  throw notFound();
}

/** As it would be if it were scheduled now. */
export const asScheduled = (draft: Stored, now: Date): Stored => ({
  ...begun(draft, now),
  ...scheduleOf(draft.broadcast ?? { at: now.toISOString() }),
});
