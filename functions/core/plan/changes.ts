import { isDeepStrictEqual } from 'node:util';
import {
  type Linked,
  type LinkKind,
  type StoredAutomation,
  wordingsWith,
} from '#core/automation/automation.store.ts';
import type * as sequences from '#core/automation/sequence.ts';
import type { Head, KindName } from '#core/content/content.store.ts';
import type { Active } from '#core/organization/organization.store.ts';
import type { Changing, Recording } from '#core/organization/record.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item } from '#core/storage/table.store.ts';
import { MOST_WRITES } from '#core/storage/write.store.ts';
import type { Holdout } from '#shared/holdout.ts';
import type { Action } from '#shared/permissions.ts';
import type { DesiredState, Planned, PlannedChange } from '#shared/plan.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import { type Fields, type Seen, snapshot, type World } from './world.ts';

export type Needs = Changing & { active: Active };

export type Changed<T> = { before?: T | undefined; after?: T | undefined };
/** Of content: what is created, as a new wording too; what is set of an existing head; what is deleted. */
export type ContentChange = {
  kind: KindName;
  created?: { head: Head; text: Item };
  changed?: { head: Head; set: Partial<Head> & Item };
  /** The other versions of a template that gets another name. */
  renamed?: Head[];
  name?: string | undefined;
  /** What its text keeps. */
  deleted?: { head: Head; kept: Item };
  note: Recording;
};

/** What a plan comes to. Without `before` it creates, without `after` it deletes. */
export type Draft = {
  automations: Map<string, Changed<StoredAutomation>>;
  /** Those that are changed by themselves, and not as steps of a sequence. */
  ownAutomations: Map<string, Changed<StoredAutomation>>;
  sequences: Map<string, Changed<sequences.State>>;
  contents: ContentChange[];
  linked: Map<string, Linked>;
  /** Automations that content gets a link to. Those that list none of it have no other write. */
  linkedTo: Set<string>;
  safeguards?: SafeguardsChange;
  sendingHours?: SendingHoursChange;
  holdout?: Holdout;
  /** The entries that change something. */
  desired: DesiredState;
  changes: PlannedChange[];
  seen: Seen[];
  actions: Set<Action>;
};

type Wanted = {
  id: string;
  name: string | null;
  fields?: Fields;
  action?: PlannedChange['action'];
  set: () => void;
};

const ACTIONS: Record<Planned, Action> = {
  automation: 'automations:edit',
  sequence: 'automations:edit',
  template: 'content:edit',
  asset: 'content:edit',
  safeguards: 'safeguards:edit',
  sending_hours: 'safeguards:edit',
  holdout: 'safeguards:edit',
};

/** Adds what differs, and what it needs; nothing if nothing differs. */
export function change(
  draft: Draft,
  world: World,
  kind: Planned,
  before: Fields | undefined,
  { id, name, fields: after, action, set }: Wanted,
): void {
  const fields = Object.keys({ ...before, ...after }).filter(
    field => !isDeepStrictEqual(sorted(before?.[field]), sorted(after?.[field])),
  );
  if (before && after && fields.length === 0) return;
  const shown = (of: Fields | undefined) =>
    of &&
    Object.fromEntries(
      fields.filter(field => !isNothing(of[field]) || (before && after)).map(field => [field, of[field]]),
    );
  draft.changes.push({
    kind,
    id: id || null,
    name,
    action: action ?? (before ? (after ? 'change' : 'delete') : 'create'),
    before: shown(before) ?? null,
    after: shown(after) ?? null,
  });
  const seen = before && snapshot(world, kind, id);
  if (seen) draft.seen.push(seen);
  draft.actions.add(ACTIONS[kind]);
  set();
}

/**
 * Whether it starts or stops something that sends. What is created active does so as soon as it has content, which the same plan
 * may give it. Steps are told apart by their ids, as a plan may exchange their names.
 */
export const isSwitch = (draft: Draft): boolean =>
  [...draft.automations.values()].some(
    ({ before, after }) => (before?.active ?? false) !== (after?.active ?? false),
  ) ||
  [...draft.sequences.values()].some(({ before, after }) => !isDeepStrictEqual(onIn(before), onIn(after)));

const onIn = (state: sequences.State | undefined) => [
  state?.sequence.active ?? false,
  ...(state?.sequence.steps ?? []).flatMap(step => (step.active ? step.automation_id : [])).sort(),
];

/** The order of days and of names says nothing. */
const sorted = (value: unknown) =>
  Array.isArray(value) && value.every(one => typeof one === 'string') ? value.toSorted() : value;

const isNothing = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);

/** Those of some fields that differ. */
export const differing = <T extends object>(before: T, to: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(to).filter(([field, value]) => !isDeepStrictEqual(value, before[field as keyof T])),
  ) as Partial<T>;

export const isSame = (present: Fields, wanted: Fields) =>
  Object.entries(wanted).every(
    ([field, value]) => value === undefined || isDeepStrictEqual(sorted(value), sorted(present[field])),
  );

type Named = { id: string; name: string | null };

function named<T extends Named>(all: T[], reference: string, path: string, noun: string): T | undefined {
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

/** Undefined if the entry is to be created. `byName`: those that are found by their name. */
export function entryOf<T extends Named>(
  all: T[],
  { id, name }: { id?: string | undefined; name?: string | null | undefined },
  noun: string,
  byName = all,
): T | undefined {
  if (id === undefined) return name ? named(byName, name, 'name', noun) : undefined;
  return existing(
    all.filter(one => one.id === id),
    id,
    'id',
    noun,
  );
}

export function requireFewWrites(count: number): void {
  if (count <= MOST_WRITES) return;
  const text = `This plan would write ${count} items or more at once, and at most ${MOST_WRITES} can be. Make two plans of it: content first, then what sends it.`;
  throw invalid('plan', text);
}

type Use = {
  automation: string;
  kind: LinkKind;
  id: string;
  isUsed: boolean;
  of?: { id: string; now: Date };
};

/** Whether an automation lists content, which is why it is sent. `of`: the wording that it takes the place of. */
export function use(draft: Draft, { state }: World, { automation, kind, id, isUsed, of }: Use): void {
  const linked = draft.linked.get(automation) ?? state.linked.get(automation) ?? {};
  const ids = new Set(linked[kind]);
  if (ids.has(id) === isUsed) return;
  if (isUsed) ids.add(id);
  else ids.delete(id);
  const wordings = of && wordingsWith(linked, { by: id, of: of.id, now: of.now });
  draft.linked.set(automation, { ...linked, [kind]: ids, ...(wordings && { wordings }) });
}
