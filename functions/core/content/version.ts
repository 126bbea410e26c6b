import * as automation from '#core/automation/automation.store.ts';
import { type StoredBroadcast, statusOf } from '#core/automation/broadcast.store.ts';
import { isBroadcast, newId } from '#core/id.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import { recorded, withMentions } from '#core/organization/record.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { ConditionFailed, commit, optimistically } from '#core/storage/write.store.ts';
import { MOST_CONTENT } from '#shared/content-query.ts';
import { type ContentVersion, NOTHING_CHANGED, replacedText } from '#shared/content-version.ts';
import * as content from './content.store.ts';
import { CONFLICT, type ContentKind, type Needs, requireOwnImages, setOf, tooMuch } from './content.ts';

/** `hash`: that of the text; `shown`: what the head has of it; `field`: the field of an error about all of it. */
export type Wording<H> = { hash: string; shown: Partial<H>; text: Item; field: string };

/**
 * Stores another wording of content as its next version, which takes over its links, and switches the content off: one
 * transaction, as content has at most 90 links. A repetition finds the version that is there already.
 */
export async function createVersion<H extends content.Head>(
  needs: Needs,
  kind: ContentKind<H>,
  edited: H,
  wording: Wording<H>,
): Promise<H> {
  const { table, now } = needs;
  const { organization_id: organization } = edited;
  return optimistically<H[], H>({
    read: () => content.versionsOf(table, kind.name, edited),
    write: async versions => {
      const drafted = await draftVersion(needs, kind, { versions, edited }, wording);
      if ('newest' in drafted) return drafted.newest;
      const { before, head, links, replaced } = drafted;
      const { id, version } = { version: 1, ...head };
      const { unique, ...created } = content.createWrites(table, kind.name, head, drafted.text);
      const place = content.reserveQuotaWrite(table, organization, kind.name, {
        count: 1,
        most: MOST_CONTENT,
      });
      try {
        const writes = [
          unique,
          ...Object.values(created),
          place,
          ...recorded(needs, organization, {
            kind: kind.name,
            what: 'reworded',
            object: head,
            from: { version: content.numberOf(before) },
            to: { version, automation_ids: head.automation_ids },
          }),
          organizationStore.aliveCheck(table, organization),
          content.changeWrite(table, kind.name, before, replaced),
          ...links.taken.map(of =>
            before.is_active
              ? automation.replaceWrite(
                  table,
                  { organization, automation: of, kind: kind.linkKind(before), id: before.id },
                  { linked: links.linked.get(of) ?? {}, by: id, now },
                )
              : automation.existsCheck(table, organization, of),
          ),
        ];
        await commit(table, withMentions(table, writes));
        return head;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (error.isOf(unique)) throw kind.exists();
        if (error.isOf(place)) throw tooMuch();
        return undefined;
      }
    },
    conflict: CONFLICT,
  });
}

type Known<H> = { versions: H[]; edited: H };
type Drafted<H> = {
  before: H;
  head: H;
  text: Item;
  /** What is set of the version before. */
  replaced: Partial<content.Head>;
  links: Awaited<ReturnType<typeof linksOf>>;
};

/** Checked but not stored. `newest`: it has this wording already. */
export async function draftVersion<H extends content.Head>(
  { table, now }: Needs,
  kind: ContentKind<H>,
  { versions, edited }: Known<H>,
  { hash, shown, text, field }: Wording<H>,
): Promise<Drafted<H> | { newest: H }> {
  const { organization_id: organization } = edited;
  requireOwnImages(organization, [{ text }]);
  const before = versions.find(({ id }) => id === edited.id);
  const newest = versions.at(-1);
  if (!before || !newest) throw new Refusal('not-found', kind.notFound);
  if (hasHash(before, hash)) throw invalid(field, NOTHING_CHANGED);
  if (newest !== before) {
    if (hasHash(newest, hash)) return { newest };
    throw new Refusal('conflict', replacedText(content.numberOf(newest)));
  }
  const { replaced_by, automation_ids: _, version_of = before.id, ...same } = before;
  const [id, version] = [newId(), (replaced_by?.version ?? content.numberOf(before)) + 1];
  const links = await linksOf({ table, now }, before);
  // Going back to the wording of an earlier version is no second content with the same text.
  const [sameText] = await content.readIds(table, organization, [hash]);
  const isEarlier = versions.some(earlier => earlier.id === sameText);
  const head = {
    ...same,
    ...shown,
    id,
    version,
    version_of,
    hash: isEarlier ? hashOfVersion(hash, version) : hash,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    ...(links.taken.length > 0 && { automation_ids: new Set(links.taken) }),
  } as unknown as H;
  const replaced = {
    is_active: false,
    automation_ids: setOf(links.kept),
    replaced_by: { id, version },
    updated_at: now.toISOString(),
  };
  return { before, head, text: { ...text, version }, replaced, links };
}

const hashOfVersion = (hash: string, version: number) => content.hashOf(hash, String(version));

const hasHash = (head: content.Head, hash: string) =>
  [hash, hashOfVersion(hash, content.numberOf(head))].includes(head.hash);

/** A broadcast that has begun keeps the wording that it began with, and stays as it is. */
async function linksOf({ table, now }: Needs, { organization_id, automation_ids }: content.Head) {
  const ids = [...(automation_ids ?? [])];
  const [linked, broadcasts] = await Promise.all([
    automation.readLinked(table, organization_id, ids),
    automation.readThese(table, organization_id, ids.filter(isBroadcast)),
  ]);
  const begun = new Set(
    (broadcasts as StoredBroadcast[])
      .filter(one => !['draft', 'scheduled'].includes(statusOf(one, now)))
      .map(({ id }) => id),
  );
  const [kept, taken] = [
    [...linked.keys()].filter(id => begun.has(id)),
    [...linked.keys()].filter(id => !begun.has(id)),
  ];
  return { linked, kept, taken };
}

/** Empty if there is no other version. */
export async function versions<H extends content.Head>(
  table: Table,
  kind: ContentKind<H>,
  head: H,
): Promise<ContentVersion[]> {
  if (!content.hasVersions(head)) return [];
  const all = await content.versionsOf(table, kind.name, head);
  return all.length < 2
    ? []
    : all.map(one => ({
        id: one.id,
        version: content.numberOf(one),
        is_active: one.is_active,
        created_at: one.created_at,
      }));
}
