import type { Part } from '../../../shared/email/content.ts';
import { deletePage, fromItem, getAll, type Item, queryPartition, type Table } from '../table.store.ts';
import { ABSENT, conditionCheck, PRESENT, putWrite, updateWrite, type Write } from '../write.store.ts';

export type StoredAutomation = {
  id: string;
  organization_id: number;
  name: string;
  active: boolean;
  email_list_ids: string[];
  /** The metadata column that holds the date it starts at; without one it starts when a member was added. */
  metadata_trigger: string | null;
  created_at: string;
};

const partition = (organization: number) => `ORG#${organization}`;
export const key = (organization: number, id: string) => ({ PK: partition(organization), SK: `AUTO#${id}` });
const linkedKey = (organization: number, id: string) => ({
  PK: `${partition(organization)}#CONTENT`,
  SK: `LINKED#${id}`,
});

/** An asset is linked under its type. */
export type LinkKind = Part | 'template';
/** The ids of the active content that is linked to an automation, by kind. */
export type Linked = Partial<Record<LinkKind, Set<string>>>;

/** With it is inserted what lists the content linked to it, which exists as long as the automation does. */
export const createWrites = (table: Table, created: StoredAutomation): Write[] => [
  putWrite(table, { ...key(created.organization_id, created.id), ...created }, ABSENT),
  putWrite(table, linkedKey(created.organization_id, created.id), ABSENT),
];

export const readAll = async (table: Table, organization: number) =>
  (await queryPartition(table, partition(organization), 'AUTO#')).map(fromItem<StoredAutomation>);

export async function readThese(
  table: Table,
  organization: number,
  ids: string[],
): Promise<StoredAutomation[]> {
  const items = await getAll(
    table,
    ids.map(id => key(organization, id)),
  );
  return items.map(fromItem<StoredAutomation>);
}

export const fromItems = (items: Item[]): StoredAutomation | undefined => {
  const item = items.find(({ SK }) => String(SK).startsWith('AUTO#'));
  return item && fromItem<StoredAutomation>(item);
};

/** The active content of those of the automations that exist. */
export async function readLinked(
  table: Table,
  organization: number,
  ids: string[],
): Promise<Map<string, Linked>> {
  const items = await getAll(
    table,
    ids.map(id => linkedKey(organization, id)),
  );
  return new Map(items.map(item => [String(item.SK).slice('LINKED#'.length), fromItem<Linked>(item)]));
}

type Link = { organization: number; automation: string; kind: LinkKind; id: string };

/** Fails where the automation is deleted, or has `most` of the kind already. Repeating it changes nothing. */
export const linkWrite = (table: Table, { organization, automation, kind, id }: Link, most: number): Write =>
  updateWrite(
    table,
    linkedKey(organization, automation),
    { add: { [kind]: new Set([id]) } },
    {
      condition: `${PRESENT.condition} AND (attribute_not_exists(#${kind}) OR size(#${kind}) < :most OR contains(#${kind}, :id))`,
      values: { ':most': most, ':id': id },
    },
  );

export const unlinkWrite = (table: Table, { organization, automation, kind, id }: Link): Write =>
  updateWrite(table, linkedKey(organization, automation), { subtract: { [kind]: new Set([id]) } }, PRESENT);

export const existsCheck = (table: Table, organization: number, automation: string): Write =>
  conditionCheck(table, linkedKey(organization, automation), PRESENT);

/** Deletes some automations of a deleted organization; true where there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), 'AUTO#');
