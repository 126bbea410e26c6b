import { beforeAll, describe, expect, it } from 'vitest';
import { type Action, may } from '../../shared/permissions.ts';
import type { Route } from '../../shared/route.ts';
import { type RouteKey, routes } from '../../shared/routes.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { call, signIn } = stack;

type Probe = { params?: Record<string, string>; body?: unknown; allowed: number };

const nobody = '00000000-0000-0000-0000-000000000000';
const nothing = '0'.repeat(64);
const noList = { list: '0'.repeat(12) };
const noMember = { listMember: `${'0'.repeat(12)}-${'0'.repeat(22)}` };

/** A call of each route that changes nothing, and what it answers to whom it is allowed. */
const PROBES: Record<RouteKey, Probe> = {
  'POST /api/login/request': { body: {}, allowed: 422 },
  'POST /api/login/verify': { body: {}, allowed: 422 },
  'POST /api/logout': { allowed: 204 },
  'GET /api/user': { allowed: 200 },
  'POST /api/user/accept-terms': { allowed: 200 },
  'GET /api/user/sessions': { allowed: 200 },
  'DELETE /api/user/sessions': { allowed: 204 },
  'DELETE /api/user/sessions/{id}': { params: { id: nothing }, allowed: 404 },
  'GET /api/organizations': { allowed: 200 },
  'POST /api/organizations': { body: {}, allowed: 422 },
  'PUT /api/organizations/{organization}': { body: {}, allowed: 200 },
  'DELETE /api/organizations/{organization}': { allowed: 204 },
  'PUT /api/organizations/{organization}/logo': { body: {}, allowed: 422 },
  'GET /api/organizations/{organization}/members': { allowed: 200 },
  'POST /api/organizations/{organization}/members': { body: {}, allowed: 422 },
  'PUT /api/organizations/{organization}/members/{member}': {
    params: { member: nobody },
    body: {},
    allowed: 404,
  },
  'DELETE /api/organizations/{organization}/members/{member}': { params: { member: nobody }, allowed: 404 },
  'DELETE /api/organizations/{organization}/invitations/{invitation}': {
    params: { invitation: nothing },
    allowed: 404,
  },
  'GET /api/user/invitations': { allowed: 200 },
  'GET /api/invitations/validate/{token}': { params: { token: nothing }, allowed: 200 },
  'POST /api/invitations/accept/{token}': { params: { token: nothing }, allowed: 404 },
  'POST /api/invitations/reject/{token}': { params: { token: nothing }, allowed: 404 },
  'GET /api/tokens': { allowed: 200 },
  'POST /api/tokens': { body: {}, allowed: 422 },
  'DELETE /api/tokens': { allowed: 204 },
  'DELETE /api/tokens/{id}': { params: { id: 'nothing' }, allowed: 404 },
  'GET /api/email-lists': { allowed: 200 },
  'POST /api/email-lists': { body: {}, allowed: 422 },
  'GET /api/email-lists/{list}': { params: noList, allowed: 404 },
  'PUT /api/email-lists/{list}': { params: noList, body: {}, allowed: 404 },
  'DELETE /api/email-lists/{list}': { params: noList, allowed: 404 },
  'PUT /api/email-lists/{list}/logo': { params: noList, body: {}, allowed: 404 },
  'PUT /api/email-lists/{list}/mailgun-key': { params: noList, body: {}, allowed: 404 },
  'POST /api/email-lists/{list}/test-mailgun-connection': { params: noList, allowed: 404 },
  'GET /api/email-lists/{list}/datetime-metadata-columns': { params: noList, allowed: 404 },
  'GET /api/email-lists/{list}/members': { params: noList, allowed: 404 },
  'POST /api/list-members': { body: {}, allowed: 422 },
  'GET /api/list-members/{listMember}': { params: noMember, allowed: 404 },
  'PUT /api/list-members/{listMember}': { params: noMember, body: {}, allowed: 404 },
  'DELETE /api/list-members/{listMember}': { params: noMember, allowed: 404 },
  'GET /api/list-member-actions': { allowed: 422 },
  'POST /api/v1/email-lists/{list}/members': { params: noList, body: {}, allowed: 404 },
  'GET /api/v1/email-lists': { allowed: 200 },
  'GET /api/openapi.json': { allowed: 200 },
};

const table = Object.entries(routes) as [RouteKey, Route][];
const isAction = (permission: Route['permission']): permission is Action =>
  !['public', 'guest', 'session'].includes(permission);
const pathNamesOrganization = (key: RouteKey) => key.includes('{organization}');

type Person = { email: string; session: string; apiToken: string; home: number };

async function newPerson(): Promise<Person> {
  const email = `person${Math.random().toString(36).slice(2)}@example.com`;
  const { token: session } = await signIn(email);
  const [own] = (await call('GET /api/organizations', { token: session })).body;
  return { email, session, apiToken: await newApiToken(session), home: own.id };
}

let tokens = 0;
async function newApiToken(session: string, expiration: number | null = null): Promise<string> {
  const { body } = await call('POST /api/tokens', {
    token: session,
    body: { name: `t${++tokens}`, expiration },
  });
  return body.token;
}

async function newOrganization(owner: Person): Promise<number> {
  return (await call('POST /api/organizations', { token: owner.session, body: { name: 'Depot' } })).body.id;
}

async function join(person: Person, organization: number, owner: Person, role: 'USER' | 'ADMIN') {
  const params = { organization: String(organization) };
  const { body } = await call('POST /api/organizations/{organization}/members', {
    token: owner.session,
    params,
    body: { email: person.email, role },
  });
  await call('POST /api/invitations/accept/{token}', {
    token: person.session,
    params: { token: body.token },
  });
}

let owner: Person;
let member: Person;
let removed: Person;
let stranger: Person;
let depot: number;
let deleted: number;
let idOf: (person: Person) => Promise<string>;

beforeAll(async () => {
  [owner, member, removed, stranger] = (await Promise.all([1, 2, 3, 4].map(newPerson))) as [
    Person,
    Person,
    Person,
    Person,
  ];
  idOf = async person => (await call('GET /api/user', { token: person.session })).body.id;
  depot = await newOrganization(owner);
  await join(member, depot, owner, 'USER');
  await join(removed, depot, owner, 'USER');
  const params = { organization: String(depot), member: await idOf(removed) };
  await call('DELETE /api/organizations/{organization}/members/{member}', { token: owner.session, params });
  deleted = await newOrganization(owner);
  await call('DELETE /api/organizations/{organization}', {
    token: owner.session,
    params: { organization: String(deleted) },
  });
});

const credentialOf = (route: Route, person: Person) =>
  route.credential === 'token' ? person.apiToken : person.session;

/** One call of a route by somebody, for an organization that its path or its header names. */
function probe(key: RouteKey, credential: string | undefined, organization: number, headerOnly = false) {
  const { params, body } = PROBES[key];
  return call(key, {
    ...(credential !== undefined && { token: credential }),
    ...((headerOnly || !pathNamesOrganization(key)) && { organization }),
    params: { organization: String(organization), ...params },
    ...(body !== undefined && { body }),
  });
}

/** Calls that end the credential of their caller. */
const ENDING: RouteKey[] = ['POST /api/logout', 'DELETE /api/tokens'];

describe.each(table)('%s', (key, route) => {
  const { permission, credential } = route;
  const insteadOf = async (person: Person) => (ENDING.includes(key) ? newPerson() : person);
  const { allowed } = PROBES[key];
  const isPublic = permission === 'public';
  /** About no organization: a stale id in the header is ignored. */
  const isPersonal = !isAction(permission);
  /** The same where the organization stands in the header, or in the path. */
  const elsewhere = () => (pathNamesOrganization(key) ? 404 : isPersonal ? allowed : 403);

  it('answers whoever has the right', async () => {
    const ending = ENDING.includes(key);
    const caller = ending ? await newPerson() : owner;
    const organization = ending
      ? caller.home
      : key.startsWith('DELETE') && permission === 'organization:delete'
        ? await newOrganization(owner)
        : depot;
    expect((await probe(key, credentialOf(route, caller), organization)).status).toBe(allowed);
  });

  it('answers without a session', async () => {
    const open = isPublic || permission === 'guest';
    const { params, body } = PROBES[key];
    const answer = await call(key, {
      params: { organization: String(depot), ...params },
      ...(body !== undefined && { body }),
    });
    expect(answer.status).toBe(open ? allowed : 401);
  });

  it("answers with another organization's header", async () => {
    const answer = await probe(key, credentialOf(route, await insteadOf(stranger)), depot, true);
    expect(answer.status).toBe(isPersonal ? allowed : 403);
  });

  it("answers with another organization's id", async () => {
    expect((await probe(key, credentialOf(route, await insteadOf(stranger)), depot)).status).toBe(
      elsewhere(),
    );
  });

  it('answers somebody with the role USER', async () => {
    const refused = isAction(permission) && !may('USER', permission);
    const caller = await insteadOf(member);
    const organization = caller === member ? depot : caller.home;
    const answer = await probe(key, credentialOf(route, caller), organization);
    expect(answer.status).toBe(refused ? 403 : allowed);
  });

  it('answers a removed member', async () => {
    expect((await probe(key, credentialOf(route, await insteadOf(removed)), depot)).status).toBe(elsewhere());
  });

  it('answers the owner of a deleted organization', async () => {
    expect((await probe(key, credentialOf(route, await insteadOf(owner)), deleted)).status).toBe(elsewhere());
  });

  it('answers an API token in the place of a session, and the other way round', async () => {
    const answer = await probe(key, credential === 'token' ? owner.session : owner.apiToken, depot);
    expect(answer.status).toBe(isPublic ? allowed : 401);
  });

  if (credential === 'token') {
    it('refuses a token that was deleted or has expired', async () => {
      const revoked = await newApiToken(owner.session);
      const id = `t${tokens}`;
      expect((await probe(key, revoked, depot)).status).toBe(allowed);
      await call('DELETE /api/tokens/{id}', { token: owner.session, params: { id } });
      expect((await probe(key, revoked, depot)).status).toBe(401);

      const short = await newApiToken(owner.session, 7);
      expect((await probe(key, short, depot)).status).toBe(allowed);
      await stack.advance(7 * 24 * 60 * 60, { outage: true });
      expect((await probe(key, short, depot)).status).toBe(401);
      expect((await probe(key, owner.apiToken, depot)).status).toBe(allowed);
    });
  }
});
