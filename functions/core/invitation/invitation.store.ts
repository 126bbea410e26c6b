import type { AssignableRole } from '../../../shared/organization.ts';
import { sha256 } from '../secret.ts';
import {
  ABSENT,
  commit,
  epochSeconds,
  get,
  getAll,
  list,
  page,
  put,
  remove,
  type Table,
  update,
  type Write,
} from '../table.store.ts';

export type Status = 'pending' | 'accepted' | 'rejected' | 'cancelled';
export type StoredInvitation = {
  /** Made of organization and address: there is one invitation of an address at a time. */
  id: string;
  organization_id: number;
  email: string;
  role: AssignableRole;
  invited_by: string;
  status: Status;
  /** Of the secret in its mail; inviting again makes a new one, and the old link ends. */
  secret_hash: string;
  /** When its mails went out lately. */
  mailed: string[];
  created_at: string;
  expires_at: string;
};

export const idOf = (organization: number, email: string) => sha256(`${organization} ${email}`).slice(0, 32);

const partition = (organization: number) => `ORG#${organization}`;
export const key = (organization: number, id: string) => ({
  PK: partition(organization),
  SK: `INVITE#${id}`,
});
const addressKey = (email: string, id: string) => ({ PK: `EMAIL#${email}`, SK: `INVITE#${id}` });
const secretKey = (hash: string) => ({ PK: `INVITE#${hash}`, SK: '-' });

// What has become of an invitation can be told for a month after it ended.
const KEPT_DAYS = 30;
const keptUntil = ({ expires_at }: StoredInvitation) =>
  epochSeconds(new Date(new Date(expires_at).getTime() + KEPT_DAYS * 24 * 60 * 60 * 1000));

/** In the place of the invitation that was read before, if there was one: of two who invite at once, one fails. */
export const sending = (
  table: Table,
  invitation: StoredInvitation,
  before: StoredInvitation | undefined,
): Write[] => {
  const { id, organization_id, email, secret_hash, expires_at } = invitation;
  const ttl = keptUntil(invitation);
  return [
    put(
      table,
      { ...key(organization_id, id), ...invitation, ttl },
      before ? { condition: 'secret_hash = :before', values: { ':before': before.secret_hash } } : ABSENT,
    ),
    put(table, { ...addressKey(email, id), organization_id, expires_at, ttl }),
    put(table, { ...secretKey(secret_hash), organization_id, invitation_id: id, ttl }, ABSENT),
  ];
};

export async function read(
  table: Table,
  organization: number,
  id: string,
): Promise<StoredInvitation | undefined> {
  return (await get(table, key(organization, id))) as StoredInvitation | undefined;
}

/** By the secret of its mail; a superseded secret finds nothing. */
export async function bySecret(table: Table, secret: string): Promise<StoredInvitation | undefined> {
  const hash = sha256(secret);
  const pointer = await get(table, secretKey(hash));
  if (!pointer) return undefined;
  const invitation = await read(table, pointer.organization_id as number, pointer.invitation_id as string);
  return invitation?.secret_hash === hash ? invitation : undefined;
}

/** By its id, for whoever holds the invited address. */
export async function byAddress(
  table: Table,
  email: string,
  id: string,
): Promise<StoredInvitation | undefined> {
  const pointer = await get(table, addressKey(email, id));
  return pointer && read(table, pointer.organization_id as number, id);
}

export async function ofAddress(table: Table, email: string): Promise<StoredInvitation[]> {
  const pointers = await list(table, `EMAIL#${email}`, 'INVITE#');
  const keys = pointers.map(({ organization_id, SK }) => ({
    PK: partition(organization_id as number),
    SK: SK as string,
  }));
  return (await getAll(table, keys)) as StoredInvitation[];
}

export async function ofOrganization(table: Table, organization: number): Promise<StoredInvitation[]> {
  return (await list(table, partition(organization), 'INVITE#')) as StoredInvitation[];
}

/** Ends it: only a pending one of this very sending can be ended, and by one caller. */
export const ending = (
  table: Table,
  invitation: StoredInvitation,
  status: Exclude<Status, 'pending'>,
): Write[] => [
  update(
    table,
    key(invitation.organization_id, invitation.id),
    'SET #status = :status',
    { ':status': status },
    {
      condition: '#status = :pending AND secret_hash = :hash',
      values: { ':pending': 'pending', ':hash': invitation.secret_hash },
      names: { '#status': 'status' },
    },
  ),
  remove(table, addressKey(invitation.email, invitation.id)),
];

/** A part of what is left of a deleted organization's invitations, and whether there may be more. */
export async function erase(table: Table, organization: number): Promise<boolean> {
  const found = await page(table, partition(organization), 'INVITE#');
  for (const { id, email, secret_hash } of found.items as StoredInvitation[]) {
    await commit(table, [
      remove(table, key(organization, id)),
      remove(table, addressKey(email, id)),
      remove(table, secretKey(secret_hash)),
    ]);
  }
  return found.more;
}
