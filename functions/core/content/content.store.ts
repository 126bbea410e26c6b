import { createHash } from 'node:crypto';
import { isId } from '#core/id.ts';
import { chunksOf } from '#core/parallel.ts';
import {
  deletePage,
  fromItem,
  get,
  getAll,
  getStored,
  type Item,
  type Key,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionCheck,
  deleteWrite,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { CONTENT_PAGE } from '#shared/content-query.ts';

export type KindName = 'asset' | 'template';

/** The head of content: what lists show of it, and what can change. The text is an item of its own. */
export type Head = {
  id: string;
  organization_id: number;
  is_active: boolean;
  /** The automations to which it is linked, even if it is not active. Absent if there are none. */
  automation_ids?: Set<string> | undefined;
  /** The hash of its content: no other content has it. */
  hash: string;
  /** Of a new version: its number, from 2 on, and the id of the first one. */
  version?: number | undefined;
  version_of?: string | undefined;
  /** The version that was made of it last, which may be deleted by now. */
  replaced_by?: { id: string; version: number } | undefined;
  created_at: string;
  updated_at: string;
};

const partition = (organization: number) => `ORG#${organization}#CONTENT`;
const prefix = (kind: KindName) => `${kind.toUpperCase()}#`;
const headKey = (organization: number, kind: KindName, id: string): Key => ({
  PK: partition(organization),
  SK: `${prefix(kind)}${id}`,
});
const textKey = (organization: number, id: string): Key => ({
  PK: partition(organization),
  SK: `TEXT#${id}`,
});
const uniqueKey = (organization: number, hash: string): Key => ({
  PK: partition(organization),
  SK: `UNIQ#${hash}`,
});
const countsKey = (organization: number): Key => ({ PK: partition(organization), SK: 'COUNTS' });

const itemKeys = (organization: number, kind: KindName, id: string) => [
  headKey(organization, kind, id),
  textKey(organization, id),
];

export const keysOf = (organizationId: number, kind: KindName, id: string) =>
  isId(id) ? itemKeys(organizationId, kind, id) : [];

export const hashOf = (...content: (string | null | undefined)[]) =>
  createHash('sha256')
    .update(JSON.stringify(content.map(part => part ?? '')))
    .digest('hex')
    .slice(0, 32);

export function fromItems<H extends Head, T>(items: Item[]): { head: H; text: T } | undefined {
  const head = items.find(({ SK }) => /^(ASSET|TEMPLATE)#/.test(String(SK)));
  const text = items.find(({ SK }) => String(SK).startsWith('TEXT#'));
  return head && text && { head: fromItem<H>(head), text: fromItem<T>(text) };
}

export const read = async <H extends Head, T>(
  table: Table,
  organization: number,
  kind: KindName,
  id: string,
) => fromItems<H, T>(await getAll(table, itemKeys(organization, kind, id)));

export const readHeads = async <H extends Head>(
  table: Table,
  organization: number,
  kind: KindName,
): Promise<H[]> => (await queryPartition(table, partition(organization), prefix(kind))).map(fromItem<H>);

export const readTheseHeads = <H extends Head>(
  table: Table,
  organization: number,
  kind: KindName,
  ids: string[],
): Promise<H[]> =>
  getStored(
    table,
    ids.map(id => headKey(organization, kind, id)),
  );

export const readTexts = <T>(table: Table, organization: number, ids: string[]): Promise<T[]> =>
  getStored(
    table,
    ids.map(id => textKey(organization, id)),
  );

export const readIds = async (table: Table, organization: number, hashes: string[]): Promise<string[]> =>
  (
    await getStored<{ id: string }>(
      table,
      hashes.map(hash => uniqueKey(organization, hash)),
    )
  ).map(({ id }) => id);

/** The writes that create content. `unique` fails if the same content exists already. */
export const createWrites = (table: Table, kind: KindName, head: Head, text: Item) => ({
  unique: putWrite(table, { ...uniqueKey(head.organization_id, head.hash), id: head.id }, ABSENT),
  head: putWrite(table, { ...headKey(head.organization_id, kind, head.id), ...head }, ABSENT),
  text: putWrite(table, { ...textKey(head.organization_id, head.id), ...text, id: head.id }, ABSENT),
});

/** Counts new content. Fails if there would be more than `most` of its kind. */
export const reserveQuotaWrite = (
  table: Table,
  organization: number,
  kind: KindName | 'look',
  { count, most }: { count: number; most: number },
): Write => countWrite(table, organization, { [kind]: count }, most);

/** The same for several kinds, of which there may be fewer too. */
export function countWrite(
  table: Table,
  organization: number,
  counts: Partial<Record<KindName | 'look', number>>,
  most: number,
): Write {
  const added = Object.entries(counts).filter(([, count]) => count > 0);
  const only = {
    condition: added
      .map(([kind]) => `(attribute_not_exists(#${kind}) OR #${kind} <= :most_${kind})`)
      .join(' AND '),
    values: Object.fromEntries(added.map(([kind, count]) => [`:most_${kind}`, most - count])),
  };
  return updateWrite(table, countsKey(organization), { add: counts }, added.length > 0 ? only : undefined);
}

const CHANGEABLE = ['is_active', 'automation_ids', 'replaced_by'];

/** Fails if the content was deleted, or if its status or links were changed or it was replaced since it was read. */
export const unchangedCheck = (table: Table, kind: KindName, head: Head): Write =>
  conditionCheck(table, headKey(head.organization_id, kind, head.id), unchanged(head, CHANGEABLE));

/** Drops the links if none are set. Fails under the same conditions. */
export function changeWrite(table: Table, kind: KindName, head: Head, set: Partial<Head>): Write {
  const drop = set.automation_ids ? [] : ['automation_ids'];
  const only = unchanged(head, CHANGEABLE);
  return updateWrite(table, headKey(head.organization_id, kind, head.id), { set, drop }, only);
}

/** The texts of what gets a head later, without which nothing reads them. */
export async function storeTexts(
  table: Table,
  organization: number,
  texts: (Item & { id: string })[],
): Promise<void> {
  for (const some of chunksOf(texts, MOST_TEXTS))
    await commit(
      table,
      some.map(text => putWrite(table, { ...textKey(organization, text.id), ...text })),
    );
}
// Of the longest ones, a transaction of 4 MB takes so many.
const MOST_TEXTS = 20;

/** Lists show one name for all versions. */
export const renameWrite = (table: Table, kind: KindName, { organization_id, id }: Head, name: string) =>
  updateWrite(table, headKey(organization_id, kind, id), { set: { name } }, PRESENT);

export const rename = (table: Table, kind: KindName, { organization_id, id }: Head, name: string) =>
  updateItem(table, headKey(organization_id, kind, id), { set: { name } }, PRESENT);

/** Deletes the head. The text is kept, as reports show it, and the same content may be created again. */
export const deletionWrites = (table: Table, kind: KindName, head: Head, kept: Item): Write[] => [
  deleteWrite(table, headKey(head.organization_id, kind, head.id), unchanged(head, CHANGEABLE)),
  deleteWrite(table, uniqueKey(head.organization_id, head.hash)),
  updateWrite(table, countsKey(head.organization_id), { add: { [kind]: -1 } }),
  updateWrite(table, textKey(head.organization_id, head.id), { set: kept }),
];

export async function readCounts(
  table: Table,
  organization: number,
): Promise<Record<KindName | 'look', number>> {
  const counts = await get(table, countsKey(organization));
  const countOf = (kind: string) => Number(counts?.[kind] ?? 0);
  return { asset: countOf('asset'), template: countOf('template'), look: countOf('look') };
}

export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');

const firstOf = ({ id, version_of = id }: Head) => version_of;
export const numberOf = ({ version = 1 }: Pick<Head, 'version'>) => version;
export const hasVersions = ({ version, replaced_by }: Head) => (version ?? replaced_by) !== undefined;

/** All versions of the same content, the first one first. */
export const versionsOf = async <H extends Head>(table: Table, kind: KindName, head: H): Promise<H[]> =>
  versionsIn(await readHeads<H>(table, head.organization_id, kind), head);

export const versionsIn = <H extends Head>(heads: H[], head: H): H[] =>
  heads.filter(other => firstOf(other) === firstOf(head)).sort((a, b) => numberOf(a) - numberOf(b));

/** Of each content its newest version. */
export const newestIn = <H extends Head>(heads: H[]): H[] =>
  [...Map.groupBy(heads, firstOf).values()].map(all =>
    all.reduce((newest, one) => (numberOf(one) > numberOf(newest) ? one : newest)),
  );

/** The content that lists show: of each the newest version, and those that are active beside it. */
export function listed<H extends Head>(heads: H[]): (H & { versions: number })[] {
  const versions = Map.groupBy(heads, firstOf);
  return heads.flatMap(head => {
    const all = versions.get(firstOf(head)) ?? [];
    const isNewest = all.every(other => numberOf(other) <= numberOf(head));
    return isNewest || head.is_active ? [{ ...head, versions: all.length }] : [];
  });
}

type Filters = {
  search?: string | undefined;
  status?: 'active' | 'inactive' | undefined;
  automations?: string[] | undefined;
};

/** The content that the search and the filters find. With several automations, content of any of them. */
export function matching<H extends Head>(
  heads: H[],
  { search = '', status, automations = [] }: Filters,
  textsOf: (head: H) => string[],
): H[] {
  const wanted = search.trim().toLowerCase();
  return heads.filter(
    head =>
      (!wanted || textsOf(head).some(text => text.toLowerCase().includes(wanted))) &&
      (!status || head.is_active === (status === 'active')) &&
      (automations.length === 0 || automations.some(id => head.automation_ids?.has(id))),
  );
}

type Dated = Pick<Head, 'id' | 'created_at'>;

export const newestFirst = (a: Dated, b: Dated): number =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1;

type Paging = { page?: number | undefined; per_page?: number | undefined };

export function pageOf<R>(rows: R[], { page = 1, per_page = CONTENT_PAGE }: Paging) {
  const from = (page - 1) * per_page;
  return {
    rows: rows.slice(from, from + per_page),
    current_page: page,
    last_page: Math.max(1, Math.ceil(rows.length / per_page)),
  };
}
