import * as session from '#core/account/session.ts';
import * as token from '#core/account/token.ts';
import * as user from '#core/account/user.ts';
import * as organization from '#core/organization/organization.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Key } from '#core/storage/table.store.ts';
import { type Action, may } from '#shared/permissions.ts';
import type { Means } from '#shared/record.ts';
import { type Route, scopeOf } from '#shared/route.ts';
import { LEGACY, type TokenScope } from '#shared/token.ts';
import { table } from '../platform/table.ts';
import type { Event } from './request.ts';

export type Caller = {
  user?: string;
  by?: Means;
  session?: session.Session;
  scopes?: TokenScope[];
  /** Of the token, if it limits whom its plans reach. */
  max_people?: number | undefined;
  /** Of an assistant, which acts in one organization alone. */
  connection?: token.Program['connection'];
};

export async function bySession({ permission }: Route, event: Event, now: Date): Promise<Caller> {
  if (permission === 'public') return {};
  if (permission === 'guest' && !event.headers.authorization) return {};
  const secret = secretOf(event);
  const found = secret && (await session.authenticate({ table, now }, secret));
  if (found) return { user: found.user_id, by: 'app', session: found };
  throw new Refusal('unauthenticated', 'Please sign in.');
}

/** Throws 403 if the token lacks the scope, or if it is that of an assistant and the call is none of its tools. */
export async function byToken(route: Route, event: Event, now: Date): Promise<Caller> {
  const secret = secretOf(event);
  const program = secret && (await token.authenticate({ table, now }, secret));
  if (!program) throw new Refusal('unauthenticated', 'This API token is not valid.');
  const scope = scopeOf(route);
  const isLegacy = route.legacy && program.scopes.includes(LEGACY);
  if (scope !== 'any' && !isLegacy) token.requireScope(program.scopes, scope);
  if (program.connection && !route.mcp && scope !== 'any')
    throw new Refusal('forbidden', 'An assistant has its tools alone, and changes things by plans.');
  const isAgent = event.headers['x-letterflow-agent'] || program.connection;
  return { ...program, by: isAgent ? 'agent' : 'token' };
}

const secretOf = ({ headers }: Event) => /^Bearer ([\w-]{1,100})$/i.exec(headers.authorization ?? '')?.[1];

type Switching = { active?: boolean; include_existing?: boolean; steps?: { active?: boolean }[] };

/** Throws 403 if a body switches sending on or off, or mails existing people, and the token may not do that. */
export function requireSwitch({ switches, status }: Route, scopes: TokenScope[], body: unknown): void {
  if (!switches) return;
  const { active, include_existing, steps = [] } = body as Switching;
  const isSwitch =
    status === 201
      ? active === true
      : [active, ...steps.map(step => step.active)].some(one => one !== undefined);
  if (isSwitch || include_existing) token.requireScope(scopes, 'sending');
}

type KeysIn = (organization: number) => Key[];
type Access = { active?: organization.Active; items: Item[] };

/** A personal call, which has no organization. Throws 403 if the caller has not accepted the terms. */
export async function authorizeUser(
  { permission, beforeTerms }: Route,
  event: Event,
  { user: userId }: Caller,
): Promise<Access> {
  if (userId === undefined) return { items: [] };
  organizationOfHeader(event);
  if (permission === 'session' && !beforeTerms) user.requireTerms(await user.find({ table }, userId));
  return { items: [] };
}

/** Throws 404 or 403 if the caller is not a member, lacks the right, or has not accepted the terms. */
export async function authorize(route: Route, event: Event, caller: Caller, keysIn: KeysIn): Promise<Access> {
  const { permission } = route;
  const { user: userId, connection } = caller;
  if (userId === undefined || permission === 'public' || permission === 'guest' || permission === 'session')
    return authorizeUser(route, event, caller);
  const named = organizationOfHeader(event) ?? connection?.organization.id;
  const readIn = (id: number) =>
    organization.activeWith({ table }, userId, id, [user.profileKey(userId), ...keysIn(id)]);
  const found = await organizationOf(event, userId, named, readIn);
  if (connection && found.active.organization.id !== connection.organization.id)
    throw new Refusal('forbidden', 'This assistant was connected in another organization.');
  user.requireTerms(user.foundIn(found.items, userId));
  requireRight(found.active, permission);
  return found;
}

/** The organization of the path, or of the header, or the caller's default one. */
async function organizationOf(
  event: Event,
  userId: string,
  named: number | undefined,
  readIn: (id: number) => Promise<Required<Access> | undefined>,
): Promise<Required<Access>> {
  const inPath = event.pathParameters?.organization;
  if (named !== undefined) {
    const ofHeader = await readIn(named);
    if (!ofHeader) throw organization.notAMember();
    if (inPath === undefined || inPath === String(named)) return ofHeader;
  }
  const id = inPath === undefined ? await organization.defaultOf({ table }, userId) : idOf(inPath);
  const found = id === undefined ? undefined : await readIn(id);
  if (found) return found;
  throw new Refusal('not-found', 'This organization does not exist, or you are not a member of it.');
}

export function organizationOfHeader({ headers }: Event): number | undefined {
  const header = headers['x-active-organization'];
  if (header === undefined || header === '') return undefined;
  const id = idOf(header);
  if (id !== undefined) return id;
  throw invalid('X-Active-Organization', 'X-Active-Organization must be the number of an organization.');
}

const idOf = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

function requireRight({ membership }: organization.Active, action: Action): void {
  if (may(membership.role, action)) return;
  throw new Refusal('forbidden', 'Your role does not allow this. Please contact an admin or owner.');
}
