import { createHash } from 'node:crypto';
import { newId, newSecret, sha256 } from '#core/id.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { epochSeconds, get, storedOf, type Table } from '#core/storage/table.store.ts';
import {
  ABSENT,
  ConditionFailed,
  putItem,
  unchanged,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { ASSISTANT_SCOPES, type Asked, type ConnectionRequest, OAUTH_PATHS } from '#shared/connection.ts';
import { SCOPE_NAMES, type Scope } from '#shared/permissions.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import * as token from './token.ts';

/** A refusal that OAuth has a code for (RFC 6749, 8707). */
const oauthError = (code: string, message: string) =>
  new Refusal('invalid', message, { errors: { error: [code] } });
export const codeOf = ({ errors }: Refusal) => errors?.error?.[0] ?? 'invalid_request';

/** `site`: the address of the stage. `load`: the JSON at an address of the public internet, undefined if there is none. */
type Needs = { site: string; load: (url: string) => Promise<unknown> };

/** What an assistant asks for. Throws 422 if it is not known who asks, or where the answer would go: then nobody is told. */
export async function requested({ site, load }: Needs, asked: Asked): Promise<ConnectionRequest> {
  const { client_id, redirect_uri } = asked;
  const { name, redirect_uris } = await clientOf(load, client_id);
  if (!mayRedirect(redirect_uris, redirect_uri))
    throw invalid('redirect_uri', 'The answer would go to an address that is not one of the assistant.');
  const fault = faultOf(site, asked);
  const wanted = scopesIn(asked.scope);
  return {
    host: hostOf(client_id),
    name,
    redirect_host: LOOPBACK.test(redirect_uri) ? null : hostOf(redirect_uri),
    scopes: SCOPE_NAMES.filter(scope => wanted.includes(scope)),
    problem: fault?.message ?? null,
    cancel: answerTo(site, asked, { error: fault ? codeOf(fault) : 'access_denied' }),
  };
}

/** Without scopes that there are not here, such as `offline_access`. */
const scopesIn = (scope: string | undefined): readonly string[] =>
  scope ? scope.split(' ').filter(one => SCOPE_NAMES.some(name => name === one)) : ASSISTANT_SCOPES;

function faultOf(site: string, asked: Asked): Refusal | undefined {
  const { response_type, code_challenge = '', code_challenge_method, resource, scope } = asked;
  if (response_type !== 'code') return oauthError('unsupported_response_type', 'It must ask for a code.');
  if (code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(code_challenge))
    return oauthError('invalid_request', 'It must prove itself by PKCE with S256.');
  if (isOther(site, resource)) return oauthError('invalid_target', 'It asks for access to something else.');
  const hasScope = scopesIn(scope).length > 0;
  return hasScope ? undefined : oauthError('invalid_scope', 'It asks for no access that there is.');
}

const isOther = (site: string, resource?: string) =>
  resource !== undefined && resource !== site + OAUTH_PATHS.resource;

const UNKNOWN = 'Who asks cannot be checked: the assistant names no document that describes it.';
const LONGEST_NAME = 60;

/** By the document at the address that is its id: https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/ */
async function clientOf(load: Needs['load'], client_id: string) {
  const url = URL.parse(client_id);
  // Only the local stack reaches documents on its machine.
  const isSecure = url?.protocol === 'https:' || LOOPBACK.test(client_id);
  const isPlain =
    url?.href === client_id && url.pathname !== '/' && !url.hash && !url.username && !url.password;
  const document = isSecure && isPlain ? ((await load(client_id)) as Record<string, unknown>) : undefined;
  const { redirect_uris, client_name, token_endpoint_auth_method: method } = document ?? {};
  // A secret would have to be agreed on before.
  if (document?.client_id !== client_id || document.client_secret || /^client_secret/.test(textOf(method)))
    throw invalid('client_id', UNKNOWN);
  const name = textOf(client_name)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return {
    name: name.slice(0, LONGEST_NAME) || null,
    redirect_uris: Array.isArray(redirect_uris) ? redirect_uris.map(textOf) : [],
  };
}

/** What is no text may not be convertible to one. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const hostOf = (url: string) => new URL(url).host;

/** A program on the computer of the user, which has another port each time: https://www.rfc-editor.org/rfc/rfc8252#section-7.3 */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/;
const withoutPort = (uri: string) => uri.replace(LOOPBACK, 'http://$1');

function mayRedirect(registered: string[], uri: string): boolean {
  const url = URL.parse(uri);
  if (!url || uri.includes('#')) return false;
  if (LOOPBACK.test(uri)) return registered.some(one => withoutPort(one) === withoutPort(uri));
  // Schemes of apps are not among them, as some run scripts here.
  return url.protocol === 'https:' && !url.username && !url.password && registered.includes(uri);
}

/** With `iss`, so that an assistant does not take it for the answer of another server (RFC 9207). */
function answerTo(site: string, { redirect_uri, state }: Asked, answer: Record<string, string>): string {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, ...(state && { state }), iss: site }))
    url.searchParams.set(name, value);
  return url.href;
}

type Stored = { table: Table; now: Date };
type Allowed = {
  user_id: string;
  organization: { id: number; name: string };
  scopes: Scope[];
  max_people: number | null;
};
/** What a user allowed. Once its code is used, it has the hash of the token, by which a second use is recognized for a day. */
type Grant = Allowed &
  Pick<Asked, 'client_id' | 'redirect_uri' | 'code_challenge'> & { expires_at: string; token_hash?: string };

const keyOf = (code: string) => ({ PK: `GRANT#${sha256(code)}`, SK: '-' });

/** Makes a code, valid for a minute, and returns the address at which the assistant takes it. */
export async function allow({ table, now, ...needs }: Needs & Stored, asked: Asked, allowed: Allowed) {
  const { scopes, problem } = await requested(needs, asked);
  if (problem) throw new Refusal('invalid', problem);
  if (!allowed.scopes.every(scope => scopes.includes(scope)))
    throw invalid('scopes', 'The assistant does not ask for this');
  const code = newSecret();
  const { client_id, redirect_uri, code_challenge } = asked;
  const expires_at = new Date(now.getTime() + MINUTE).toISOString();
  const grant: Grant = { ...allowed, client_id, redirect_uri, code_challenge, expires_at };
  await putItem(
    table,
    { ...keyOf(code), ...grant, ttl: epochSeconds(new Date(now.getTime() + DAY)) },
    ABSENT,
  );
  return { redirect: answerTo(needs.site, asked, { code }) };
}

const grantOf = async (table: Table, code: string) => storedOf<Grant>(await get(table, keyOf(code)));

type Exchanging = Stored & {
  site: string;
  /** Throws a refusal if the role of a user in an organization lacks a scope. */
  requireScopes: (user: string, organization: number, scopes: Scope[]) => Promise<void>;
  recordedOf: (user: string) => Promise<(change: token.Change) => Write[]>;
};
export type Form = Partial<Record<string, string>>;

/** Exchanges a code for a token. A second use of the code ends the token, as somebody may have stolen it. */
export async function exchange({ table, now, ...needs }: Exchanging, form: Form) {
  const { grant_type, code, client_id, redirect_uri, code_verifier, resource } = form;
  if (grant_type !== 'authorization_code')
    throw oauthError('unsupported_grant_type', 'The grant_type must be authorization_code.');
  if (!code || !client_id || !redirect_uri || !code_verifier)
    throw oauthError('invalid_request', 'Send code, client_id, redirect_uri and code_verifier.');
  const grant = await grantOf(table, code);
  if (grant?.token_hash) throw await usedTwice({ table, ...needs }, grant);
  const isItsOwn =
    grant &&
    grant.expires_at > now.toISOString() &&
    grant.client_id === client_id &&
    grant.redirect_uri === redirect_uri &&
    grant.code_challenge === createHash('sha256').update(code_verifier).digest('base64url');
  if (!isItsOwn) throw invalidGrant();
  if (isOther(needs.site, resource))
    throw oauthError('invalid_target', 'This server has tokens for its own tools alone.');
  const { user_id, organization, scopes, max_people } = grant;
  // A user may connect an assistant several times. The name is part of a path, whose parts are short.
  const name = `${hostOf(client_id).slice(0, LONGEST_NAME)}-${newId(4)}`;
  const redeemWrite = (token_hash: string) =>
    updateWrite(table, keyOf(code), { set: { token_hash } }, unchanged({ ...grant }, ['token_hash']));
  try {
    await needs.requireScopes(user_id, organization.id, scopes);
    const value = await token.create({ table, now, recorded: await needs.recordedOf(user_id) }, user_id, {
      name,
      expiration: null,
      scopes,
      max_people,
      organization_id: organization.id,
      connection: { client_id, organization },
      redeemWrite,
    });
    return { access_token: value, token_type: 'Bearer', scope: scopes.join(' ') };
  } catch (error) {
    if (error instanceof Refusal) throw oauthError('invalid_grant', error.message);
    if (!(error instanceof ConditionFailed)) throw error;
    throw await usedTwice({ table, ...needs }, (await grantOf(table, code)) ?? grant);
  }
}

const invalidGrant = () => oauthError('invalid_grant', 'This code is not valid.');

type Ending = Pick<Exchanging, 'table' | 'recordedOf'>;

async function usedTwice(needs: Ending, { token_hash = '', client_id }: Grant): Promise<Refusal> {
  await token.endConnection(needs, token_hash, client_id);
  return invalidGrant();
}

/** Ends a token for the assistant that has it. Any other one changes nothing: https://www.rfc-editor.org/rfc/rfc7009#section-2.2 */
export async function revoke(needs: Ending, { token: value, client_id }: Form): Promise<void> {
  if (!value || !client_id) throw oauthError('invalid_request', 'Send token and client_id.');
  await token.endConnection(needs, sha256(value), client_id);
}
