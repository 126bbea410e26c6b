import { fromItem, get, getStored, type Reading, type Table } from '#core/storage/table.store.ts';
import { ABSENT, putItem } from '#core/storage/write.store.ts';
import type { Part } from '#shared/email/content.ts';

/** What an email consists of, by ids: a template, or an asset for each part. */
export type Choice = { id: string; template_id?: string; assets?: Partial<Record<Part, string>> };

export const key = (organization: number, id: string) => ({
  PK: `ORG#${organization}#CONTENT`,
  SK: `COMBO#${id}`,
});

/** Stores what a combination consists of, once: reports need it, and a sender that resumes the work of another one. */
export const insert = (table: Table, organization: number, choice: Choice) =>
  putItem(table, { ...key(organization, choice.id), ...choice }, ABSENT);

export async function read(
  table: Table,
  organization: number,
  id: string,
  reading?: Reading,
): Promise<Choice | undefined> {
  const item = await get(table, key(organization, id), reading);
  return item && fromItem(item);
}

/** The stored choices with these ids, in no particular order. */
export const readThese = (
  table: Table,
  organization: number,
  ids: string[],
  reading?: Reading,
): Promise<Choice[]> =>
  getStored(
    table,
    ids.map(id => key(organization, id)),
    reading,
  );
