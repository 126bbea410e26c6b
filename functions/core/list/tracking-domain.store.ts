import { get, type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import { ABSENT, commit, conditionsHeld, deleteItem, PRESENT, putWrite } from '#core/storage/write.store.ts';

const ownerKey = (domain: string): Key => ({ PK: `TRACKING#${domain}`, SK: 'OWNER' });
const domainKey = (organization: number, domain: string): Key => ({
  PK: `ORG#${organization}#TRACKING`,
  SK: domain,
});

export const ownerOf = async (table: Table, domain: string): Promise<number | undefined> =>
  (await get(table, ownerKey(domain)))?.organization_id as number | undefined;

/** Gives a domain that nobody had to an organization, for ever. Somebody else may be faster. */
export const own = (table: Table, organization_id: number, domain: string): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      putWrite(table, { ...ownerKey(domain), organization_id }, ABSENT),
      putWrite(table, domainKey(organization_id, domain), ABSENT),
    ]),
  );

export const readAll = async (table: Table, organization: number): Promise<string[]> =>
  (await queryPartition(table, domainKey(organization, '').PK)).map(({ SK }) => String(SK));

/** The owner stays. */
export const forget = (table: Table, organization: number, domain: string) =>
  deleteItem(table, domainKey(organization, domain), PRESENT);
