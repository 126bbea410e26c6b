import {
  type Automation,
  type AutomationChange,
  type Eligibility,
  eitherOr,
  inBoth,
  type NewAutomation,
  UNKNOWN_COLUMN,
  UNKNOWN_LIST,
} from '../../../../shared/automation.ts';
import type { AutomationOption } from '../../../../shared/automation-link.ts';
import { REQUIRED_PARTS } from '../../../../shared/email/content.ts';
import { isId, newId, newRevision } from '../../id.ts';
import * as list from '../../list/list/list.ts';
import * as organization from '../../organization/organization/organization.ts';
import { invalid, Refusal } from '../../refusal.ts';
import { optimistically } from '../../storage/optimistic.ts';
import type { Item, Table } from '../../storage/table.store.ts';
import { commit, held, MOST_WRITES } from '../../storage/write.store.ts';
import * as store from './automation.store.ts';

export {
  existsCheck,
  hasSource,
  type Linked,
  type LinkKind,
  linkWrite,
  purgeSome,
  readAll,
  readLinked,
  readThese,
  type StoredAutomation,
  unchangedCheck,
  unlinkWrite,
} from './automation.store.ts';

type Needs = { table: Table; now: Date };

/** The item of the automation that a caller names; none where the id cannot be that of one. */
export const keysOf = (organizationId: number, id: string) =>
  isId(id) ? [store.key(organizationId, id)] : [];

const notFound = () => new Refusal('not-found', 'Automation not found');

export function found(items: Item[]): store.StoredAutomation {
  const automation = store.fromItems(items);
  if (automation) return automation;
  throw notFound();
}

/** An automation as the API answers it. */
export async function detail(
  { table }: { table: Table },
  automation: store.StoredAutomation,
): Promise<Automation> {
  const { organization_id, id, email_list_ids } = automation;
  const [lists, linked] = await Promise.all([
    list.options(table, organization_id, email_list_ids),
    store.readLinked(table, organization_id, [id]),
  ]);
  return shown(automation, lists, linked.get(id));
}

/** All automations of an organization, by name. */
export async function listOf({ table }: { table: Table }, organizationId: number): Promise<Automation[]> {
  const [automations, linked] = await Promise.all([
    store.readAll(table, organizationId),
    store.readAllLinked(table, organizationId),
  ]);
  const ids = automations.flatMap(({ email_list_ids }) => email_list_ids);
  const lists = await list.options(table, organizationId, ids);
  return automations.sort(byName).map(automation => shown(automation, lists, linked.get(automation.id)));
}

/** Those that send: they are active, and have content. */
export async function sending(table: Table, organizationId: number): Promise<store.StoredAutomation[]> {
  const [automations, linked] = await Promise.all([
    store.readAll(table, organizationId),
    store.readAllLinked(table, organizationId),
  ]);
  return automations.filter(({ id, active }) => active && eligibilityOf(linked.get(id)).is_eligible);
}

export async function create(
  { table, now }: Needs,
  organization_id: number,
  fields: NewAutomation,
): Promise<Automation> {
  const created: store.StoredAutomation = {
    ...fields,
    id: newId(),
    organization_id,
    email_list_ids: [...new Set(fields.email_list_ids)],
    ...(fields.active && { active_since: now.toISOString() }),
    created_at: now.toISOString(),
    revision: newRevision(),
  };
  const lists = await requireLists(table, created);
  await requireColumn(table, created);
  const writes = [
    organization.placeWrite(table, organization_id, 'automations'),
    ...store.createWrites(table, created),
  ];
  if (!(await held(commit(table, writes)))) {
    await organization.requirePlace({ table }, organization_id, 'automations');
    throw new Refusal('conflict', 'The automation could not be created. Please try again.');
  }
  return shown(created, lists, {});
}

/** Lists that were deleted meanwhile are forgotten with the next change. */
export const change = (
  { table, now }: Needs,
  automation: store.StoredAutomation,
  to: AutomationChange,
): Promise<Automation> =>
  optimistically<store.StoredAutomation, Automation>({
    known: automation,
    read: () => readExisting(table, automation),
    write: async before => {
      const given = Object.fromEntries(Object.entries(to).filter(([, value]) => value !== undefined));
      const wanted: store.StoredAutomation = { ...before, ...given, revision: newRevision() };
      const [nth] = inBoth(wanted);
      if (nth) throw invalid(`double_send_${nth}`, eitherOr(nth));
      const lists = to.email_list_ids
        ? await requireLists(table, wanted)
        : await list.options(table, before.organization_id, before.email_list_ids);
      const after = {
        ...wanted,
        email_list_ids: [...new Set(wanted.email_list_ids)].filter(id => lists.has(id)),
        // Edits leave it alone.
        ...(wanted.active && !before.active && { active_since: now.toISOString() }),
      };
      const isOther =
        after.metadata_trigger !== before.metadata_trigger ||
        after.email_list_ids.some(id => !before.email_list_ids.includes(id));
      if (isOther) await requireColumn(table, after);
      if (!(await written(table, before, after))) return undefined;
      return detail({ table }, after);
    },
    conflict: 'Another change of this automation is under way. Please try again.',
  });

/**
 * The automation and its new sources are one transaction: none is missing while it is active. Another column in fifty
 * lists is more than a transaction takes: then the last of the old sources are deleted after it. The sweep passes over one
 * that is left behind.
 */
async function written(
  table: Table,
  before: store.StoredAutomation,
  after: store.StoredAutomation,
): Promise<boolean> {
  const writes = store.changeWrites(table, before, after);
  if (!(await held(commit(table, writes.slice(0, MOST_WRITES))))) return false;
  const rest = writes.slice(MOST_WRITES);
  if (rest.length > 0) await held(commit(table, [store.unchangedCheck(table, after), ...rest]));
  return true;
}

/** After this write it sends nothing. Content that was linked to it forgets it with its next change. */
export async function remove({ table }: Needs, automation: store.StoredAutomation): Promise<void> {
  await optimistically<store.StoredAutomation, true>({
    known: automation,
    read: () => readExisting(table, automation),
    write: async before => {
      const writes = [
        ...store.deletionWrites(table, before),
        organization.freePlaceWrite(table, before.organization_id, 'automations'),
      ];
      return (await held(commit(table, writes))) || undefined;
    },
    conflict: 'Another change of this automation is under way. Please try again.',
  });
}

async function readExisting(
  table: Table,
  { organization_id, id }: store.StoredAutomation,
): Promise<store.StoredAutomation> {
  const automation = await store.read(table, organization_id, id);
  if (automation) return automation;
  throw notFound();
}

type Lists = Map<string, { id: string; name: string; domain: string }>;

async function requireLists(
  table: Table,
  { organization_id, email_list_ids }: store.StoredAutomation,
): Promise<Lists> {
  const lists = await list.options(table, organization_id, email_list_ids);
  if (email_list_ids.some(id => !lists.has(id))) throw invalid('email_list_ids', UNKNOWN_LIST);
  return lists;
}

async function requireColumn(
  table: Table,
  { metadata_trigger, email_list_ids }: store.StoredAutomation,
): Promise<void> {
  if (metadata_trigger === null || (await list.hasColumn(table, email_list_ids, metadata_trigger))) return;
  throw invalid('metadata_trigger', UNKNOWN_COLUMN);
}

/** What of an email there is active content for: a template has all of it. */
export function eligibilityOf(linked: store.Linked = {}): Eligibility {
  const hasTemplate = Boolean(linked.template?.size);
  const parts = REQUIRED_PARTS.map(part => [part, hasTemplate || Boolean(linked[part]?.size)] as const);
  return {
    is_eligible: parts.every(([, isAvailable]) => isAvailable),
    ...(Object.fromEntries(parts) as Omit<Eligibility, 'is_eligible'>),
  };
}

function shown(
  {
    organization_id: _,
    active_since: __,
    revision: ___,
    email_list_ids,
    ...automation
  }: store.StoredAutomation,
  lists: Lists,
  linked: store.Linked | undefined,
): Automation {
  return {
    ...automation,
    email_lists: email_list_ids.flatMap(id => lists.get(id) ?? []),
    email_eligibility: eligibilityOf(linked),
  };
}

const byName = (a: AutomationOption, b: AutomationOption) =>
  a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
const option = ({ id, name }: store.StoredAutomation): AutomationOption => ({ id, name });

/** What content can be linked to. */
export const options = async ({ table }: { table: Table }, organizationId: number) =>
  (await store.readAll(table, organizationId)).map(option).sort(byName);

/** Those of the automations that exist, by name. */
export const named = async ({ table }: { table: Table }, organizationId: number, ids: string[]) =>
  (await store.readThese(table, organizationId, ids)).map(option).sort(byName);
