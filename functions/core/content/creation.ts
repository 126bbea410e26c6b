import * as automation from '#core/automation/automation.store.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import { Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { commit, LostRace, type Write } from '#core/storage/write.store.ts';
import { MOST_CONTENT } from '#shared/content-query.ts';
import * as store from './content.store.ts';
import { CONFLICT, listWrites, requireLinkable, setOf } from './links.ts';

/** What distinguishes assets from templates here. */
export type Terms<H extends store.Head> = {
  kind: store.Kind;
  /** The kind under which an automation lists it. */
  linkKind: (head: H) => automation.LinkKind;
  notFound: string;
  /** The error for content that exists already. */
  exists: () => Refusal;
};

export type Written<H extends store.Head> = { head: H; text: Item };

type Creation<H extends store.Head> = {
  organization: number;
  is_active: boolean;
  automationIds: string[];
  /** At most one of each kind, existing ones included. */
  created: Written<H>[];
  /** Content that exists already with the same status: it is linked as well. */
  existing?: Existing<H>[];
};

/** Content, and the ids of its automations that exist. */
export type Existing<H extends store.Head> = { head: H; linked: string[] };

/** `taken` and `changed` are why nothing was written: the same content was created first, or existing content was changed. */
type Outcome = 'created' | 'taken' | 'changed';

/** Creates and links all of the content, or nothing. */
export async function createTogether<H extends store.Head>(
  { table, now }: { table: Table; now: Date },
  terms: Terms<H>,
  { organization: of, is_active, automationIds, created, existing = [] }: Creation<H>,
): Promise<Outcome> {
  const ids = [...new Set(automationIds)];
  const heads = [...created, ...existing].map(({ head }) => head);
  const content = {
    organization: of,
    ids: Object.fromEntries(heads.map(head => [terms.linkKind(head), head.id])),
  };
  const creations = created.map(({ head, text }) =>
    store.createWrites(
      table,
      terms.kind,
      { ...head, ...(ids.length > 0 && { automation_ids: setOf(ids) }) },
      text,
    ),
  );
  const places = { count: created.length, most: MOST_CONTENT };
  const place = created.length > 0 ? [store.placesWrite(table, of, terms.kind, places)] : [];
  const writes = [
    ...creations.flatMap(writes => Object.values(writes)),
    ...place,
    organizationStore.aliveCheck(table, of),
    ...existing.map(one => relinkWrite({ table, now }, terms.kind, one, ids)),
    // No automation lists inactive content, so no other write shows that these automations exist.
    ...(is_active ? listWrites(table, content, ids) : ids.map(id => automation.existsCheck(table, of, id))),
  ];
  try {
    await commit(table, writes);
    return 'created';
  } catch (error) {
    if (!(error instanceof LostRace)) throw error;
    if (creations.some(({ unique }) => error.isOf(unique))) return 'taken';
    if (error.isOf(place[0])) {
      throw new Refusal(
        'conflict',
        `An organization can have at most ${MOST_CONTENT.toLocaleString('en')} of them.`,
      );
    }
    await requireLinkable(table, content, ids);
    return 'changed';
  }
}

/** Links existing content to these automations too. */
function relinkWrite(
  { table, now }: { table: Table; now: Date },
  kind: store.Kind,
  { head, linked }: Existing<store.Head>,
  ids: string[],
): Write {
  const added = ids.filter(id => !linked.includes(id));
  if (added.length === 0) return store.unchangedCheck(table, kind, head);
  return store.changeWrite(table, kind, head, {
    automation_ids: new Set([...linked, ...added]),
    updated_at: now.toISOString(),
  });
}

/** Creates content. Throws an error if the same content exists. */
export async function create<H extends store.Head>(
  needs: { table: Table; now: Date },
  terms: Terms<H>,
  { head, text, automationIds }: Written<H> & { automationIds: string[] },
): Promise<void> {
  const { organization_id: organization, is_active } = head;
  const outcome = await createTogether(needs, terms, {
    ...{ organization, is_active, automationIds },
    created: [{ head, text }],
  });
  if (outcome === 'taken') throw terms.exists();
  if (outcome === 'changed') throw new Refusal('conflict', CONFLICT);
}
