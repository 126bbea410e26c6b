import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { shownStart } from '#core/automation/automation.ts';
import * as broadcastStore from '#core/automation/broadcast.store.ts';
import * as sequenceStore from '#core/automation/sequence.store.ts';
import type * as sequences from '#core/automation/sequence.ts';
import * as content from '#core/content/content.store.ts';
import type { Head as AssetHead } from '#core/content/email-asset.ts';
import type { Head as TemplateHead } from '#core/content/email-template.ts';
import { sha256 } from '#core/id.ts';
import * as holdout from '#core/organization/holdout.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { readState, type State } from '#core/sending/forecast/predict.ts';
import type { Table } from '#core/storage/table.store.ts';
import { automationFields } from '#shared/automation.ts';
import type { DesiredState, Planned } from '#shared/plan.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import { ANY_TIME, PLAIN } from '#shared/schedule.ts';

/** All that a plan may name or change, as it is. */
export type World = {
  state: State;
  organization: StoredOrganization;
  sequences: sequenceStore.StoredSequence[];
  /** Of all states, as content is linked to them too. */
  broadcasts: broadcastStore.StoredBroadcast[];
  /** Those that are stored. */
  safeguards: SafeguardsChange | undefined;
  /** None, unless the plan is about content. */
  templates: TemplateHead[];
  assets: AssetHead[];
};

export async function readWorld(
  table: Table,
  organization: StoredOrganization,
  { templates, assets, delete: deleted }: DesiredState,
): Promise<World> {
  const heads = <H extends content.Head>(kind: content.KindName, wanted: (unknown[] | undefined)[]) =>
    wanted.some(some => some?.length) ? content.readHeads<H>(table, organization.id, kind) : [];
  const [state, all, broadcasts, limits, allTemplates, allAssets] = await Promise.all([
    readState(table, organization.id),
    sequenceStore.readAll(table, organization.id),
    broadcastStore.readAll(table, organization.id),
    safeguards.readChanged(table, organization.id),
    heads<TemplateHead>('template', [templates, deleted?.templates]),
    heads<AssetHead>('asset', [assets, deleted?.assets]),
  ]);
  return {
    state,
    organization: state.organization ?? organization,
    sequences: all,
    broadcasts,
    safeguards: limits,
    templates: allTemplates,
    assets: allAssets,
  };
}

export type Fields = Record<string, unknown>;

/** What exists and is changed, as it was seen: `stamp` differs with each of its changes. */
export type Seen = { kind: Planned; id: string; name: string | null; stamp: string; fields: Fields };

export const stateOf = ({ state }: World, sequence: sequenceStore.StoredSequence): sequences.State => ({
  sequence,
  steps: sequence.steps.flatMap(({ automation_id }) => state.automations.get(automation_id) ?? []),
});

const AUTOMATION_FIELDS = Object.keys(automationFields).filter(field => field !== 'email_list_ids');
const SEQUENCE_FIELDS =
  'name active metadata_trigger starts_at audience send_at time_zone_of days_off holdout_percent'.split(' ');

export const listNames = <Ids extends string[] | undefined>({ state }: World, ids: Ids) =>
  ids?.map(id => state.lists.get(id)?.name ?? id) as Ids;

const picked = (fields: string[], of: Fields): Fields =>
  Object.fromEntries(fields.map(field => [field, of[field] ?? null]));

export function settingsOf(world: World, stored: StoredAutomation): Fields {
  const settings = {
    ...ANY_TIME,
    ...PLAIN,
    allocation: 'equal',
    holdout_percent: 0,
    ...stored,
    starts_at: shownStart(stored),
  };
  return { ...picked(AUTOMATION_FIELDS, settings), email_lists: listNames(world, stored.email_list_ids) };
}

export function sequenceFields(world: World, { sequence, steps }: sequences.State): Fields {
  const settings = { ...ANY_TIME, holdout_percent: 0, ...sequence, starts_at: shownStart(sequence) };
  const wanted = new Map(sequence.steps.map(step => [step.automation_id, step.active]));
  return {
    ...picked(SEQUENCE_FIELDS, settings),
    email_lists: listNames(world, sequence.email_list_ids),
    steps: steps.map(({ id, name, delay_days, delay_minutes = 0 }) => ({
      name,
      delay_days,
      delay_minutes,
      active: wanted.get(id) ?? false,
    })),
  };
}

/** Without the texts: `text` has them. The automations are those that exist, by name. */
export const contentFields = (
  head: TemplateHead | AssetHead,
  nameOf: (automation: string) => string | undefined,
  text?: object,
): Fields => ({
  name: head.name,
  ...('type' in head ? { type: head.type } : { language_code: head.language_code }),
  is_active: head.is_active,
  automations: [...(head.automation_ids ?? [])].flatMap(id => nameOf(id) ?? []).sort(),
  ...text,
});

export const automationName = ({ state, broadcasts }: World, id: string): string | undefined =>
  (state.automations.get(id) ?? broadcasts.find(one => one.id === id))?.name;

/** What exists, as a plan sees it; undefined if it does not exist any more. */
export function snapshot(world: World, kind: Planned, id: string): Seen | undefined {
  const { state, organization } = world;
  if (kind === 'safeguards') {
    const fields = { ...state.safeguards };
    return { kind, id, name: null, stamp: stampOf(fields), fields };
  }
  if (kind === 'sending_hours') {
    const fields = { ...sendingHours.shown(organization) };
    return { kind, id, name: null, stamp: stampOf([fields, organization.hours_revision]), fields };
  }
  if (kind === 'holdout') {
    const fields = holdout.shown(organization);
    return { kind, id, name: null, stamp: stampOf(fields), fields };
  }
  if (kind === 'sequence') {
    const sequence = world.sequences.find(one => one.id === id);
    if (!sequence) return undefined;
    const { steps } = stateOf(world, sequence);
    const fields = sequenceFields(world, { sequence, steps });
    const stamp = stampOf([sequence.revision, ...steps.map(({ revision }) => revision)]);
    return { kind, id, name: sequence.name, stamp, fields };
  }
  if (kind === 'template' || kind === 'asset') {
    const head = (kind === 'template' ? world.templates : world.assets).find(one => one.id === id);
    if (!head) return undefined;
    const fields = contentFields(head, of => automationName(world, of));
    const { name, updated_at, automation_ids = [], replaced_by } = head;
    const stamp = stampOf([fields, updated_at, [...automation_ids].sort(), replaced_by]);
    return { kind, id, name, stamp, fields };
  }
  const automation = state.automations.get(id);
  if (!automation) return undefined;
  const { name, revision: stamp } = automation;
  return { kind, id, name, stamp, fields: settingsOf(world, automation) };
}

const stampOf = (value: unknown): string => sha256(canonical(value)).slice(0, 16);

/** JSON with sorted keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
