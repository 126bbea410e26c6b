import { begunLists, type LinkKind, type StoredAutomation } from '#core/automation/automation.store.ts';
import type { StoredSequence } from '#core/automation/sequence.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import * as contentChange from '#core/content/content.ts';
import { isBroadcast } from '#core/id.ts';
import { verifiedOf } from '#core/list/identity.store.ts';
import type * as listStore from '#core/list/list.store.ts';
import * as lists from '#core/list/list.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as organizations from '#core/organization/organization.ts';
import type { Earners } from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { definedFields } from '#core/storage/write.store.ts';
import type { AutomationContentChange } from '#shared/automation-content.ts';
import { UNKNOWN_AUTOMATION } from '#shared/automation-link.ts';
import type { ContentLinks, Difference, DryRun } from '#shared/dry-run.ts';
import type { Holdout } from '#shared/holdout.ts';
import type { ListChange, SendingKeyChange } from '#shared/list.ts';
import type { OrganizationChange } from '#shared/organization.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import type { SequenceChange } from '#shared/sequence.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import {
  type Change,
  expectedEarners,
  isSent,
  type Needs,
  nameOf,
  type Predicted,
  predict,
  readState,
  type Source,
  type State,
  withSteps,
} from './predict.ts';

const WEEK = 7 * DAY;

/** The automation and the lists that a change begins to mail, and whether those who are there already are included. */
export type Begun = { automation: string; lists: string[]; isIncluded: boolean };

export const begunBy = (
  before: StoredAutomation | undefined,
  after: StoredAutomation,
  { include_existing: isIncluded = false }: { include_existing?: boolean | undefined },
): Begun => ({ automation: after.id, lists: begunLists(before, after), isIncluded });

export async function dryRunOfSequence(
  needs: Needs,
  organizationId: number,
  of: StoredSequence | undefined,
  to: SequenceChange,
): Promise<DryRun> {
  const { steps, removed, begins } = await sequences.tried(needs, of ?? organizationId, to);
  const begun = begins && { ...begins, isIncluded: to.include_existing ?? false };
  return dryRun(needs, organizationId, withSteps(steps, removed), begun);
}

/** Predicts the emails of the next week with the change and without it. Nothing is stored. */
export async function dryRun(
  needs: Needs,
  organizationId: number,
  change: Change,
  begun?: Begun,
): Promise<DryRun> {
  const before = await readState(needs.table, organizationId);
  const without = change(before);
  const withExisting = begun && begun.lists.length > 0 ? { ...without, existing: begun } : without;
  const after = begun?.isIncluded ? withExisting : without;
  // The minute that has begun is swept when it has ended.
  const from = startOfMinute(needs.now.getTime());
  const interval = { from: new Date(from), until: new Date(from + WEEK) };
  const [day, week] = [none(), none()];
  let first = Number.POSITIVE_INFINITY;
  const states = withExisting === after ? [before, after] : [before, after, withExisting];
  const question = { states, interval, isAsked: touchedBy(before, after) };
  let existing = 0;
  const { scaled, ...looked } = await predict(needs, question, emails => {
    const [without = [], having = []] = emails.map(predicted => predicted.filter(isSent));
    const isIncluded = ({ isForExisting, automation, list }: Predicted) =>
      isForExisting && begun?.automation === automation && begun.lists.includes(list);
    if (emails.at(-1)?.some(isIncluded)) existing++;
    const known = new Set(without.map(nameOf));
    const next = having.find(email => !known.has(nameOf(email)));
    if (next) first = Math.min(first, next.due);
    const onDay = ({ due }: Predicted) => due < from + DAY;
    add(day, having.filter(onDay).length - without.filter(onDay).length);
    return add(week, having.length - without.length);
  });
  const shown = ({ emails, people_more, people_fewer }: Difference): Difference => ({
    emails: scaled(emails),
    people_more: scaled(people_more),
    people_fewer: scaled(people_fewer),
  });
  return {
    next_24_hours: shown(day),
    next_7_days: shown(week),
    first_at: Number.isFinite(first) ? new Date(first).toISOString() : null,
    existing: scaled(existing),
    ...looked,
  };
}

/** A change keeps the objects that it does not touch, so they are compared by identity. */
export const touchedBy =
  (from: State, to: State) =>
  ({ list, automation }: Source): boolean =>
    from.lists.get(list) !== to.lists.get(list) ||
    from.automations.get(automation) !== to.automations.get(automation) ||
    from.linked.get(automation) !== to.linked.get(automation) ||
    from.organization !== to.organization ||
    from.safeguards !== to.safeguards;

const none = (): Difference => ({ emails: 0, people_more: 0, people_fewer: 0 });

/** Adds one person, who gets this many more emails. */
function add(sum: Difference, more: number): number {
  sum.emails += more;
  if (more > 0) sum.people_more++;
  if (more < 0) sum.people_fewer++;
  return more;
}

/** `earners`: of the days after today, if the order becomes theirs. */
export const withSafeguards =
  (to: SafeguardsChange, earners?: Earners): Change =>
  state => ({
    ...state,
    safeguards: { ...state.safeguards, ...definedFields(to) },
    ...(earners && { earnersOn: expectedEarners(earners) }),
  });

export const withSendingHours =
  (to: SendingHoursChange, now: Date): Change =>
  state => ({
    ...state,
    organization: state.organization && sendingHours.changed(state.organization, to, now),
  });

export const withHoldout =
  (to: Holdout): Change =>
  state => ({
    ...state,
    organization: state.organization && { ...state.organization, ...holdout.setOf(to) },
  });

export const withOrganization =
  ({ active }: OrganizationChange, now: Date): Change =>
  state => {
    const { organization } = state;
    if (!organization || active === undefined || active === organization.active) return state;
    return { ...state, organization: organizations.changed(organization, { active }, now) };
  };

async function replaced(table: Table, changed: listStore.StoredList): Promise<Change> {
  const list = await verifiedOf(table, changed);
  return state => ({ ...state, lists: new Map(state.lists).set(list.id, list) });
}

export const withList = (
  { table, now }: { table: Table; now: Date },
  list: listStore.StoredList,
  to: ListChange,
): Promise<Change> => replaced(table, lists.changed(list, to, now));

/** Any new key counts as valid: only a call of the provider could tell. */
export async function withSendingKey(
  table: Table,
  list: listStore.StoredList,
  { mailgun_sending_key: key }: SendingKeyChange,
): Promise<Change> {
  if (key === undefined || key === lists.UNCHANGED_KEY) return state => state;
  const { sending_key: _, connection: __, ...keyless } = list;
  return replaced(table, key === null ? keyless : { ...keyless, sending_key: 'to be set' });
}

export async function withLinks(
  table: Table,
  { organization_id, id: automation }: StoredAutomation,
  { link, unlink }: AutomationContentChange,
): Promise<Change> {
  const found = await contentChange.findAny(table, organization_id, { link, unlink });
  return state =>
    found.reduce((before, { head: { id, is_active }, kind }) => {
      return withUse(before, { automation, id, kind, isUsed: is_active && link.includes(id) });
    }, state);
}

export async function withContent(
  table: Table,
  organizationId: number,
  { id, ...to }: ContentLinks,
): Promise<Change> {
  const [found] = id === undefined ? [] : await contentChange.findAny(table, organizationId, { id: [id] });
  const kinds = found ? [found.kind] : [to.kind ?? to.kinds ?? []].flat();
  const isActive = to.is_active ?? found?.head.is_active ?? true;
  const users = to.automation_ids ?? (found ? contentChange.linkedTo(found.head) : []);
  return state => {
    const isUnknown = to.automation_ids?.some(id => !isBroadcast(id) && !state.automations.has(id));
    if (isUnknown) throw invalid('automation_ids', UNKNOWN_AUTOMATION);
    const uses = [...state.automations.keys()].flatMap(automation =>
      // What is created has no id yet.
      kinds.map(kind => ({
        automation,
        id: id ?? 'new',
        kind,
        isUsed: isActive && users.includes(automation),
      })),
    );
    return uses.reduce(withUse, state);
  };
}

type Use = { automation: string; id: string; kind: LinkKind; isUsed: boolean };

function withUse(state: State, { automation, id, kind, isUsed }: Use): State {
  const linked = state.linked.get(automation);
  const before = linked?.[kind] ?? new Set<string>();
  if (before.has(id) === isUsed) return state;
  const ids = new Set(isUsed ? [...before, id] : [...before].filter(other => other !== id));
  return { ...state, linked: new Map(state.linked).set(automation, { ...linked, [kind]: ids }) };
}
