import { beforeAll, describe, expect, it } from 'vitest';
import type { RouteKey } from '../../shared/routes.ts';
import { put } from '../support/items.ts';
import { type Person as Guest, newMember } from '../support/member.ts';
import { join, newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { call } = stack;

type Role = 'OWNER' | 'ADMIN' | 'USER';
/** Who may call a route: also those who are not signed in, all who are, or some roles in the organization. */
type Who = 'anybody' | 'guests' | 'signed in' | readonly Role[];

const EVERY_MEMBER = ['OWNER', 'ADMIN', 'USER'] as const;
const MANAGERS = ['OWNER', 'ADMIN'] as const;
const OWNER = ['OWNER'] as const;

type Probe = { who: Who; params?: Record<string, string>; body?: unknown; allowed: number };

const nobody = '00000000-0000-0000-0000-000000000000';
const nothing = '0'.repeat(64);
const noList = { list: '0'.repeat(12) };
const noMember = { listMember: `${'0'.repeat(12)}-${'0'.repeat(22)}` };

/** The rights, and for each route a call that changes nothing, with what it answers to those who may. */
const PROBES: Record<RouteKey, Probe> = {
  'POST /api/login/request': { who: 'anybody', body: {}, allowed: 422 },
  'POST /api/login/verify': { who: 'anybody', body: {}, allowed: 422 },
  'GET /api/openapi.json': { who: 'anybody', allowed: 200 },
  'GET /api/invitations/validate/{token}': { who: 'guests', params: { token: nothing }, allowed: 200 },

  'POST /api/logout': { who: 'signed in', allowed: 204 },
  'GET /api/user': { who: 'signed in', allowed: 200 },
  'POST /api/user/accept-terms': { who: 'signed in', allowed: 200 },
  'GET /api/user/sessions': { who: 'signed in', allowed: 200 },
  'DELETE /api/user/sessions': { who: 'signed in', allowed: 204 },
  'DELETE /api/user/sessions/{id}': { who: 'signed in', params: { id: nothing }, allowed: 404 },
  'GET /api/user/invitations': { who: 'signed in', allowed: 200 },
  'POST /api/invitations/accept/{token}': { who: 'signed in', params: { token: nothing }, allowed: 404 },
  'POST /api/invitations/reject/{token}': { who: 'signed in', params: { token: nothing }, allowed: 404 },
  'GET /api/tokens': { who: 'signed in', allowed: 200 },
  'POST /api/tokens': { who: 'signed in', body: {}, allowed: 422 },
  'DELETE /api/tokens': { who: 'signed in', allowed: 204 },
  'DELETE /api/tokens/{id}': { who: 'signed in', params: { id: 'nothing' }, allowed: 404 },
  'GET /api/organizations': { who: 'signed in', allowed: 200 },
  'POST /api/organizations': { who: 'signed in', body: {}, allowed: 422 },

  'PUT /api/organizations/{organization}': { who: MANAGERS, body: {}, allowed: 200 },
  'DELETE /api/organizations/{organization}': { who: OWNER, allowed: 204 },
  'PUT /api/organizations/{organization}/logo': { who: MANAGERS, body: {}, allowed: 422 },
  'GET /api/organizations/{organization}/members': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/organizations/{organization}/members': { who: MANAGERS, body: {}, allowed: 422 },
  'PUT /api/organizations/{organization}/members/{member}': {
    who: MANAGERS,
    params: { member: nobody },
    body: {},
    allowed: 404,
  },
  'DELETE /api/organizations/{organization}/members/{member}': {
    who: MANAGERS,
    params: { member: nobody },
    allowed: 404,
  },
  'DELETE /api/organizations/{organization}/invitations/{invitation}': {
    who: MANAGERS,
    params: { invitation: nothing },
    allowed: 404,
  },

  'GET /api/email-lists': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/email-lists': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'GET /api/email-lists/{list}': { who: EVERY_MEMBER, params: noList, allowed: 404 },
  'PUT /api/email-lists/{list}': { who: EVERY_MEMBER, params: noList, body: {}, allowed: 404 },
  'DELETE /api/email-lists/{list}': { who: EVERY_MEMBER, params: noList, allowed: 404 },
  'PUT /api/email-lists/{list}/logo': { who: EVERY_MEMBER, params: noList, body: {}, allowed: 404 },
  'PUT /api/email-lists/{list}/mailgun-key': { who: MANAGERS, params: noList, body: {}, allowed: 404 },
  'POST /api/email-lists/{list}/test-mailgun-connection': { who: MANAGERS, params: noList, allowed: 404 },
  'GET /api/email-lists/{list}/datetime-metadata-columns': {
    who: EVERY_MEMBER,
    params: noList,
    allowed: 404,
  },
  'GET /api/email-lists/{list}/members': { who: EVERY_MEMBER, params: noList, allowed: 404 },
  'POST /api/list-members': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'GET /api/list-members/{listMember}': { who: EVERY_MEMBER, params: noMember, allowed: 404 },
  'PUT /api/list-members/{listMember}': { who: EVERY_MEMBER, params: noMember, body: {}, allowed: 404 },
  'DELETE /api/list-members/{listMember}': { who: EVERY_MEMBER, params: noMember, allowed: 404 },
  'GET /api/list-member-actions': { who: EVERY_MEMBER, allowed: 422 },

  'GET /api/v1/email-lists': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/v1/email-lists/{list}/members': { who: EVERY_MEMBER, params: noList, body: {}, allowed: 404 },
};

/** After these a caller has no session or no token any more. */
const ENDING: RouteKey[] = ['POST /api/logout', 'DELETE /api/tokens'];
/** What a user may do who has not accepted the terms: see their account, accept, or leave. */
const BEFORE_TERMS: RouteKey[] = [
  'GET /api/user',
  'GET /api/user/sessions',
  'GET /api/user/invitations',
  'GET /api/organizations',
  'POST /api/user/accept-terms',
  'POST /api/logout',
];
const takesApiToken = (key: RouteKey) => key.includes(' /api/v1/');
const pathNamesOrganization = (key: RouteKey) => key.includes('{organization}');

type Person = Guest & { apiToken: string };

async function newPerson(): Promise<Person> {
  const person = await newMember(stack);
  return { ...person, apiToken: await newApiToken(person) };
}

let tokens = 0;
async function newApiToken({ token }: Guest, expiration: number | null = null): Promise<string> {
  return (await call('POST /api/tokens', { token, body: { name: `t${++tokens}`, expiration } })).body.token;
}

async function newMemberOfDepot(owner: Person, role: 'ADMIN' | 'USER'): Promise<Person> {
  const person = await newPerson();
  await join(stack, owner, depot, person, role);
  return person;
}

let people: Record<Role, Person>;
let removed: Person;
let stranger: Person;
let depot: number;
let deleted: number;

beforeAll(async () => {
  const owner = await newPerson();
  depot = await newOrganization(stack, owner);
  people = {
    OWNER: owner,
    ADMIN: await newMemberOfDepot(owner, 'ADMIN'),
    USER: await newMemberOfDepot(owner, 'USER'),
  };
  removed = await newMemberOfDepot(owner, 'USER');
  stranger = await newPerson();
  await call('DELETE /api/organizations/{organization}/members/{member}', {
    token: owner.token,
    params: { organization: String(depot), member: removed.id },
  });
  deleted = await newOrganization(stack, owner);
  await call('DELETE /api/organizations/{organization}', {
    token: owner.token,
    params: { organization: String(deleted) },
  });
});

/** Somebody with a role, and where they have it; what the call ends is theirs alone. */
async function callerAs(role: Role, key: RouteKey): Promise<[Person, number]> {
  const { OWNER: owner } = people;
  if (ENDING.includes(key)) {
    if (role !== 'OWNER') return [await newMemberOfDepot(owner, role), depot];
    const person = await newPerson();
    return [person, person.home.id];
  }
  const isDeleted = key === 'DELETE /api/organizations/{organization}' && role === 'OWNER';
  return [people[role], isDeleted ? await newOrganization(stack, owner) : depot];
}

const credentialOf = (key: RouteKey, { token, apiToken }: Person) => (takesApiToken(key) ? apiToken : token);

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

describe.each(Object.entries(PROBES) as [RouteKey, Probe][])('%s', (key, { who, params, body, allowed }) => {
  const isPublic = who === 'anybody';
  /** What it answers where the header names an organization that is not the caller's: a personal call ignores it. */
  const foreign = typeof who === 'string' ? allowed : 403;
  const insteadOf = async (person: Person) => (ENDING.includes(key) ? newPerson() : person);
  /** The same for an organization that the path names, where it can. */
  const elsewhere = pathNamesOrganization(key) ? 404 : foreign;

  it.each(EVERY_MEMBER)('answers somebody with the role %s', async role => {
    const [caller, organization] = await callerAs(role, key);
    const mayCall = typeof who === 'string' || who.includes(role);
    const { status } = await probe(key, credentialOf(key, caller), organization);
    expect(status).toBe(mayCall ? allowed : 403);
  });

  it('answers a user who has not accepted the terms', async () => {
    const person = await newPerson();
    const { id, email, home } = person;
    const created_at = '2026-01-01T00:00:00.000Z';
    const profile = { id, email, name: 'person', created_at, default_organization_id: home.id };
    await put(stack, { PK: `USER#${id}`, SK: 'PROFILE', ...profile });
    const { status, body } = await probe(key, credentialOf(key, person), home.id);
    const isOpen = isPublic || who === 'guests' || BEFORE_TERMS.includes(key);
    expect(status).toBe(isOpen ? allowed : 403);
    if (!isOpen) expect(body.message).toContain('Please accept the terms');
  });

  it('answers without a session', async () => {
    const answer = await call(key, {
      params: { organization: String(depot), ...params },
      ...(body !== undefined && { body }),
    });
    expect(answer.status).toBe(isPublic || who === 'guests' ? allowed : 401);
  });

  it("answers with another organization's header", async () => {
    const answer = await probe(key, credentialOf(key, await insteadOf(stranger)), depot, true);
    expect(answer.status).toBe(foreign);
  });

  it("answers with another organization's id", async () => {
    expect((await probe(key, credentialOf(key, await insteadOf(stranger)), depot)).status).toBe(elsewhere);
  });

  it('answers a removed member', async () => {
    expect((await probe(key, credentialOf(key, await insteadOf(removed)), depot)).status).toBe(elsewhere);
  });

  it('answers the owner of a deleted organization', async () => {
    expect((await probe(key, credentialOf(key, await insteadOf(people.OWNER)), deleted)).status).toBe(
      elsewhere,
    );
  });

  it('answers an API token in the place of a session, and the other way round', async () => {
    const { token, apiToken } = people.OWNER;
    const answer = await probe(key, takesApiToken(key) ? token : apiToken, depot);
    expect(answer.status).toBe(isPublic ? allowed : 401);
  });

  if (takesApiToken(key)) {
    it('refuses a token that was deleted or has expired', async () => {
      const { OWNER: owner } = people;
      const revoked = await newApiToken(owner);
      const id = `t${tokens}`;
      expect((await probe(key, revoked, depot)).status).toBe(allowed);
      await call('DELETE /api/tokens/{id}', { token: owner.token, params: { id } });
      expect((await probe(key, revoked, depot)).status).toBe(401);

      const short = await newApiToken(owner, 7);
      expect((await probe(key, short, depot)).status).toBe(allowed);
      await stack.advance(7 * 24 * 60 * 60, { outage: true });
      expect((await probe(key, short, depot)).status).toBe(401);
      expect((await probe(key, owner.apiToken, depot)).status).toBe(allowed);
    });
  }
});
