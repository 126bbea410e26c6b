import { createHash } from 'node:crypto';

export type RecipientKey = { organization: number; hash: string };

// 128 bits: no two addresses of an organization ever share one.
export const HASH_BYTES = 16;
export const hashOf = (email: string) =>
  createHash('sha256').update(email).digest().subarray(0, HASH_BYTES).toString('base64url');

const HASH = /^[\w-]{22}$/;

export const keyOf = (organization: number, email: string): RecipientKey => ({
  organization,
  hash: hashOf(email),
});

/** Sort keys. The journal follows them. */
export const HEAD = 'HEAD';
export const MEMBERSHIP = 'IN#';
/** After the journal, so that no read of memberships or claims meets them. */
export const ONCE = 'KEY#';

export const partitionOf = ({ organization, hash }: RecipientKey) => `R#${organization}#${hash}`;

export type ClaimKey = { hash: string; seq: number };

/** No lookup item is needed; it means nothing in another organization. */
export const claimId = ({ hash, seq }: ClaimKey) => `${hash}-${seq}`;

const CLAIM_ID = /^([\w-]{22})-([1-9]\d{0,9})$/;

export function readClaimId(id: string): ClaimKey | undefined {
  const [, hash, seq] = CLAIM_ID.exec(id) ?? [];
  return hash === undefined ? undefined : { hash, seq: Number(seq) };
}

/** What an email is called by in the provider's events. */
export const sendId = ({ organization, hash }: RecipientKey, seq: number) =>
  `${organization}-${claimId({ hash, seq })}`;

const SEND_ID = /^([1-9]\d{0,14})-(.+)$/;

export function readSendId(id: string): { key: RecipientKey; seq: number } | undefined {
  const [, organization, claim = ''] = SEND_ID.exec(id) ?? [];
  const named = readClaimId(claim);
  return named && { key: { organization: Number(organization), hash: named.hash }, seq: named.seq };
}

export function keyIn(PK: string): RecipientKey {
  const [, organization, hash = ''] = PK.split('#');
  return { organization: Number(organization), hash };
}

/** No lookup item is needed; it means nothing in another organization. */
export const memberId = (listId: string, hash: string) => `${listId}-${hash}`;

export function readMemberId(id: string): { listId: string; hash: string } | undefined {
  const at = id.indexOf('-');
  const hash = id.slice(at + 1);
  return at > 0 && HASH.test(hash) ? { listId: id.slice(0, at), hash } : undefined;
}

/** Partitions of GSI1: members of a list and people of an organization by address, those who left a list by hash. */
export const membersIndex = (listId: string) => `LIST#${listId}`;
export const leftIndex = (listId: string) => `LEFT#${listId}`;
export const peopleIndex = (organization: number) => `ORG#${organization}`;
