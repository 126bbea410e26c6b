import { sha256 } from '#core/id.ts';
import {
  epochSeconds,
  get,
  getStored,
  type Item,
  query,
  queryPage,
  storedOf,
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
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import type { AssignableRole } from '#shared/organization.ts';
import { DAY } from '#shared/time.ts';

export type Status = 'pending' | 'accepted' | 'rejected' | 'cancelled';
export type StoredInvitation = {
  /** A hash of organization and address: an address has one invitation at a time. */
  id: string;
  organization_id: number;
  email: string;
  role: AssignableRole;
  invited_by: string;
  status: Status;
  /** The hash of the secret in its mail. Inviting again replaces the secret, so that the link before is no longer valid. */
  secret_hash: string;
  created_at: string;
  expires_at: string;
};

export const idOf = (organization: number, email: string) => sha256(`${organization} ${email}`).slice(0, 32);

const partition = (organization: number) => `ORG#${organization}`;
export const key = (organization: number, id: string) => ({
  PK: partition(organization),
  SK: `INVITE#${id}`,
});
/** The ids of an organization's pending invitations, so that these can be counted and listed without reading ended ones. */
const pendingKey = (organization: number) => ({ PK: partition(organization), SK: 'INVITATIONS' });
const addressKey = (email: string, id: string) => ({ PK: `EMAIL#${email}`, SK: `INVITE#${id}` });
const secretKey = (hash: string) => ({ PK: `INVITE#${hash}`, SK: '-' });

// For a month after an invitation has expired, its link still says so.
const KEPT_DAYS = 30;
const keptUntil = ({ expires_at }: StoredInvitation) =>
  epochSeconds(new Date(new Date(expires_at).getTime() + KEPT_DAYS * DAY));

/** `place` fails if `most` invitations are pending, `invitation` if another request has invited this address. */
export const sendWrites = (
  table: Table,
  invitation: StoredInvitation,
  before: StoredInvitation | undefined,
  most: number,
) => {
  const { id, organization_id, email, secret_hash, expires_at } = invitation;
  const ttl = keptUntil(invitation);
  return {
    invitation: putWrite(
      table,
      { ...key(organization_id, id), ...invitation, ttl },
      unchanged(before, ['secret_hash']),
    ),
    ofAddress: putWrite(table, { ...addressKey(email, id), organization_id, expires_at, ttl }),
    secret: putWrite(table, { ...secretKey(secret_hash), organization_id, invitation_id: id, ttl }, ABSENT),
    place: updateWrite(
      table,
      pendingKey(organization_id),
      { add: { ids: new Set([id]) } },
      {
        condition: 'attribute_not_exists(ids) OR contains(ids, :id) OR size(ids) < :most',
        values: { ':id': id, ':most': most },
      },
    ),
    ...(before && { secretBefore: deleteWrite(table, secretKey(before.secret_hash)) }),
  };
};

export const foundIn = (items: Item[], id: string) =>
  storedOf<StoredInvitation>(items.find(({ SK }) => SK === `INVITE#${id}`));

export const read = async (table: Table, organization: number, id: string) =>
  storedOf<StoredInvitation>(await get(table, key(organization, id)));

/** Finds an invitation by the secret of its mail. A replaced secret finds nothing. */
export async function bySecret(table: Table, secret: string): Promise<StoredInvitation | undefined> {
  const hash = sha256(secret);
  const pointer = await get(table, secretKey(hash));
  if (!pointer) return undefined;
  const invitation = await read(table, pointer.organization_id as number, pointer.invitation_id as string);
  return invitation?.secret_hash === hash ? invitation : undefined;
}

export async function byAddress(
  table: Table,
  email: string,
  id: string,
): Promise<StoredInvitation | undefined> {
  const pointer = await get(table, addressKey(email, id));
  return pointer && read(table, pointer.organization_id as number, id);
}

const MOST_OF_ADDRESS = 100;

/** At most a hundred. The others follow when some have expired or are answered. */
export async function ofAddress(table: Table, email: string, now: Date): Promise<StoredInvitation[]> {
  const pointers = await unexpired(table, email, now, MOST_OF_ADDRESS);
  const keys = pointers
    .slice(0, MOST_OF_ADDRESS)
    .map(({ organization_id, SK }) => ({ PK: partition(organization_id as number), SK: SK as string }));
  return getStored(table, keys);
}

export const isInvited = async (table: Table, email: string, now: Date): Promise<boolean> =>
  (await unexpired(table, email, now, 1)).length > 0;

/** At least `enough`, if there are so many: expired ones exist until DynamoDB deletes them. */
function unexpired(table: Table, email: string, now: Date, enough: number): Promise<Item[]> {
  const question = {
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
    FilterExpression: 'expires_at > :now',
    ExpressionAttributeValues: { ':pk': `EMAIL#${email}`, ':prefix': 'INVITE#', ':now': now.toISOString() },
    ConsistentRead: true,
    Limit: MOST_OF_ADDRESS,
  };
  return query(table, question, { enough: found => found.length >= enough });
}

/** An id is kept until its invitation is answered or cancelled, so some may have expired. */
export async function readPending(
  table: Table,
  organization: number,
): Promise<Map<string, StoredInvitation | undefined>> {
  const ids = [...(((await get(table, pendingKey(organization)))?.ids as Set<string> | undefined) ?? [])];
  const keys = ids.map(id => key(organization, id));
  const invitations = await getStored<StoredInvitation>(table, keys);
  return new Map(ids.map(id => [id, invitations.find(invitation => invitation.id === id)]));
}

// A transaction of DynamoDB has at most 100 writes.
const MOST_REMOVED = 50;

/** Removes the ids of some expired invitations. Fails with a conflict if one was sent again since it was read. */
export const removePending = (
  table: Table,
  organization: number,
  expired: [id: string, invitation: StoredInvitation | undefined][],
) => {
  const some = expired.slice(0, MOST_REMOVED);
  const ids = some.map(([id]) => id);
  return commit(table, [
    notPendingWrite(table, organization, ids),
    ...some.map(([id, invitation]) =>
      conditionCheck(table, key(organization, id), unchanged(invitation, ['secret_hash'])),
    ),
  ]);
};

const notPendingWrite = (table: Table, organization: number, ids: string[]): Write =>
  updateWrite(table, pendingKey(organization), { subtract: { ids: new Set(ids) } }, PRESENT);

/** The writes that end an invitation. They fail if it is not pending any more, or was sent again since it was read. */
export const endWrites = (
  table: Table,
  { organization_id, id, email, secret_hash }: StoredInvitation,
  status: Exclude<Status, 'pending'>,
): Write[] => [
  updateWrite(
    table,
    key(organization_id, id),
    { set: { status } },
    unchanged({ status: 'pending', secret_hash }, ['status', 'secret_hash']),
  ),
  deleteWrite(table, addressKey(email, id)),
  notPendingWrite(table, organization_id, [id]),
];

export async function purgeSome(table: Table, organization: number): Promise<boolean> {
  const found = await queryPage(table, partition(organization), 'INVITE#');
  for (const { id, email, secret_hash } of found.items as StoredInvitation[]) {
    await commit(table, [
      deleteWrite(table, key(organization, id)),
      deleteWrite(table, addressKey(email, id)),
      deleteWrite(table, secretKey(secret_hash)),
    ]);
  }
  return found.more;
}

/** Deletes the item with the pending ids, after all invitations are deleted: answering one of them updates it. */
export const pendingDeleteWrite = (table: Table, organization: number): Write =>
  deleteWrite(table, pendingKey(organization));
