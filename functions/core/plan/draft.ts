import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Linked, StoredAutomation } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as broadcastStore from '#core/automation/broadcast.store.ts';
import * as sequenceStore from '#core/automation/sequence.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import { isBroadcast } from '#core/id.ts';
import type { Active, StoredOrganization } from '#core/organization/organization.store.ts';
import type { Changing } from '#core/organization/record.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { invalid, Refusal, textsByField } from '#core/refusal.ts';
import { readState, type State } from '#core/sending/forecast/predict.ts';
import type { Table } from '#core/storage/table.store.ts';
import { definedFields } from '#core/storage/write.store.ts';
import { automationFields, NewAutomation } from '#shared/automation.ts';
import type { Action } from '#shared/permissions.ts';
import type { DesiredState, Planned, PlannedChange, PlannedSequence } from '#shared/plan.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import { ANY_TIME, PLAIN } from '#shared/schedule.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import { NewSequence } from '#shared/sequence.ts';

export type Needs = Changing & { active: Active };

/** All that a plan may name or change, as it is. */
export type World = {
  state: State;
  organization: StoredOrganization;
  sequences: sequenceStore.StoredSequence[];
  /** Of all states, as content is linked to them too. */
  broadcasts: broadcastStore.StoredBroadcast[];
  /** As it is stored. */
  safeguards: SafeguardsChange | undefined;
};

export async function readWorld(table: Table, organization: StoredOrganization): Promise<World> {
  const [state, all, broadcasts, limits] = await Promise.all([
    readState(table, organization.id),
    sequenceStore.readAll(table, organization.id),
    broadcastStore.readAll(table, organization.id),
    safeguards.readChanged(table, organization.id),
  ]);
  return {
    state,
    organization: state.organization ?? organization,
    sequences: all,
    broadcasts,
    safeguards: limits,
  };
}

type Changed<T> = { before?: T | undefined; after?: T | undefined };
type Fields = Record<string, unknown>;

/** What exists and is changed, as it was seen: `stamp` differs with each of its changes. */
export type Seen = { kind: Planned; id: string; name: string | null; stamp: string; fields: Fields };

/** What a plan comes to. Without `before` it creates, without `after` it deletes. */
export type Draft = {
  automations: Map<string, Changed<StoredAutomation>>;
  /** Those that are changed by themselves, and not as steps of a sequence. */
  ownAutomations: Map<string, Changed<StoredAutomation>>;
  sequences: Map<string, Changed<sequences.State>>;
  linked: Map<string, Linked>;
  safeguards?: SafeguardsChange;
  sendingHours?: SendingHoursChange;
  /** The entries that change something. */
  desired: DesiredState;
  changes: PlannedChange[];
  seen: Seen[];
  actions: Set<Action>;
  /** It starts or stops something that sends. */
  isSwitch: boolean;
};

/** The fields of an entry have other names in the calls of the app. */
const NAMES: Record<string, string> = { email_list_ids: 'email_lists', automation_ids: 'automations' };

/**
 * Resolves what is desired to what is to be written. Each entry is checked by the rules of the call that would change it; all
 * faults are thrown together. `idOf`: the id of what is created, the same one for the same name.
 */
export async function drafted(
  needs: Needs,
  world: World,
  desired: DesiredState,
  idOf: (kind: Planned, name: string) => string,
): Promise<Draft> {
  const { state } = world;
  const organizationId = world.organization.id;
  const draft: Draft = {
    automations: new Map(),
    ownAutomations: new Map(),
    sequences: new Map(),
    linked: new Map(),
    desired: {},
    changes: [],
    seen: [],
    actions: new Set(),
    isSwitch: false,
  };
  const faults: (readonly [field: string, text: string])[] = [];
  const at = async (path: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason === 'forbidden') throw error;
      const found = Object.entries(error.errors ?? {}).flatMap(([field, texts]) => {
        const [first = '', ...rest] = field.split('.');
        const named = [path, NAMES[first] ?? first, ...rest].join('.');
        return texts.map(text => [named, text] as const);
      });
      faults.push(...(found.length > 0 ? found : [[path, error.message] as const]));
    }
  };
  const touched = new Set<string>();
  const once = (id: string) => {
    if (touched.has(id)) throw new Refusal('invalid', 'This plan names it twice');
    touched.add(id);
  };
  const created = (kind: Planned, name: string) => {
    const id = idOf(kind, name);
    once(id);
    return id;
  };
  const stored = [...state.automations.values()].filter(({ id }) => !isBroadcast(id));
  const listIds = (names: string[] | undefined) =>
    names?.map(
      (name, nth) => existing([...state.lists.values()], name, `email_lists.${nth}`, 'email list').id,
    );

  const each = async <Entry>(
    path: string,
    entries: Entry[] = [],
    work: (entry: Entry) => Promise<void>,
  ): Promise<Entry[]> => {
    const kept: Entry[] = [];
    for (const [nth, entry] of entries.entries()) {
      const known = draft.changes.length;
      await at(`${path}.${nth}`, () => work(entry));
      if (draft.changes.length > known) kept.push(entry);
    }
    return kept;
  };

  const wantedSequences = await each('sequences', desired.sequences, async entry => {
    const { id: _, email_lists, steps, ...fields } = entry;
    const found = entryOf(world.sequences, entry, 'sequence');
    const before = found && stateOf(world, found);
    const to = definedFields({
      ...fields,
      email_list_ids: listIds(email_lists),
      steps: steps?.map(step => withIdOf(step, before)),
    });
    const after = before
      ? await sequences.changed(needs, before, to)
      : withIds(
          await sequences.changed(needs, sequences.nothing(needs, organizationId), parsed(NewSequence, to)),
          idOf,
        );
    const { id, name } = after.sequence;
    once(id);
    change(draft, world, 'sequence', before && sequenceFields(world, before), {
      id,
      name,
      fields: sequenceFields(world, after),
      set: () => setSequence(draft, { before, after }),
    });
  });

  const wantedAutomations = await each('automations', desired.automations, async entry => {
    const { id: _, email_lists, ...fields } = entry;
    const found = entryOf(stored, entry, 'automation');
    const to = definedFields({ ...fields, email_list_ids: listIds(email_lists) });
    // A step that its sequence changes in the same plan.
    const before = found && (draft.automations.get(found.id)?.after ?? found);
    if (before) once(before.id);
    if (
      before &&
      isSame(settingsOf(world, before), { ...fields, email_lists: listNames(world, to.email_list_ids) })
    )
      return;
    const after = before
      ? await automations.changed(needs, before, to)
      : (await automations.newAutomation(needs, organizationId, parsed(NewAutomation, to))).automation;
    const id = before?.id ?? created('automation', after.name);
    change(draft, world, 'automation', before && settingsOf(world, before), {
      id,
      name: after.name,
      fields: settingsOf(world, after),
      set: () => {
        draft.ownAutomations.set(id, { before, after: { ...after, id } });
        draft.automations.set(id, { before: found, after: { ...after, id } });
      },
    });
  });

  const deletedSequences = await each('delete.sequences', desired.delete?.sequences, async reference => {
    const found = existing(world.sequences, reference, '', 'sequence');
    once(found.id);
    const before = stateOf(world, found);
    change(draft, world, 'sequence', sequenceFields(world, before), {
      id: found.id,
      name: found.name,
      set: () => setSequence(draft, { before }),
    });
  });

  const deletedAutomations = await each(
    'delete.automations',
    desired.delete?.automations,
    async reference => {
      const before = existing(stored, reference, '', 'automation');
      once(before.id);
      await automations.requireNoStep(needs.table, before);
      change(draft, world, 'automation', settingsOf(world, before), {
        id: before.id,
        name: before.name,
        set: () => {
          draft.ownAutomations.set(before.id, { before });
          draft.automations.set(before.id, { before });
        },
      });
    },
  );

  const limits = definedFields(desired.safeguards ?? {});
  change(
    draft,
    world,
    'safeguards',
    { ...state.safeguards },
    {
      id: '',
      name: null,
      fields: { ...state.safeguards, ...limits },
      set: () => {
        // Only the owner may change when the guard pauses; for all others, it may be there as it is.
        draft.safeguards = differing(state.safeguards, limits);
        if (draft.safeguards.pause_at_percent) draft.actions.add('guard:edit');
      },
    },
  );
  const hours = sendingHours.shown(world.organization);
  const wantedHours = definedFields(desired.sending_hours ?? {});
  change(draft, world, 'sending_hours', hours, {
    id: '',
    name: null,
    fields: { ...hours, ...wantedHours },
    set: () => {
      draft.sendingHours = wantedHours;
    },
  });

  draft.desired = {
    sequences: wantedSequences,
    automations: wantedAutomations,
    safeguards: desired.safeguards,
    sending_hours: desired.sending_hours,
    delete: { sequences: deletedSequences, automations: deletedAutomations },
  };
  if (faults.length > 0) throw new Refusal('invalid', faults[0]?.[1] ?? '', { errors: textsByField(faults) });
  return draft;
}

type Parsing<T> = {
  safeParse: (
    input: unknown,
  ) =>
    | { success: true; data: T }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
};

/** What is new is checked as in the call that creates it. */
export function parsed<T>(schema: Parsing<T>, input: object): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [path.join('.'), message] as const);
  throw new Refusal('invalid', faults[0]?.[1] ?? '', { errors: textsByField(faults) });
}

type Named = { id: string; name: string | null };

export function named<T extends Named>(
  all: T[],
  reference: string,
  path: string,
  noun: string,
): T | undefined {
  const byId = all.find(({ id }) => id === reference);
  const found = byId ? [byId] : all.filter(({ name }) => name === reference);
  if (found.length < 2) return found[0];
  const ids = found.map(({ id }) => id).join(' and ');
  throw invalid(path, `${found.length} have the name ${reference}: say which ${noun} by its id (${ids})`);
}

export function existing<T extends Named>(all: T[], reference: string, path: string, noun: string): T {
  const found = named(all, reference, path, noun);
  if (found) return found;
  const text = `There is no ${noun} ${reference}`;
  throw path ? invalid(path, text) : new Refusal('invalid', text);
}

/** Undefined if the entry is to be created. */
export function entryOf<T extends Named>(
  all: T[],
  { id, name }: { id?: string | undefined; name?: string | null | undefined },
  noun: string,
): T | undefined {
  if (id === undefined) return name ? named(all, name, 'name', noun) : undefined;
  return existing(
    all.filter(one => one.id === id),
    id,
    'id',
    noun,
  );
}

const stateOf = ({ state }: World, sequence: sequenceStore.StoredSequence): sequences.State => ({
  sequence,
  steps: sequence.steps.flatMap(({ automation_id }) => state.automations.get(automation_id) ?? []),
});

type Step = NonNullable<PlannedSequence['steps']>[number];

const withIdOf = ({ automation_id, ...step }: Step, before: sequences.State | undefined) => {
  const known = automation_id ?? before?.steps.find(({ name }) => name === step.name)?.id;
  return definedFields({ ...step, automation_id: known });
};

/** A new sequence, with ids that follow from the names. */
function withIds(
  { sequence, steps }: sequences.State,
  idOf: (kind: Planned, name: string) => string,
): sequences.State {
  const sequence_id = idOf('sequence', sequence.name);
  const ids = new Map(steps.map(({ id, name }) => [id, idOf('automation', `${sequence_id} ${name}`)]));
  return {
    sequence: {
      ...sequence,
      id: sequence_id,
      steps: sequence.steps.map(step => ({ ...step, automation_id: ids.get(step.automation_id) ?? '' })),
    },
    steps: steps.map(step => ({ ...step, id: ids.get(step.id) ?? '', sequence_id })),
  };
}

/** A step that stays as it is keeps its object. */
function setSequence(draft: Draft, { before, after }: Changed<sequences.State>): void {
  draft.sequences.set((after ?? before)?.sequence.id ?? '', { before, after });
  const known = new Map(before?.steps.map(step => [step.id, step]));
  for (const step of after?.steps ?? []) {
    if (known.get(step.id) !== step)
      draft.automations.set(step.id, { before: known.get(step.id), after: step });
    known.delete(step.id);
  }
  for (const [id, step] of known) draft.automations.set(id, { before: step });
}

type Wanted = { id: string; name: string | null; fields?: Fields; set: () => void };

const ACTIONS: Record<Planned, Action> = {
  automation: 'automations:edit',
  sequence: 'automations:edit',
  template: 'content:edit',
  asset: 'content:edit',
  safeguards: 'safeguards:edit',
  sending_hours: 'safeguards:edit',
};

/** Adds what differs, and what it needs; nothing if nothing differs. */
function change(
  draft: Draft,
  world: World,
  kind: Planned,
  before: Fields | undefined,
  { id, name, fields: after, set }: Wanted,
): void {
  const differing = Object.keys({ ...before, ...after }).filter(
    field => !isDeepStrictEqual(sorted(before?.[field]), sorted(after?.[field])),
  );
  if (before && after && differing.length === 0) return;
  const shown = (of: Fields | undefined) =>
    of &&
    Object.fromEntries(
      differing.filter(field => !isNothing(of[field]) || (before && after)).map(field => [field, of[field]]),
    );
  draft.changes.push({
    kind,
    id: id || null,
    name,
    action: before ? (after ? 'change' : 'delete') : 'create',
    before: shown(before) ?? null,
    after: shown(after) ?? null,
  });
  const seen = before && snapshot(world, kind, id);
  if (seen) draft.seen.push(seen);
  draft.actions.add(ACTIONS[kind]);
  // What is created active sends as soon as it has content, which the same plan may give it.
  draft.isSwitch ||= kind !== 'template' && kind !== 'asset' && isSwitched(before, after);
  set();
}

const isSwitched = (before: Fields = {}, after: Fields = {}) => {
  const switchesOf = ({ active = false, steps = [] }: Fields) => [
    active,
    ...(steps as { name: string; active: boolean }[]).filter(step => step.active).map(({ name }) => name),
  ];
  return !isDeepStrictEqual(switchesOf(before), switchesOf(after));
};

/** The order of days and of names says nothing. */
const sorted = (value: unknown) =>
  Array.isArray(value) && value.every(one => typeof one === 'string') ? value.toSorted() : value;

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);

/** Those of some fields that differ. */
const differing = <T extends object>(before: T, to: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(to).filter(([field, value]) => !isDeepStrictEqual(value, before[field as keyof T])),
  ) as Partial<T>;

const isSame = (present: Fields, wanted: Fields) =>
  Object.entries(wanted).every(
    ([field, value]) => value === undefined || isDeepStrictEqual(sorted(value), sorted(present[field])),
  );

const AUTOMATION_FIELDS = Object.keys(automationFields).filter(field => field !== 'email_list_ids');
const SEQUENCE_FIELDS = 'name active metadata_trigger starts_at audience send_at time_zone_of days_off'.split(
  ' ',
);

const listNames = <Ids extends string[] | undefined>({ state }: World, ids: Ids) =>
  ids?.map(id => state.lists.get(id)?.name ?? id) as Ids;

const picked = (fields: string[], of: Fields): Fields =>
  Object.fromEntries(fields.map(field => [field, of[field] ?? null]));

function settingsOf(world: World, stored: StoredAutomation): Fields {
  const settings = { ...ANY_TIME, ...PLAIN, ...stored, starts_at: automations.shownStart(stored) };
  return { ...picked(AUTOMATION_FIELDS, settings), email_lists: listNames(world, stored.email_list_ids) };
}

function sequenceFields(world: World, { sequence, steps }: sequences.State): Fields {
  const settings = { ...ANY_TIME, ...sequence, starts_at: automations.shownStart(sequence) };
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
  if (kind === 'sequence') {
    const sequence = world.sequences.find(one => one.id === id);
    if (!sequence) return undefined;
    const { steps } = stateOf(world, sequence);
    const fields = sequenceFields(world, { sequence, steps });
    const stamp = stampOf([sequence.revision, ...steps.map(({ revision }) => revision)]);
    return { kind, id, name: sequence.name, stamp, fields };
  }
  const automation = state.automations.get(id);
  if (!automation) return undefined;
  const { name, revision: stamp } = automation;
  return { kind, id, name, stamp, fields: settingsOf(world, automation) };
}

export const stampOf = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16);

/** JSON with sorted keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
