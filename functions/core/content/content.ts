import { createHash } from 'node:crypto';
import * as automation from '#core/automation/automation.store.ts';
import { isId } from '#core/id.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { optimistically } from '#core/storage/optimistic.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, MOST_WRITES, type Write } from '#core/storage/write.store.ts';
import { UNKNOWN_AUTOMATION } from '#shared/automation-link.ts';
import type { Part } from '#shared/email/content.ts';
import * as store from './content.store.ts';
import type { Terms } from './creation.ts';
import { CONFLICT, linkedTo, listWrites, requireLinkable, setOf } from './links.ts';

type Needs = { table: Table; now: Date };

/** The keys of the content that a caller names; none if the text cannot be an id. */
export const keysOf = (organizationId: number, kind: store.Kind, id: string) =>
  isId(id) ? store.keysOf(organizationId, kind, id) : [];

const UNKNOWN_CONTENT = 'This content does not exist any more';

/** Content, and whether it is a template or an asset of which type. */
export type Found = { head: store.Head; kind: automation.LinkKind };

/**
 * Finds the assets and templates with the ids in these fields, in no particular order. Throws an error for an id that does
 * not exist.
 */
export async function findAny(
  table: Table,
  organizationId: number,
  fields: Record<string, string[]>,
): Promise<Found[]> {
  const ids = [...new Set(Object.values(fields).flat())];
  const [assets, templates] = await Promise.all([
    store.readTheseHeads<store.Head & { type: Part }>(table, organizationId, 'asset', ids),
    store.readTheseHeads(table, organizationId, 'template', ids),
  ]);
  const found: Found[] = [
    ...templates.map(head => ({ head, kind: 'template' as const })),
    ...assets.map(head => ({ head, kind: head.type })),
  ];
  const isThere = new Set(found.map(({ head }) => head.id));
  for (const [field, wanted] of Object.entries(fields)) {
    if (wanted.some(id => !isThere.has(id))) throw invalid(field, UNKNOWN_CONTENT);
  }
  return found;
}

/** A hash of content, the same for the same content. */
export const hashOf = (...content: (string | null | undefined)[]) =>
  createHash('sha256')
    .update(JSON.stringify(content.map(part => part ?? '')))
    .digest('hex')
    .slice(0, 32);

type Change = {
  set?: Item;
  is_active?: boolean | undefined;
  /** The new links, or a function of the links at the time of the change if only some of them change. */
  automation_ids?: string[] | ((linked: string[]) => string[]) | undefined;
};

/** Changes the status, the links or the other fields of content, and returns it. */
export const change = <H extends store.Head>(
  { table, now }: Needs,
  terms: Terms<H>,
  head: H,
  { set = {}, is_active, automation_ids }: Change,
): Promise<H> =>
  optimistically<H, H>({
    known: head,
    read: () => readHead(table, terms, head),
    write: async before => {
      const wanted = (linked: string[]) =>
        (typeof automation_ids === 'function' ? automation_ids(linked) : automation_ids) ?? linked;
      const named = [...new Set([...linkedTo(before), ...wanted([])])];
      const existing = await automation.readLinked(table, before.organization_id, named);
      // Leaves out deleted automations, so that this change drops the links to them.
      const linked = linkedTo(before).filter(id => existing.has(id));
      const ids = [...new Set(wanted(linked))];
      if (ids.some(id => !existing.has(id))) throw invalid('automation_ids', UNKNOWN_AUTOMATION);
      const active = is_active ?? before.is_active;
      const fields = {
        ...set,
        is_active: active,
        automation_ids: setOf(ids),
        updated_at: now.toISOString(),
      };
      const kind = terms.linkKind(before);
      const links = { from: linked, to: active ? ids : [] };
      // For inactive content no other write of the transaction shows that these automations exist.
      const unseen = active ? [] : ids.filter(id => !linked.includes(id));
      const writes = [
        store.changeWrite(table, terms.kind, before, fields),
        ...linkWrites(table, before, kind, links),
        ...unseen.map(id => automation.existsCheck(table, before.organization_id, id)),
      ];
      if (writes.length > MOST_WRITES) {
        // Too many links for one transaction: the first step unlinks, the second one links. After either the content and
        // the automations agree.
        const kept = linkedTo(before).filter(id => ids.includes(id));
        const reduced = await change({ table, now }, terms, before, { automation_ids: kept });
        return change({ table, now }, terms, reduced, { set, is_active, automation_ids: ids });
      }
      if (await conditionsHeld(commit(table, writes))) return { ...before, ...fields };
      const content = { organization: before.organization_id, ids: { [kind]: before.id } };
      await requireLinkable(table, content, links.to);
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

/** Deletes content: it is found no more, and no automation uses it. */
export async function remove<H extends store.Head>(
  { table, now }: Needs,
  terms: Terms<H>,
  head: H,
  kept: Item = {},
): Promise<void> {
  await optimistically<H, true>({
    known: head,
    read: () => readHead(table, terms, head),
    write: async before => {
      const existing = await automation.readLinked(table, before.organization_id, linkedTo(before));
      const writes = [
        ...store.deletionWrites(table, terms.kind, before, { ...kept, deleted_at: now.toISOString() }),
        ...linkWrites(table, before, terms.linkKind(before), { from: [...existing.keys()], to: [] }),
      ];
      return (await conditionsHeld(commit(table, writes))) || undefined;
    },
    conflict: CONFLICT,
  });
}

async function readHead<H extends store.Head>(
  table: Table,
  terms: Terms<H>,
  { organization_id, id }: H,
): Promise<H> {
  const found = await store.read<H, unknown>(table, organization_id, terms.kind, id);
  if (found) return found.head;
  throw new Refusal('not-found', terms.notFound);
}

type Links = { from: string[]; to: string[] };

/**
 * The writes to the automations' lists of content. Only active content is listed, but inactive content is removed as well:
 * it may have been listed by mistake.
 */
function linkWrites(table: Table, head: store.Head, kind: automation.LinkKind, { from, to }: Links): Write[] {
  const { organization_id: organization, id } = head;
  const listed = head.is_active ? from : [];
  const added = to.filter(one => !listed.includes(one));
  return [
    ...listWrites(table, { organization, ids: { [kind]: id } }, added),
    ...from
      .filter(one => !to.includes(one))
      .map(one => automation.unlinkWrite(table, { organization, automation: one, kind, id })),
  ];
}
