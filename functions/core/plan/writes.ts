import * as automationStore from '#core/automation/automation.store.ts';
import { switchedWrites } from '#core/automation/automation.ts';
import * as sequenceStore from '#core/automation/sequence.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import * as content from '#core/content/content.store.ts';
import { tooMuch } from '#core/content/content.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import * as quota from '#core/organization/quota.ts';
import { recorded } from '#core/organization/record.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import type { Write } from '#core/storage/write.store.ts';
import { MOST_CONTENT } from '#shared/content-query.ts';
import type { Draft, Needs } from './changes.ts';
import type { World } from './world.ts';

/** How many more of what an organization has a limited number of. */
function placesOf({ automations, sequences }: Draft) {
  const changes = [...automations.values()];
  const sum = (count: (change: (typeof changes)[number]) => number) =>
    changes.reduce((all, change) => all + count(change), 0);
  const grown = [...sequences.values()].map(
    ({ before, after }) => Number(after !== undefined) - Number(before !== undefined),
  );
  return {
    automations: sum(({ before, after }) => Number(after !== undefined) - Number(before !== undefined)),
    active_automations: sum(
      ({ before, after }) => Number(after?.active ?? false) - Number(before?.active ?? false),
    ),
    sequences: grown.reduce((all, by) => all + by, 0),
  };
}

/**
 * All that a plan changes, for one transaction, which has one write for each item: each on condition that its item is as the
 * draft was made of it.
 */
export const writesOf = (needs: Needs, world: World, draft: Draft): Write[] => [
  ...organizationWrites(needs, world, draft),
  ...automationWrites(needs, world, draft),
  ...sequenceWrites(needs, draft),
  ...contentWrites(needs, world, draft),
  ...(draft.safeguards
    ? safeguards.changeWrites(needs, world.organization.id, world.safeguards, draft.safeguards)
    : []),
];

function organizationWrites(needs: Needs, { organization }: World, draft: Draft): Write[] {
  const { table, now } = needs;
  const hours = draft.sendingHours && sendingHours.changeOf(organization, draft.sendingHours, now);
  const held = draft.holdout && holdout.changeOf(organization, draft.holdout);
  const beside = (hours || held) && {
    set: { ...hours?.set, ...held?.set },
    only: organizationStore.livingAs(organization, [
      ...(hours ? (['hours_revision'] as const) : []),
      ...(held ? (['holdout_percent'] as const) : []),
    ]),
  };
  const own = quota.changeQuotaWrites(table, organization.id, placesOf(draft), beside);
  const shown = sendingHours.shown(organization);
  return [
    ...(own.length > 0 ? own : [organizationStore.aliveCheck(table, organization.id)]),
    ...(draft.sendingHours
      ? recorded(needs, organization.id, {
          kind: 'sending',
          from: shown,
          to: { ...shown, ...draft.sendingHours },
        })
      : []),
    ...(draft.holdout ? holdout.recordedWrites(needs, organization, draft.holdout) : []),
  ];
}

function automationWrites(needs: Needs, { organization, state }: World, draft: Draft): Write[] {
  const { table, now } = needs;
  const passes = passesIn(draft);
  const changed = [...draft.automations].flatMap(([id, { before, after }]) => {
    const one = after ?? before;
    if (!one) return [];
    const [from, to] = [before?.active ?? false, after?.active ?? false];
    const sources = automationStore.sourceWrites(table, before, after, { now, passes: passes.get(id) ?? [] });
    return [
      ...ownWrites(needs, { before, after }),
      ...switchedWrites(needs, one, { from, to }),
      ...sources.added,
      ...sources.removed,
    ];
  });
  const notes = [...draft.ownAutomations.values()].flatMap(({ before, after }) =>
    recorded(needs, organization.id, { kind: 'automation', from: before, to: after }),
  );
  const listed = new Map(draft.linked);
  for (const [id, { before, after }] of draft.automations)
    if (!before && after && !listed.has(id)) listed.set(id, {});
  const shown = new Set<string>();
  const links = [...listed].flatMap(([id, after]) => {
    const link = { organization: organization.id, automation: id };
    const writes = automationStore.listedWrite(table, link, { before: state.linked.get(id), after, now });
    if (writes.length > 0) shown.add(id);
    return writes;
  });
  // No other write shows that these exist.
  const checks = [...draft.linkedTo]
    .filter(id => !shown.has(id))
    .map(id => automationStore.existsCheck(table, organization.id, id));
  return [...changed, ...notes, ...links, ...checks];
}

/** Throws a refusal if an organization has no place for what is created. */
export async function requirePlaces({ table }: Needs, organization: number, draft: Draft): Promise<void> {
  await quota.requireQuota({ table }, organization, placesOf(draft));
  const added = contentPlacesOf(draft).filter(([, by]) => by > 0);
  const counts = added.length > 0 ? await content.readCounts(table, organization) : undefined;
  if (counts && added.some(([kind, by]) => counts[kind] + by > MOST_CONTENT)) throw tooMuch();
}

const contentPlacesOf = ({ contents }: Draft) =>
  (['template', 'asset'] as const).flatMap(kind => {
    const ofKind = contents.filter(one => one.kind === kind);
    const by = ofKind.reduce((sum, { created, deleted }) => sum + (created ? 1 : 0) - (deleted ? 1 : 0), 0);
    return by === 0 ? [] : [[kind, by] as const];
  });

function contentWrites(needs: Needs, { organization }: World, draft: Draft): Write[] {
  const { table } = needs;
  const { contents } = draft;
  const counts = Object.fromEntries(contentPlacesOf(draft));
  const writes = contents.flatMap(({ kind, created, changed, renamed = [], name = '', deleted, note }) => {
    const creation = created && content.createWrites(table, kind, created.head, created.text);
    const [head, unique, , text] = deleted
      ? content.deletionWrites(table, kind, deleted.head, deleted.kept)
      : [];
    return [
      ...(creation ? [creation.unique, creation.head] : []),
      ...(changed ? [content.changeWrite(table, kind, changed.head, changed.set)] : []),
      ...renamed.map(one => content.renameWrite(table, kind, one, name)),
      ...[head, unique, text].filter(write => write !== undefined),
      ...recorded(needs, organization.id, note),
    ];
  });
  return Object.keys(counts).length > 0
    ? [...writes, content.countWrite(table, organization.id, counts, MOST_CONTENT)]
    : writes;
}

/** Their heads follow in the transaction. */
export const textsIn = ({ contents }: Draft) =>
  contents.flatMap(({ created }) => (created ? [{ ...created.text, id: created.head.id }] : []));

type Automation = Parameters<typeof automationStore.toItem>[0];

/** Without the item that lists its content. */
function ownWrites(
  { table }: Needs,
  { before, after }: { before?: Automation | undefined; after?: Automation | undefined },
): Write[] {
  if (!after) return before ? automationStore.deletionWrites(table, before) : [];
  return before
    ? [automationStore.changeWrite(table, before, after)]
    : automationStore.createWrites(table, after).slice(0, 1);
}

/** As a change of each sequence alone would have them. */
const passesIn = ({ sequences: changes }: Draft): Map<string, string[]> =>
  new Map(
    [...changes.values()].flatMap(({ before, after }) =>
      before && after
        ? after.steps.map((step): [string, string[]] => [step.id, sequences.passesOf(before, after, step)])
        : [],
    ),
  );

const sequenceWrites = (needs: Needs, draft: Draft): Write[] =>
  [...draft.sequences.values()].flatMap(({ before, after }) => {
    const { table } = needs;
    const own = after
      ? before
        ? sequenceStore.changeWrite(table, before.sequence, after.sequence)
        : sequenceStore.createWrite(table, after.sequence)
      : before && sequenceStore.deletionWrite(table, before.sequence);
    return own ? [own, ...sequences.recordedWrites(needs, before, after)] : [];
  });
