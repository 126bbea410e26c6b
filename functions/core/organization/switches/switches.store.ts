import type { SafeguardsChange } from '../../../../shared/safeguards.ts';
import { newRevision } from '../../id.ts';
import {
  deletePage,
  fromItem,
  type Item,
  query,
  queryPartition,
  type Table,
} from '../../storage/table.store.ts';
import { putWrite, type Write } from '../../storage/write.store.ts';

/** What sends, or limits what is sent, while it is on. */
export type Switch = 'organization' | 'safeguards' | 'sending' | `list#${string}` | `automation#${string}`;

/** Whether the operator has stopped all sending, of the stage or of an organization. */
export type Stop = {
  /** While it is stopped. */
  stopped_since?: string;
  /** A whole minute, once it was started again: what was due before is not sent. */
  sending_since?: string;
};

export type Switched = {
  at: string;
  what: Switch;
  /** Absent where only limits were changed. */
  on?: boolean | undefined;
  /** The id of the user who did it, or `operator`; absent where nobody did. */
  by?: string | undefined;
  /** The safeguards that were changed. */
  limits?: Omit<SafeguardsChange, 'enabled'> | undefined;
};

/** Of the whole stage where no organization is named. */
const partition = (organization: number | undefined) =>
  organization === undefined ? 'STAGE#SWITCHES' : `ORG#${organization}#SWITCHES`;

/** Two in one millisecond are two. */
export const insertWrite = (
  table: Table,
  organization: number | undefined,
  { at, what, ...how }: Switched,
): Write => putWrite(table, { PK: partition(organization), SK: `${at}#${what}#${newRevision()}`, ...how });

/** What was switched since the organization exists, the oldest first. */
export const readAll = async (table: Table, organization: number): Promise<Switched[]> =>
  switchedIn(await queryPartition(table, partition(organization)));

const MOST_SWITCHED = 2_000;

/** What was switched since an instant, the oldest first. */
export const readSince = async (
  table: Table,
  organization: number | undefined,
  since: Date,
): Promise<Switched[]> =>
  switchedIn(
    await query(
      table,
      {
        KeyConditionExpression: 'PK = :pk AND SK >= :since',
        ExpressionAttributeValues: { ':pk': partition(organization), ':since': since.toISOString() },
        ConsistentRead: true,
      },
      { most: MOST_SWITCHED },
    ),
  );

const switchedIn = (items: Item[]): Switched[] =>
  items.map(item => {
    const [at = '', ...rest] = String(item.SK).split('#');
    const what = rest.slice(0, -1).join('#') as Switch;
    return { at, what, ...fromItem<Pick<Switched, 'on' | 'by' | 'limits'>>(item) };
  });

/** Deletes some of a deleted organization; true where there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
