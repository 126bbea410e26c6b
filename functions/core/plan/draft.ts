import * as automations from '#core/automation/automation.ts';
import * as sequences from '#core/automation/sequence.ts';
import { isBroadcast } from '#core/id.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { parsed, Refusal, textsByField } from '#core/refusal.ts';
import { definedFields } from '#core/storage/write.store.ts';
import { NewAutomation } from '#shared/automation.ts';
import type { DesiredState, Planned, PlannedSequence } from '#shared/plan.ts';
import { NewSequence } from '#shared/sequence.ts';
import {
  type Changed,
  change,
  type Draft,
  differing,
  entryOf,
  existing,
  isSame,
  type Needs,
  requireFewWrites,
} from './changes.ts';
import { contentEntries } from './content.ts';
import { listNames, sequenceFields, settingsOf, stateOf, type World } from './world.ts';

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
    contents: [],
    linked: new Map(),
    linkedTo: new Set(),
    desired: {},
    changes: [],
    seen: [],
    actions: new Set(),
  };
  const faults: (readonly [field: string, text: string])[] = [];
  const at = async (path: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason === 'forbidden') throw error;
      const found = Object.entries(error.errors ?? {}).flatMap(([field, texts]) => {
        const [first = '', ...rest] = field.split('.');
        const named = [path, NAMES[first] ?? first, ...rest].filter(Boolean).join('.');
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
      // Each change is a write at least, and each fault took reads.
      requireFewWrites(draft.changes.length);
      if (faults.length > MOST_FAULTS) break;
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
    const from = before ?? sequences.nothing(needs, organizationId);
    const drafted = await sequences.changed(needs, from, before ? to : parsed(NewSequence, to));
    const { name } = drafted.sequence;
    const id = before?.sequence.id ?? idOf('sequence', name);
    const after = before ? drafted : withId(drafted, id);
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
    const ofSequence = found && draft.automations.get(found.id);
    if (ofSequence && !ofSequence.after) throw new Refusal('invalid', 'This plan deletes it');
    const before = ofSequence?.after ?? found;
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
    const before = stateOf(world, found);
    for (const { id } of [found, ...before.steps]) once(id);
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

  const content = await contentEntries(needs, world, draft, desired, { idOf, once });
  const wantedTemplates = await each('templates', desired.templates, content.template);
  const wantedAssets = await each('assets', desired.assets, content.asset);
  const deletedTemplates = await each('delete.templates', desired.delete?.templates, content.removeTemplate);
  const deletedAssets = await each('delete.assets', desired.delete?.assets, content.removeAsset);

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
  const wantedHoldout = desired.holdout;
  if (wantedHoldout)
    change(draft, world, 'holdout', holdout.shown(world.organization), {
      id: '',
      name: null,
      fields: wantedHoldout,
      set: () => {
        draft.holdout = wantedHoldout;
      },
    });

  draft.desired = {
    sequences: wantedSequences,
    automations: wantedAutomations,
    templates: wantedTemplates,
    assets: wantedAssets,
    safeguards: desired.safeguards,
    sending_hours: desired.sending_hours,
    holdout: wantedHoldout,
    delete: {
      sequences: deletedSequences,
      automations: deletedAutomations,
      templates: deletedTemplates,
      assets: deletedAssets,
    },
  };
  if (faults.length > 0) throw new Refusal('invalid', faults[0]?.[1] ?? '', { errors: textsByField(faults) });
  return draft;
}

const MOST_FAULTS = 100;

type Step = NonNullable<PlannedSequence['steps']>[number];

const withIdOf = ({ automation_id, ...step }: Step, before: sequences.State | undefined) => {
  const known = automation_id ?? before?.steps.find(({ name }) => name === step.name)?.id;
  return definedFields({ ...step, automation_id: known });
};

const withId = ({ sequence, steps }: sequences.State, id: string): sequences.State => ({
  sequence: { ...sequence, id },
  steps: steps.map(step => ({ ...step, sequence_id: id })),
});

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
