import { get, type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionsHeld,
  deleteItem,
  PRESENT,
  putWrite,
  updateItem,
} from '#core/storage/write.store.ts';
import { DAY } from '#shared/time.ts';

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

/** Another certificate is asked for once a day. Returns false if that was done already, whichever list had the domain then. */
export const noteAsked = async (table: Table, organization: number, domain: string, now: Date) =>
  (await updateItem(
    table,
    domainKey(organization, domain),
    { set: { asked_at: now.toISOString() } },
    {
      condition: `${PRESENT.condition} AND (attribute_not_exists(asked_at) OR asked_at < :before)`,
      values: { ':before': new Date(now.getTime() - DAY).toISOString() },
    },
  )) !== undefined;

export const readAll = async (table: Table, organization: number): Promise<string[]> =>
  (await queryPartition(table, domainKey(organization, '').PK)).map(({ SK }) => String(SK));

/** The owner stays. */
export const forget = (table: Table, organization: number, domain: string) =>
  deleteItem(table, domainKey(organization, domain), PRESENT);
