import { isDeepStrictEqual } from 'node:util';
import { isId, newId, newRevision } from '#core/id.ts';
import * as list from '#core/list/list.ts';
import * as quota from '#core/organization/quota.ts';
import { type Changing, recordedChange } from '#core/organization/record.ts';
import { chunksOf } from '#core/parallel.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { switchedOnWrite } from '#core/sources/source.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import {
  ConditionFailed,
  commit,
  conditionsHeld,
  definedFields,
  MOST_WRITES,
  type Write,
} from '#core/storage/write.store.ts';
import { BEGINS_NOTHING } from '#shared/automation.ts';
import { AUTOMATIONS_PAGE } from '#shared/limits.ts';
import { byName } from '#shared/names.ts';
import { ANY_TIME, scheduleFaults } from '#shared/schedule.ts';
import {
  type NewSequence,
  NO_STEPS,
  NOT_LATER,
  SAME_STEP,
  type Sequence,
  type SequenceChange,
  type StepInput,
  stepFault,
  UNKNOWN_STEP,
} from '#shared/sequence.ts';
import { MINUTES_OF_DAY } from '#shared/time.ts';
import * as automations from './automation.store.ts';
import {
  checkedLists,
  eligibilityOf,
  isMoved,
  requireBegun,
  requireRevision,
  rescheduled,
  shownStart,
  startOf,
  switchedWrites,
} from './automation.ts';
import * as store from './sequence.store.ts';

type Needs = Changing;
type StoredStep = automations.StoredAutomation;

/** A sequence with the automations that are its steps, in their order. */
export type State = { sequence: store.StoredSequence; steps: StoredStep[] };

/** None if the text cannot be an id. */
export const keysOf = (organizationId: number, id: string) =>
  isId(id) ? [store.key(organizationId, id)] : [];

export function found(items: Item[]): store.StoredSequence {
  const sequence = store.fromItems(items);
  if (sequence) return sequence;
  throw new Refusal('not-found', 'Sequence not found');
}

export const detail = async (
  { table }: { table: Table },
  sequence: store.StoredSequence,
): Promise<Sequence> => shown(table, await stateOf(table, sequence));

/** Of one sequence. */
async function shown(table: Table, state: State): Promise<Sequence> {
  const { organization_id, email_list_ids, begun } = state.sequence;
  const ids = state.steps.map(({ id }) => id);
  const [lists, linked, hasPass] = await Promise.all([
    list.options(table, organization_id, email_list_ids),
    automations.readLinked(table, organization_id, ids),
    begun !== undefined && automations.hasPass(table, state.steps),
  ]);
  return { ...shownWith(state, lists, linked), ...(hasPass && { mails_existing: true }) };
}

async function stateOf(table: Table, sequence: store.StoredSequence): Promise<State> {
  const ids = sequence.steps.map(({ automation_id }) => automation_id);
  return withSteps(sequence, await automations.readThese(table, sequence.organization_id, ids));
}

function withSteps(sequence: store.StoredSequence, all: StoredStep[]): State {
  const byId = new Map(all.map(step => [step.id, step]));
  return { sequence, steps: sequence.steps.flatMap(({ automation_id }) => byId.get(automation_id) ?? []) };
}

/** By name. */
export async function page(
  { table }: { table: Table },
  organizationId: number,
  number: number,
): Promise<Sequence[]> {
  const from = (number - 1) * AUTOMATIONS_PAGE;
  const sequences = (await store.readAll(table, organizationId)).sort(byName);
  const rows = sequences.slice(from, from + AUTOMATIONS_PAGE);
  if (rows.length === 0) return [];
  const [all, lists, linked] = await Promise.all([
    automations.readAll(table, organizationId),
    list.options(
      table,
      organizationId,
      rows.flatMap(({ email_list_ids }) => email_list_ids),
    ),
    automations.readAllLinked(table, organizationId),
  ]);
  return rows.map(sequence => shownWith(withSteps(sequence, all), lists, linked));
}

export const create = (needs: Needs, organization_id: number, fields: NewSequence): Promise<Sequence> =>
  save(needs, nothing(needs, organization_id), fields);

/** Before a sequence is created. */
export const nothing = ({ now }: Needs, organization_id: number): State => ({
  sequence: {
    id: newId(),
    organization_id,
    name: '',
    active: false,
    email_list_ids: [],
    metadata_trigger: null,
    steps: [],
    created_at: now.toISOString(),
    revision: '',
  },
  steps: [],
});

/** Removes its deleted lists too. */
export const change = async (
  needs: Needs,
  sequence: store.StoredSequence,
  to: SequenceChange,
): Promise<Sequence> => save(needs, await stateOf(needs.table, sequence), to);

/** By the guard: the step alone, which its sequence does not want any more. Returns false if it is off already. */
export async function pauseStep(
  needs: Needs,
  step: Pick<StoredStep, 'organization_id' | 'sequence_id' | 'id'>,
  paused: StoredStep['paused'],
): Promise<boolean> {
  const sequence = await store.read(needs.table, step.organization_id, step.sequence_id ?? '');
  if (!sequence) return false;
  const before = await stateOf(needs.table, sequence);
  if (!before.steps.some(({ id, active }) => id === step.id && active)) return false;
  const steps = before.sequence.steps.map(({ automation_id, active }) => ({
    automation_id,
    active: active && automation_id !== step.id,
  }));
  const after = {
    sequence: { ...before.sequence, steps, revision: newRevision() },
    steps: before.steps.map(stored =>
      stored.id === step.id ? { ...stored, active: false, paused, revision: newRevision() } : stored,
    ),
  };
  await commitChange(needs, before, after);
  return true;
}

/** What a change would make of the steps of a sequence, or of none; nothing is stored. */
export async function tried(
  needs: Needs,
  of: store.StoredSequence | number,
  to: SequenceChange,
): Promise<{ steps: StoredStep[]; removed: StoredStep[]; begins: Begins }> {
  const before = typeof of === 'number' ? nothing(needs, of) : await stateOf(needs.table, of);
  const after = await changed(needs, before, to);
  const begins = beginsOf(before.sequence, after.sequence);
  return { steps: after.steps, removed: removedSteps(before, after), begins };
}

/** The first step that is on, and the lists on which a change begins the sequence. */
type Begins = { automation: string; lists: string[] } | undefined;

function beginsOf(before: store.StoredSequence, after: store.StoredSequence): Begins {
  const first = after.steps.find(({ active }) => active)?.automation_id;
  return first === undefined
    ? undefined
    : { automation: first, lists: automations.begunLists(before, after) };
}

export const removedSteps = (before: State, after: State) =>
  before.steps.filter(step => !after.steps.some(kept => kept.id === step.id));

async function save(needs: Needs, before: State, to: SequenceChange): Promise<Sequence> {
  const after = await changed(needs, before, to);
  await commitChange(needs, before, after);
  return shown(needs.table, after);
}

/** Checked but not stored. */
export async function changed(
  { table, now }: Needs,
  before: State,
  { steps: given, include_existing, revision, ...to }: SequenceChange,
): Promise<State> {
  requireRevision(before.sequence, revision);
  const wanted: store.StoredSequence = {
    ...before.sequence,
    ...definedFields(to),
    ...startOf(before.sequence, to),
    revision: newRevision(),
  };
  const steps = given ? givenSteps(before, wanted.name, given) : storedSteps(before);
  const [fault] = [...scheduleFaults({ ...wanted, delay_days: 0 }), ...stepFaults(wanted, steps)];
  if (fault) throw invalid(fault[0], fault[1]);
  const checked = {
    ...wanted,
    email_list_ids: await checkedLists(
      table,
      { ...before.sequence, active: before.steps.some(({ active }) => active) },
      { ...wanted, active: wanted.active && steps.some(({ isWanted }) => isWanted) },
      to,
    ),
    steps: steps.map(({ id, isWanted }) => ({ automation_id: id, active: isWanted })),
  };
  const begins = include_existing ? beginsOf(before.sequence, checked) : undefined;
  if (include_existing) requireBegun(before.sequence, { ...checked, repeat: 'once' });
  if (include_existing && !begins) throw invalid('include_existing', BEGINS_NOTHING);
  const sequence = { ...checked, begun: begunAfter(before.sequence, checked, steps, { begins, now }) };
  return { sequence, steps: steps.map(step => automationOf(sequence, step, now)) };
}

/** What began before stays as long as its list does, also while the sequence is off: what is still to come then goes on. */
function begunAfter(
  { begun: before = {} }: store.StoredSequence,
  { email_list_ids }: store.StoredSequence,
  steps: Step[],
  { begins, now }: { begins: Begins; now: Date },
): store.StoredSequence['begun'] {
  const kept = Object.entries(before).filter(([id]) => email_list_ids.includes(id));
  const first = steps.find(({ id }) => id === begins?.automation);
  const added = (begins?.lists ?? []).flatMap(id => {
    if (!first) return [];
    const { delay_days, delay_minutes } = first;
    return [[id, { since: now.toISOString(), first: first.id, delay_days, delay_minutes }] as const];
  });
  const all = [...kept, ...added];
  return all.length > 0 ? Object.fromEntries(all) : undefined;
}

/** For the step that was the first one, people who were there go by their own dates: a pass has mailed them at once. */
function begunOf(begun: store.StoredSequence['begun'], id: string): StoredStep['begun'] {
  const later = Object.entries(begun ?? {}).filter(([, { first }]) => first !== id);
  return later.length > 0
    ? Object.fromEntries(later.map(([of, { first: _, ...since }]) => [of, since]))
    : undefined;
}

/**
 * The lists on which a step begins with a pass: those on which the sequence begins with it, and those on which it is owed to
 * people who were there, where its source is new or it goes at another time.
 */
export function passesOf(before: State, { sequence }: State, step: StoredStep): string[] {
  const stored = before.steps.find(({ id }) => id === step.id);
  const { organization_id: organization, metadata_trigger: column } = step;
  return Object.entries(sequence.begun ?? {}).flatMap(([id, began]) => {
    const isBegun = began !== before.sequence.begun?.[id];
    const isNew = !stored || !automations.hasSource(stored, { organization, list: id, column });
    return (began.first === step.id ? isBegun : isNew || isMoved(stored, step)) ? [id] : [];
  });
}

/** A step as it is wanted, and as it is stored. */
type Step = Pick<StoredStep, 'id' | 'name' | 'delay_days'> & {
  delay_minutes: number;
  isWanted: boolean;
  stored: StoredStep | undefined;
};

const storedSteps = ({ sequence, steps }: State): Step[] =>
  steps.map(stored => ({
    id: stored.id,
    name: stored.name,
    delay_days: stored.delay_days,
    delay_minutes: stored.delay_minutes ?? 0,
    isWanted: sequence.steps.some(({ automation_id, active }) => automation_id === stored.id && active),
    stored,
  }));

/** What is not given of a stored step stays. */
function givenSteps(before: State, sequenceName: string, given: StepInput[]): Step[] {
  const known = new Map(storedSteps(before).map(step => [step.id, step]));
  const names = new Set(
    given.flatMap(({ automation_id, name }) => name ?? known.get(automation_id ?? '')?.name ?? []),
  );
  return given.map(({ automation_id, active, ...fields }, index) => {
    const kept = known.get(automation_id ?? '');
    if (automation_id && !kept) {
      const isTwice = given.slice(0, index).some(other => other.automation_id === automation_id);
      throw invalid('steps', stepFault(index, isTwice ? SAME_STEP : UNKNOWN_STEP));
    }
    known.delete(automation_id ?? '');
    const blank = {
      id: newId(),
      name: '',
      delay_days: 0,
      delay_minutes: 0,
      isWanted: true,
      stored: undefined,
    };
    const step = { ...blank, ...kept, ...definedFields(fields) };
    if (!step.name) step.name = newName(sequenceName, index, names);
    return { ...step, isWanted: active ?? step.isWanted };
  });
}

const LONGEST_BEGINNING = 90;

/** A name as automations have them, which no other step has. */
function newName(sequenceName: string, index: number, names: Set<string>): string {
  const plain = sequenceName.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');
  const beginning = plain.slice(0, LONGEST_BEGINNING) || 'step';
  let number = index + 1;
  while (names.has(`${beginning}_${number}`)) number++;
  names.add(`${beginning}_${number}`);
  return `${beginning}_${number}`;
}

function stepFaults({ active, send_at }: store.StoredSequence, steps: Step[]): [string, string][] {
  const of = (index: number, text: string): [string, string] => ['steps', stepFault(index, text)];
  const minutesOf = ({ delay_days, delay_minutes }: Step) => delay_days * MINUTES_OF_DAY + delay_minutes;
  return [
    ...(active && steps.length === 0 ? [['steps', NO_STEPS] as [string, string]] : []),
    ...steps.flatMap((step, index) =>
      scheduleFaults({ ...automations.ONCE, ...step, send_at }).map(([, text]) => of(index, text)),
    ),
    ...steps.flatMap((step, index) => {
      const previous = steps[index - 1];
      return previous && minutesOf(step) <= minutesOf(previous) ? [of(index, NOT_LATER)] : [];
    }),
  ];
}

/** The automation that is a step; the stored one if nothing changes. */
function automationOf(
  {
    id,
    name: _,
    active: isOn,
    steps: __,
    created_at: ___,
    revision: ____,
    begun,
    ...shared
  }: store.StoredSequence,
  { isWanted, stored, ...step }: Step,
  now: Date,
): StoredStep {
  const active = isOn && isWanted;
  const automation = definedFields({
    created_at: now.toISOString(),
    revision: newRevision(),
    ...stored,
    ...automations.ONCE,
    ...step,
    ...shared,
    // What is not defined is not that of the stored one.
    starts_at: shared.starts_at,
    begun: begunOf(begun, step.id),
    active,
    ...(active &&
      !stored?.active && { active_since: now.toISOString(), ...automations.resumed(stored ?? {}) }),
    sequence_id: id,
  }) as StoredStep;
  if (!stored) return automation;
  if (isDeepStrictEqual(automation, stored)) return stored;
  return { ...automation, ...rescheduled(stored, automation, now), revision: newRevision() };
}

const conflict = () =>
  new Refusal('conflict', 'Another change of this sequence is under way. Please try again.');

/**
 * One transaction. Where the sources that it adds exceed that, they are stored before: a source does nothing until its automation
 * is active and has its list, and the sweep leaves new ones alone. What it takes away is deleted afterwards.
 */
async function commitChange(needs: Needs, before: State, after: State): Promise<void> {
  const { table, now } = needs;
  const { organization_id, id } = after.sequence;
  const stored = new Map(before.steps.map(step => [step.id, step]));
  const removed = removedSteps(before, after);
  const isNew = before.sequence.revision === '';
  const places = {
    sequences: isNew ? 1 : 0,
    automations: after.steps.length - before.steps.length,
    active_automations: activeOf(after.steps) - activeOf(before.steps),
  };
  const sources = [
    ...after.steps.map(step =>
      automations.sourceWrites(table, stored.get(step.id), step, {
        now,
        passes: passesOf(before, after, step),
      }),
    ),
    ...removed.map(step => automations.sourceWrites(table, step, undefined, { now, passes: [] })),
  ];
  const added = sources.flatMap(ofStep => ofStep.added);
  const deletions = removed.map(step => automations.deletionWrites(table, step));
  const steps = [
    ...quota.changeQuotaWrites(table, organization_id, places),
    ...after.steps.flatMap(step => stepWrites(needs, stored.get(step.id), step)),
    ...deletions.map(([own]) => own),
  ];
  const note = recordedWrites(needs, isNew ? undefined : before, after);
  const isTooLarge = 1 + note.length + steps.length + added.length > MOST_WRITES;
  if (isTooLarge) await quota.requireQuota({ table }, organization_id, places);
  const known = isTooLarge
    ? await storeFirst(table, isNew ? undefined : before.sequence, added)
    : before.sequence;
  const own =
    isNew || !known
      ? store.createWrite(table, after.sequence)
      : store.changeWrite(table, known, after.sequence);
  // A run of the sweep may have passed its minute since it saw the sources.
  const begun = isTooLarge ? [switchedOnWrite(table, organization_id, id, now)] : added;
  const later = [
    ...deletions.flatMap(([, ...others]) => others),
    ...removed.flatMap(step => switchedWrites(needs, step, { from: step.active, to: false })),
    ...sources.flatMap(ofStep => ofStep.removed),
  ];
  const writes = [own, ...note, ...steps, ...begun, ...later];
  try {
    await commit(table, writes.slice(0, MOST_WRITES));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (!error.isOf(own)) await quota.requireQuota({ table }, organization_id, places);
    throw conflict();
  }
  await commitEach(table, store.unchangedCheck(table, after.sequence), writes.slice(MOST_WRITES));
}

export const recordedWrites = (needs: Needs, from: State | undefined, to?: State): Write[] =>
  recordedChange(
    needs,
    'sequence',
    from && settingsOf(from),
    to && { ...settingsOf(to), include_existing: beginsNow(from, to) },
  );

/** Whether it begins on a list with people who are there already. */
const beginsNow = (from: State | undefined, { sequence: { begun = {} } }: State) =>
  Object.entries(begun).some(([list, began]) => began.since !== from?.sequence.begun?.[list]?.since);

/** Its steps are parts of it in the record. */
export const settingsOf = (state: State) => ({
  ...state.sequence,
  steps: storedSteps(state).map(({ name, delay_days, delay_minutes, isWanted }) => {
    const delay = `${delay_days} d${delay_minutes > 0 ? ` ${delay_minutes} min` : ''}`;
    return `${name} (${delay}${isWanted ? '' : ', off'})`;
  }),
});

const activeOf = (steps: StoredStep[]) => steps.filter(({ active }) => active).length;

function stepWrites(needs: Needs, stored: StoredStep | undefined, step: StoredStep): Write[] {
  const switched = switchedWrites(needs, step, { from: stored?.active ?? false, to: step.active });
  if (!stored) return [...automations.createWrites(needs.table, step), ...switched];
  return stored === step ? [] : [automations.changeWrite(needs.table, stored, step), ...switched];
}

/** Another change that is under way fails from then on, and deletes none of them. Returns the sequence as it is stored. */
async function storeFirst(
  table: Table,
  before: store.StoredSequence | undefined,
  added: Write[],
): Promise<store.StoredSequence | undefined> {
  const claimed = before && (await store.claim(table, before, newRevision()));
  if (before && !claimed) throw conflict();
  await commitEach(table, claimed && store.unchangedCheck(table, claimed), added);
  return claimed;
}

/** Leaves out the others as soon as the condition fails. */
async function commitEach(table: Table, check: Write | undefined, writes: Write[]): Promise<void> {
  const checks = check ? [check] : [];
  for (const chunk of chunksOf(writes, MOST_WRITES - checks.length)) {
    if (!(await conditionsHeld(commit(table, [...checks, ...chunk])))) return;
  }
}

/** Deletes its steps too. Their sources do nothing any more, so the last ones follow. */
export async function remove(needs: Needs, sequence: store.StoredSequence): Promise<void> {
  const { table, now } = needs;
  const { steps } = await stateOf(table, sequence);
  const places = { sequences: -1, automations: -steps.length, active_automations: -activeOf(steps) };
  const writes = [
    store.deletionWrite(table, sequence),
    ...recordedWrites(needs, { sequence, steps }),
    ...quota.changeQuotaWrites(table, sequence.organization_id, places),
    ...steps.flatMap(step => [
      ...automations.deletionWrites(table, step),
      ...switchedWrites(needs, step, { from: step.active, to: false }),
    ]),
    ...steps.flatMap(step => automations.sourceWrites(table, step, undefined, { now, passes: [] }).removed),
  ];
  if (!(await conditionsHeld(commit(table, writes.slice(0, MOST_WRITES))))) throw conflict();
  await commitEach(table, undefined, writes.slice(MOST_WRITES));
}

function shownWith(
  { sequence, steps }: State,
  lists: Awaited<ReturnType<typeof list.options>>,
  linked: Map<string, automations.Linked>,
): Sequence {
  const { organization_id: _, begun: __, ...own } = sequence;
  const { dates_off: ___, ...anyTime } = ANY_TIME;
  return {
    ...anyTime,
    audience: null,
    holdout_percent: 0,
    ...own,
    starts_at: shownStart(sequence),
    email_list_ids: own.email_list_ids.filter(id => lists.has(id)),
    email_lists: own.email_list_ids.flatMap(id => lists.get(id) ?? []),
    steps: storedSteps({ sequence, steps }).map(({ id, stored: ____, isWanted, ...step }) => ({
      automation_id: id,
      ...step,
      active: isWanted,
      email_eligibility: eligibilityOf(linked.get(id)),
    })),
  };
}
