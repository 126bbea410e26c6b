import * as automation from '#core/automation/automation.store.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import { type Changing, recorded, withMentions } from '#core/organization/record.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import {
  ConditionFailed,
  commit,
  conditionsHeld,
  MOST_WRITES,
  optimistically,
  type Write,
} from '#core/storage/write.store.ts';
import { UNKNOWN_AUTOMATION } from '#shared/automation-link.ts';
import { MOST_CONTENT } from '#shared/content-query.ts';
import { MARKDOWN_PARTS, type Part } from '#shared/email/content.ts';
import { OWN_FILE } from '#shared/email/web-address.ts';
import type { Head } from './content.store.ts';
import * as content from './content.store.ts';

export type ContentKind<H extends content.Head> = {
  name: content.KindName;
  linkKind: (head: H) => automation.LinkKind;
  notFound: string;
  exists: () => Refusal;
};

export const CONFLICT = 'Another change is under way. Please try again.';

const UNKNOWN_CONTENT = 'This content does not exist any more';

export type FoundContent = { head: content.Head; kind: automation.LinkKind };

/** In no particular order. Throws an error for an id that does not exist. */
export async function findAny(
  table: Table,
  organizationId: number,
  fields: Record<string, string[]>,
): Promise<FoundContent[]> {
  const ids = [...new Set(Object.values(fields).flat())];
  const [assets, templates] = await Promise.all([
    content.readTheseHeads<content.Head & { type: Part }>(table, organizationId, 'asset', ids),
    content.readTheseHeads(table, organizationId, 'template', ids),
  ]);
  const found: FoundContent[] = [
    ...templates.map(head => ({ head, kind: 'template' as const })),
    ...assets.map(head => ({ head, kind: head.type })),
  ];
  const isThere = new Set(found.map(({ head }) => head.id));
  for (const [field, wanted] of Object.entries(fields)) {
    if (wanted.some(id => !isThere.has(id))) throw invalid(field, UNKNOWN_CONTENT);
  }
  return found;
}

export type Needs = Changing;

type Written<H extends content.Head> = { head: H; text: Item };

export async function create<H extends content.Head>(
  needs: Needs,
  kind: ContentKind<H>,
  { head, text, automationIds }: Written<H> & { automationIds: string[] },
): Promise<void> {
  const { organization_id: organization, is_active } = head;
  const outcome = await createTogether(needs, kind, {
    organization,
    is_active,
    automationIds,
    created: [{ head, text }],
  });
  if (outcome === 'taken') throw kind.exists();
  if (outcome === 'changed') throw new Refusal('conflict', CONFLICT);
}

type Creation<H extends content.Head> = {
  organization: number;
  is_active: boolean;
  automationIds: string[];
  /** At most one of each kind, existing ones included. */
  created: Written<H>[];
  /** Content that exists already with the same status: it is linked as well. */
  existing?: Existing<H>[];
};

export type Existing<H extends content.Head> = { head: H; linked: string[] };

/** `taken` and `changed` are why nothing was written: the same content was created first, or existing content was changed. */
type Outcome = 'created' | 'taken' | 'changed';

export async function createTogether<H extends content.Head>(
  needs: Needs,
  kind: ContentKind<H>,
  { organization, is_active, automationIds, created, existing = [] }: Creation<H>,
): Promise<Outcome> {
  const { table, now } = needs;
  requireOwnImages(organization, created);
  const ids = [...new Set(automationIds)];
  const heads = [...created, ...existing].map(({ head }) => head);
  const linkable = {
    organization,
    ids: Object.fromEntries(heads.map(head => [kind.linkKind(head), head.id])),
  };
  const isChanged = (automationId: string) =>
    created.length > 0 || existing.some(({ linked }) => !linked.includes(automationId));
  const creations = created.map(({ head, text }) =>
    content.createWrites(
      table,
      kind.name,
      { ...head, ...(ids.length > 0 && { automation_ids: setOf(ids) }) },
      text,
    ),
  );
  const note = recorded(needs, organization, {
    kind: kind.name,
    object: { ...heads[0], ...(heads.length > 1 && { id: undefined }) },
    from: created.length > 0 ? undefined : { automation_ids: ids.filter(id => !isChanged(id)) },
    to: {
      is_active: created.length > 0 && is_active,
      automation_ids: ids,
      type: heads.map(kind.linkKind).join(', '),
    },
  });
  const places = { count: created.length, most: MOST_CONTENT };
  const place = created.length > 0 ? [content.reserveQuotaWrite(table, organization, kind.name, places)] : [];
  const writes = [
    ...creations.flatMap(writes => Object.values(writes)),
    ...place,
    ...note,
    organizationStore.aliveCheck(table, organization),
    ...existing.map(content => relinkWrite({ table, now }, kind.name, content, ids)),
    // No automation lists inactive content, so no other write shows that these automations exist.
    ...(is_active
      ? ids.flatMap(id => listWrites({ table, now: isChanged(id) ? now : undefined }, linkable, [id]))
      : ids.map(id => automation.existsCheck(table, organization, id))),
  ];
  try {
    await commit(table, withMentions(table, writes));
    return 'created';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (creations.some(({ unique }) => error.isOf(unique))) return 'taken';
    if (error.isOf(place[0])) throw tooMuch();
    await requireLinkable(table, linkable, ids);
    return 'changed';
  }
}

export const tooMuch = () =>
  new Refusal('conflict', `An organization can have at most ${MOST_CONTENT.toLocaleString('en')} of them.`);

const IMAGE_PATH = /!\[[^[\]]*\]\(\s*(\/files\/[^\s)]*)/g;

/** Of a template; that of an asset is its value. */
const WITH_IMAGES: readonly string[] = [...MARKDOWN_PARTS, 'value'];

/** A file is deleted with its organization, so the content of another one cannot show it. */
export function requireOwnImages(organization: number, created: { text: Item }[]): void {
  for (const [field, text] of created.flatMap(content => Object.entries(content.text))) {
    if (!WITH_IMAGES.includes(field)) continue;
    for (const [, path = ''] of String(text).matchAll(IMAGE_PATH)) {
      if (Number(OWN_FILE.exec(path)?.[1]) !== organization) {
        throw invalid(field, `The image ${path} is not one of this organization. Please upload it again.`);
      }
    }
  }
}

function relinkWrite(
  { table, now }: { table: Table; now: Date },
  kind: content.KindName,
  { head, linked }: Existing<content.Head>,
  ids: string[],
): Write {
  const added = ids.filter(id => !linked.includes(id));
  if (added.length === 0) return content.unchangedCheck(table, kind, head);
  return content.changeWrite(table, kind, head, {
    automation_ids: new Set([...linked, ...added]),
    updated_at: now.toISOString(),
  });
}

type Change = {
  set?: Item;
  is_active?: boolean | undefined;
  /** The new links, or a function of the links at the time of the change if only some of them change. */
  automation_ids?: string[] | ((linked: string[]) => string[]) | undefined;
};

export const change = <H extends content.Head>(
  needs: Needs,
  kind: ContentKind<H>,
  head: H,
  { set = {}, is_active, automation_ids }: Change,
): Promise<H> =>
  optimistically<H, H>({
    known: head,
    read: () => readHead(needs.table, kind, head),
    write: async before => {
      const { table, now } = needs;
      const wanted = (linked: string[]) =>
        (typeof automation_ids === 'function' ? automation_ids(linked) : automation_ids) ?? linked;
      const named = [...new Set([...linkedTo(before), ...wanted([])])];
      const existing = await automation.readLinked(table, before.organization_id, named);
      // Leaves out deleted automations, so that this change drops the links to them.
      const linked = linkedTo(before).filter(id => existing.has(id));
      const ids = [...new Set(wanted(linked))];
      if (ids.some(id => !existing.has(id))) throw invalid('automation_ids', UNKNOWN_AUTOMATION);
      const active = is_active ?? before.is_active;
      const fields = { ...set, is_active: active, automation_ids: setOf(ids), updated_at: now.toISOString() };
      const linkKind = kind.linkKind(before);
      const links = { from: linked, to: active ? ids : [] };
      // For inactive content no other write of the transaction shows that these automations exist.
      const unseen = active ? [] : ids.filter(id => !linked.includes(id));
      const writes = [
        content.changeWrite(table, kind.name, before, fields),
        ...recorded(needs, before.organization_id, {
          kind: kind.name,
          from: { ...before, automation_ids: linked },
          to: { ...before, ...fields },
        }),
        ...linkWrites({ table, now }, before, linkKind, links),
        ...unseen.map(id => automation.existsCheck(table, before.organization_id, id)),
      ];
      if (writes.length > MOST_WRITES) {
        // Too many links for one transaction: the first step unlinks, the second one links. After either all agrees.
        const kept = linkedTo(before).filter(id => ids.includes(id));
        const reduced = await change(needs, kind, before, { automation_ids: kept });
        return change(needs, kind, reduced, { set, is_active, automation_ids: ids });
      }
      if (await conditionsHeld(commit(table, withMentions(table, writes)))) return { ...before, ...fields };
      const linkable = { organization: before.organization_id, ids: { [linkKind]: before.id } };
      await requireLinkable(table, linkable, links.to);
      return undefined;
    },
    conflict: CONFLICT,
  });

/** Refuses a change of immutable fields. The forms send them unchanged, which is allowed. */
export function requireUnchanged(locked: string, changed: string[]): void {
  if (changed.length === 0) return;
  throw new Refusal('invalid', locked, {
    errors: Object.fromEntries(changed.map(field => [field, [locked]])),
  });
}

export async function remove<H extends content.Head>(
  needs: Needs,
  kind: ContentKind<H>,
  head: H,
  kept: Item = {},
): Promise<void> {
  const { table, now } = needs;
  await optimistically<H, true>({
    known: head,
    read: () => readHead(table, kind, head),
    write: async before => {
      const existing = await automation.readLinked(table, before.organization_id, linkedTo(before));
      const writes = [
        ...content.deletionWrites(table, kind.name, before, { ...kept, deleted_at: now.toISOString() }),
        ...linkWrites({ table, now }, before, kind.linkKind(before), { from: [...existing.keys()], to: [] }),
        ...recorded(needs, before.organization_id, { kind: kind.name, from: before }),
      ];
      return (await conditionsHeld(commit(table, withMentions(table, writes)))) || undefined;
    },
    conflict: CONFLICT,
  });
}

async function readHead<H extends content.Head>(
  table: Table,
  kind: ContentKind<H>,
  { organization_id, id }: H,
): Promise<H> {
  const found = await content.read<H, unknown>(table, organization_id, kind.name, id);
  if (found) return found.head;
  throw new Refusal('not-found', kind.notFound);
}

type Links = { from: string[]; to: string[] };

/** Only active content is listed. Inactive content is removed as well, as it may have been listed by mistake. */
function linkWrites(
  { table, now }: Needs,
  head: content.Head,
  kind: automation.LinkKind,
  { from, to }: Links,
): Write[] {
  const { organization_id: organization, id } = head;
  const listed = head.is_active ? from : [];
  const added = to.filter(automationId => !listed.includes(automationId));
  const removed = from.filter(automationId => !to.includes(automationId));
  return [
    ...listWrites({ table, now }, { organization, ids: { [kind]: id } }, added),
    ...removed.map(linked =>
      automation.unlinkWrite(
        table,
        { organization, automation: linked, kind, id },
        head.is_active ? now : undefined,
      ),
    ),
  ];
}

// The list of an automation's active content is one item, whose size is limited.
export const MOST_ACTIVE = 1_000;

// DynamoDB has no empty sets.
export const setOf = (ids: string[]) => (ids.length > 0 ? new Set(ids) : undefined);

export const linkedTo = ({ automation_ids }: Head): string[] => [...(automation_ids ?? [])];

export async function existingLinks(table: Table, head: Head): Promise<string[]> {
  const linked = linkedTo(head);
  const existing = await automation.readLinked(table, head.organization_id, linked);
  return linked.filter(id => existing.has(id));
}

type Linkable = { organization: number; ids: Partial<Record<automation.LinkKind, string>> };

const listWrites = (
  { table, now }: Pick<Needs, 'table'> & { now: Date | undefined },
  { organization, ids }: Linkable,
  automations: string[],
): Write[] =>
  automations.map(id =>
    automation.linkWrite(table, { organization, automation: id, ids }, { most: MOST_ACTIVE, now }),
  );

async function requireLinkable(
  table: Table,
  { organization, ids }: Linkable,
  automations: string[],
): Promise<void> {
  const linked = await automation.readLinked(table, organization, automations);
  if (automations.some(id => !linked.has(id))) throw invalid('automation_ids', UNKNOWN_AUTOMATION);
  const isFull = [...linked.values()].some(had =>
    Object.entries(ids).some(([kind, id]) => {
      const others = had[kind as automation.LinkKind];
      return others && others.size >= MOST_ACTIVE && !others.has(id);
    }),
  );
  if (isFull) {
    throw invalid(
      'automation_ids',
      `One of the automations has ${MOST_ACTIVE.toLocaleString('en')} of this type already`,
    );
  }
}
