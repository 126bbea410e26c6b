import { newRevision } from '#core/id.ts';
import {
  deletePage,
  fromItem,
  type Item,
  query,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import { putWrite, type Write } from '#core/storage/write.store.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';

/** A switch: what sends, or limits what is sent, while it is on. */
export type Switch = 'organization' | 'safeguards' | 'sending' | `list#${string}` | `automation#${string}`;

/** Whether the operator has stopped all sending, of the stage or of an organization. */
export type Stop = {
  /** Since when it is stopped; absent while it is not. */
  stopped_since?: string;
  /** Set to a whole minute when sending is started again: emails that were due before are not sent. */
  sending_since?: string;
};

export type Switched = {
  at: string;
  what: Switch;
  /** Absent if only limits were changed. */
  on?: boolean | undefined;
  /** The id of the user who did it, or `operator`; absent if the product did. */
  by?: string | undefined;
  /** The safeguards that were changed. */
  limits?: Omit<SafeguardsChange, 'enabled'> | undefined;
};

type Needs = { table: Table; now: Date; user?: string | undefined };

/**
 * The writes for the transaction that switches something, from which explanations later know why an email was not sent.
 * There are none if the switch stays as it is.
 */
export const switchWrites = (
  { table, now, user }: Needs,
  organizationId: number,
  what: Switch,
  { from, to }: { from: boolean; to: boolean },
): Write[] =>
  from === to ? [] : [insertWrite(table, organizationId, { at: now.toISOString(), what, on: to, by: user })];

/** Stands for the operator, who stops all sending by a command. */
export const OPERATOR = 'operator';

/** The write for the transaction that stops or starts all sending, of an organization or, without one, of the whole stage. */
export const stopWrite = (
  table: Table,
  organizationId: number | undefined,
  { stopped_since, sending_since = '' }: Stop,
): Write => {
  const at = stopped_since ?? sending_since;
  const switched = { at, what: 'sending', on: stopped_since === undefined, by: OPERATOR } as const;
  return organizationId === undefined
    ? insertStageWrite(table, switched)
    : insertWrite(table, organizationId, switched);
};

/** The write for the transaction that changes the safeguards. */
export const safeguardsWrite = (
  { table, now, user }: Needs,
  organizationId: number,
  { enabled, ...limits }: SafeguardsChange,
): Write =>
  insertWrite(table, organizationId, {
    at: now.toISOString(),
    what: 'safeguards',
    on: enabled,
    by: user,
    limits,
  });

const partition = (organization: number) => `ORG#${organization}#SWITCHES`;
const STAGE = 'STAGE#SWITCHES';

/** Inserts an entry of an organization. */
const insertWrite = (table: Table, organization: number, switched: Switched): Write =>
  putWrite(table, { PK: partition(organization), ...entryOf(switched) });

/** Inserts an entry of the whole stage. */
const insertStageWrite = (table: Table, switched: Switched): Write =>
  putWrite(table, { PK: STAGE, ...entryOf(switched) });

/** A random suffix keeps two entries of the same millisecond apart. */
const entryOf = ({ at, what, ...how }: Switched) => ({ SK: `${at}#${what}#${newRevision()}`, ...how });

/** All entries of an organization, oldest first. */
export const readAll = async (table: Table, organization: number): Promise<Switched[]> =>
  switchedIn(await queryPartition(table, partition(organization)));

const MOST_SWITCHED = 2_000;

/** The entries since an instant, oldest first. */
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
        ExpressionAttributeValues: {
          ':pk': organization === undefined ? STAGE : partition(organization),
          ':since': since.toISOString(),
        },
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

/** Deletes some entries of a deleted organization. Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
