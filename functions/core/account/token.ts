import { newSecret, sha256 } from '#core/id.ts';
import { chunksOf } from '#core/parallel.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import {
  ConditionFailed,
  commit,
  conditionsHeld,
  optimistically,
  type Write,
} from '#core/storage/write.store.ts';
import type { Scope } from '#shared/permissions.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import { type ApiToken, LEGACY, TOKEN_NAME_TAKEN, TOKEN_PREFIX, type TokenScope } from '#shared/token.ts';
import * as store from './token.store.ts';

/** In the organization in which it was created; in the default one of its user, if it is not known. */
export type Change = {
  organization: number | undefined;
  from?: object;
  to?: object;
  object: { name: string };
};
/** `recorded`: the writes that note a change of tokens. */
type Recording = { table: Table; recorded?: (change: Change) => Write[] };
type Needs = Recording & { now: Date };

const unrecorded = () => [];

const MOST_TOKENS = 100;

type NewToken = {
  name: string;
  expiration: number | null;
  scopes?: Scope[] | undefined;
  max_people?: number | null;
  organization_id?: number | undefined;
  connection?: store.Connection;
  /** Of the transaction too, with the hash of the token: it throws if the condition of this write fails. */
  redeemWrite?: (hash: string) => Write;
};

/** Creates a token and returns its value. Only the hash of the value is stored. */
export async function create(
  { table, now, recorded = unrecorded }: Needs,
  owner: string,
  { name, expiration, scopes, max_people, organization_id, connection, redeemWrite }: NewToken,
): Promise<string> {
  await deleteExpired({ table, now }, owner, name);
  const value = TOKEN_PREFIX + newSecret();
  const token = {
    hash: sha256(value),
    user_id: owner,
    name,
    scopes,
    max_people: max_people ?? undefined,
    organization_id,
    connection,
    created_at: now.toISOString(),
    expires_at: expiration === null ? undefined : new Date(now.getTime() + expiration * DAY).toISOString(),
  };
  const notes = recorded({
    organization: organization_id,
    object: { name },
    to: { scopes: scopesOf(token), max_people, expiration },
  });
  while (!(await insert(table, token, notes, redeemWrite?.(token.hash)))) {
    if (await makeRoom({ table, now }, owner)) continue;
    throw new Refusal(
      'conflict',
      `You can have at most ${MOST_TOKENS} API tokens. Delete one that you do not use.`,
    );
  }
  return value;
}

/** Inserts a token. Returns false if its owner has as many as they may have. */
async function insert(table: Table, token: store.StoredToken, notes: Write[], redeem?: Write) {
  const writes = store.createWrites(table, token, MOST_TOKENS);
  try {
    await commit(table, [...Object.values(writes), ...notes, ...(redeem ? [redeem] : [])]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed) || error.isOf(redeem)) throw error;
    if (error.isOf(writes.name)) throw invalid('name', TOKEN_NAME_TAKEN);
    return false;
  }
}

/** Deletes the expired tokens of a user. Returns false if the user has as many as they may have, and none is expired. */
async function makeRoom({ table, now }: Needs, owner: string): Promise<boolean> {
  const names = await store.readNames(table, owner);
  const expired = names.filter(({ token }) => !token || isExpired(token, now));
  if (expired.length > 0) await conditionsHeld(store.end(table, owner, expired.slice(0, store.MOST_ENDED)));
  return expired.length > 0 || names.length < MOST_TOKENS;
}

// DynamoDB deletes expired items late, and the two items of a token at different times: until then, the name would be
// taken.
async function deleteExpired({ table, now }: Needs, owner: string, name: string): Promise<void> {
  const hash = (await store.find(table, owner, name))?.hash;
  if (!hash) return;
  const token = await store.read(table, hash);
  if (!token || isExpired(token, now)) await conditionsHeld(store.end(table, owner, [{ name, hash }]));
}

const isExpired = ({ expires_at }: store.StoredToken, now: Date) =>
  expires_at !== undefined && new Date(expires_at) <= now;

/** Expired ones are listed until DynamoDB deletes them, so that their owner sees why a call failed. */
export async function listOf({ table }: { table: Table }, owner: string): Promise<ApiToken[]> {
  return (await store.ofUser(table, owner))
    .map(token => ({
      id: token.name,
      name: token.name,
      display_name: token.connection ? new URL(token.connection.client_id).host : token.name,
      connected_in: token.connection?.organization.name ?? null,
      scopes: scopesOf(token),
      max_people: token.max_people ?? null,
      created_at: token.created_at,
      expires_at: token.expires_at ?? null,
      last_used_at: token.last_used_at ?? null,
    }))
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || a.name.localeCompare(b.name));
}

/** Throws 403 if a token lacks a scope. */
export function requireScope(scopes: TokenScope[], scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new Refusal(
    'forbidden',
    `This API token lacks the scope ${scope}. Create one with it on the profile page.`,
  );
}

const scopesOf = ({ scopes = [LEGACY] }: { scopes?: TokenScope[] | undefined }): TokenScope[] => scopes;

export type Program = { user: string; scopes: TokenScope[] } & Pick<
  store.StoredToken,
  'max_people' | 'connection'
>;

export async function authenticate({ table, now }: Needs, value: string): Promise<Program | undefined> {
  const token = await store.read(table, sha256(value));
  if (!token || isExpired(token, now)) return undefined;
  const minuteAgo = new Date(now.getTime() - MINUTE).toISOString();
  if (!token.last_used_at || token.last_used_at <= minuteAgo) {
    await store.markUsed(table, token.hash, now.toISOString(), minuteAgo);
  }
  const { user_id: user, max_people, connection } = token;
  return { user, scopes: scopesOf(token), max_people, connection };
}

export async function remove(
  { table, recorded = unrecorded }: Recording,
  owner: string,
  name: string,
): Promise<void> {
  const { hash, organization_id: organization } = (await store.find(table, owner, name)) ?? {};
  const notes = recorded({ organization, object: { name }, from: {} });
  if (!hash || !(await conditionsHeld(store.end(table, owner, [{ name, hash }], notes)))) {
    throw new Refusal('not-found', 'This token does not exist any more.');
  }
}

/** Ends the token of an assistant. It is no error if there is none. */
export async function endConnection(
  { table, recordedOf }: { table: Table; recordedOf: (user: string) => Promise<(change: Change) => Write[]> },
  hash: string,
  client_id: string,
): Promise<void> {
  const found = await store.read(table, hash);
  if (!found || found.connection?.client_id !== client_id) return;
  const { user_id, name, organization_id: organization } = found;
  const recorded = await recordedOf(user_id);
  const notes = recorded({ organization, object: { name }, from: {} });
  await conditionsHeld(store.end(table, user_id, [{ name, hash }], notes));
}

export async function removeAll({ table, recorded = unrecorded }: Recording, owner: string): Promise<void> {
  await optimistically({
    read: () => store.listed(table, owner),
    write: async tokens => {
      const byOrganization = Map.groupBy(tokens, token => token.organization_id);
      const parts = [...byOrganization].flatMap(([organization, all]) =>
        chunksOf(all, store.MOST_ENDED).map(some => ({ organization, some })),
      );
      for (const { organization, some } of parts) {
        const name = some.map(token => token.name).join(', ');
        const notes = recorded({ organization, object: { name }, from: {} });
        if (!(await conditionsHeld(store.end(table, owner, some, notes)))) return undefined;
      }
      return true;
    },
    conflict: 'Another change of your tokens is under way. Please try again.',
  });
}
