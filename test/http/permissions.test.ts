import { beforeAll, describe, expect, it } from 'vitest';
import type { RouteKey } from '#shared/routes.ts';
import { apiStack } from '../support/handlers.ts';
import { put } from '../support/items.ts';
import { type Person as Guest, newMember } from '../support/member.ts';
import { join, newOrganization } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

type Role = 'OWNER' | 'ADMIN' | 'USER';
/** Who may call a route: anyone, a guest (anyone, signed in or not), a signed-in user, or some roles in the organization. */
type Who = 'anyone' | 'guest' | 'signed in' | readonly Role[];

const EVERY_MEMBER = ['OWNER', 'ADMIN', 'USER'] as const;
const MANAGERS = ['OWNER', 'ADMIN'] as const;
const OWNER = ['OWNER'] as const;

type Probe = { who: Who; params?: Record<string, string>; body?: unknown; allowed: number };

const unknownUser = '00000000-0000-0000-0000-000000000000';
const unknownId = '0'.repeat(64);
const unknownList = { list: '0'.repeat(12) };
const unknownImport = { ...unknownList, memberImport: '0'.repeat(12) };
const unknownWebhook = { ...unknownList, webhook: '0'.repeat(12) };
const unknownAsset = { emailAsset: '0'.repeat(12) };
const unknownTemplate = { emailTemplate: '0'.repeat(12) };
const unknownAutomation = { automation: '0'.repeat(12) };
const unknownSend = { emailSend: `${'0'.repeat(22)}-1` };
const unknownMember = { listMember: `${'0'.repeat(12)}-${'0'.repeat(22)}` };

/** The rights, and for each route a call that changes nothing, with its status for a caller who has the right. */
const PROBES: Record<RouteKey, Probe> = {
  'POST /api/login/request': { who: 'anyone', body: {}, allowed: 422 },
  'POST /api/login/verify': { who: 'anyone', body: {}, allowed: 422 },
  'GET /api/openapi.json': { who: 'anyone', allowed: 200 },
  'GET /api/invitations/validate/{token}': { who: 'guest', params: { token: unknownId }, allowed: 200 },

  'POST /api/logout': { who: 'signed in', allowed: 204 },
  'GET /api/user': { who: 'signed in', allowed: 200 },
  'POST /api/user/accept-terms': { who: 'signed in', allowed: 200 },
  'GET /api/user/sessions': { who: 'signed in', allowed: 200 },
  'DELETE /api/user/sessions': { who: 'signed in', allowed: 204 },
  'DELETE /api/user/sessions/{id}': { who: 'signed in', params: { id: unknownId }, allowed: 404 },
  'GET /api/user/invitations': { who: 'signed in', allowed: 200 },
  'POST /api/invitations/accept/{token}': { who: 'signed in', params: { token: unknownId }, allowed: 404 },
  'POST /api/invitations/reject/{token}': { who: 'signed in', params: { token: unknownId }, allowed: 404 },
  'GET /api/tokens': { who: 'signed in', allowed: 200 },
  'POST /api/tokens': { who: 'signed in', body: {}, allowed: 422 },
  'DELETE /api/tokens': { who: 'signed in', allowed: 204 },
  'DELETE /api/tokens/{id}': { who: 'signed in', params: { id: 'unknown' }, allowed: 404 },
  'GET /api/organizations': { who: 'signed in', allowed: 200 },
  'POST /api/organizations': { who: 'signed in', body: {}, allowed: 422 },

  'PUT /api/organizations/{organization}': { who: MANAGERS, body: {}, allowed: 200 },
  'DELETE /api/organizations/{organization}': { who: OWNER, allowed: 204 },
  'PUT /api/organizations/{organization}/logo': { who: MANAGERS, body: {}, allowed: 422 },
  'GET /api/organizations/{organization}/members': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/organizations/{organization}/members': { who: MANAGERS, body: {}, allowed: 422 },
  'PUT /api/organizations/{organization}/members/{member}': {
    who: MANAGERS,
    params: { member: unknownUser },
    body: {},
    allowed: 404,
  },
  'DELETE /api/organizations/{organization}/members/{member}': {
    who: MANAGERS,
    params: { member: unknownUser },
    allowed: 404,
  },
  'DELETE /api/organizations/{organization}/invitations/{invitation}': {
    who: MANAGERS,
    params: { invitation: unknownId },
    allowed: 404,
  },

  'GET /api/email-lists': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/email-lists': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'GET /api/email-lists/{list}': { who: EVERY_MEMBER, params: unknownList, allowed: 404 },
  'PUT /api/email-lists/{list}': { who: EVERY_MEMBER, params: unknownList, body: {}, allowed: 404 },
  'DELETE /api/email-lists/{list}': { who: EVERY_MEMBER, params: unknownList, allowed: 404 },
  'PUT /api/email-lists/{list}/logo': { who: EVERY_MEMBER, params: unknownList, body: {}, allowed: 404 },
  'PUT /api/email-lists/{list}/mailgun-key': { who: MANAGERS, params: unknownList, body: {}, allowed: 404 },
  'POST /api/email-lists/{list}/test-mailgun-connection': {
    who: MANAGERS,
    params: unknownList,
    allowed: 404,
  },
  'GET /api/email-lists/{list}/datetime-metadata-columns': {
    who: EVERY_MEMBER,
    params: unknownList,
    allowed: 404,
  },
  'GET /api/email-lists/{list}/metadata-columns': { who: EVERY_MEMBER, params: unknownList, allowed: 404 },
  'GET /api/email-lists/{list}/unsubscribe-webhooks': {
    who: EVERY_MEMBER,
    params: unknownList,
    allowed: 404,
  },
  'POST /api/email-lists/{list}/unsubscribe-webhooks': {
    who: MANAGERS,
    params: unknownList,
    body: {},
    allowed: 404,
  },
  'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': {
    who: MANAGERS,
    params: unknownWebhook,
    body: {},
    allowed: 404,
  },
  'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': {
    who: MANAGERS,
    params: unknownWebhook,
    allowed: 404,
  },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test': {
    who: MANAGERS,
    params: unknownWebhook,
    allowed: 404,
  },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret': {
    who: MANAGERS,
    params: unknownWebhook,
    allowed: 404,
  },
  'GET /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries': {
    who: EVERY_MEMBER,
    params: unknownWebhook,
    allowed: 404,
  },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries/{delivery}/redeliver': {
    who: MANAGERS,
    params: { ...unknownWebhook, delivery: unknownId },
    allowed: 404,
  },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver': {
    who: MANAGERS,
    params: unknownWebhook,
    body: {},
    allowed: 404,
  },
  'POST /api/email-lists/{list}/members/actions': {
    who: EVERY_MEMBER,
    params: unknownList,
    body: {},
    allowed: 404,
  },
  'GET /api/email-lists/{list}/members': { who: EVERY_MEMBER, params: unknownList, allowed: 404 },
  'GET /api/email-lists/{list}/imports': { who: EVERY_MEMBER, params: unknownList, allowed: 404 },
  'POST /api/email-lists/{list}/imports': { who: EVERY_MEMBER, params: unknownList, body: {}, allowed: 404 },
  'POST /api/email-lists/{list}/imports/dry-run': {
    who: EVERY_MEMBER,
    params: unknownList,
    body: {},
    allowed: 404,
  },
  'GET /api/email-lists/{list}/imports/{memberImport}': {
    who: EVERY_MEMBER,
    params: unknownImport,
    allowed: 404,
  },
  'PUT /api/email-lists/{list}/imports/{memberImport}': {
    who: EVERY_MEMBER,
    params: unknownImport,
    body: {},
    allowed: 404,
  },
  'POST /api/email-lists/{list}/imports/{memberImport}/rows': {
    who: EVERY_MEMBER,
    params: unknownImport,
    body: {},
    allowed: 404,
  },
  'POST /api/email-lists/{list}/imports/{memberImport}/undo': {
    who: EVERY_MEMBER,
    params: unknownImport,
    allowed: 404,
  },
  'GET /api/email-lists/{list}/imports/{memberImport}/members': {
    who: EVERY_MEMBER,
    params: unknownImport,
    allowed: 404,
  },
  'GET /api/email-lists/{list}/imports/{memberImport}/errors': {
    who: EVERY_MEMBER,
    params: unknownImport,
    allowed: 404,
  },
  'POST /api/list-members': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'GET /api/list-members/{listMember}': { who: EVERY_MEMBER, params: unknownMember, allowed: 404 },
  'PUT /api/list-members/{listMember}': { who: EVERY_MEMBER, params: unknownMember, body: {}, allowed: 404 },
  'DELETE /api/list-members/{listMember}': { who: EVERY_MEMBER, params: unknownMember, allowed: 404 },
  'GET /api/list-members/{listMember}/automations/{automation}': {
    who: EVERY_MEMBER,
    params: { ...unknownMember, automation: unknownId },
    allowed: 404,
  },
  'GET /api/list-member-actions': { who: EVERY_MEMBER, allowed: 422 },
  'GET /api/list-member-actions/{listMemberAction}/email-content': {
    who: EVERY_MEMBER,
    params: { listMemberAction: `list-${'0'.repeat(22)}-1` },
    allowed: 404,
  },

  'GET /api/email-lists/{list}/export': { who: EVERY_MEMBER, params: unknownList, allowed: 404 },
  'POST /api/recipients/export': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'POST /api/recipients/erase': { who: MANAGERS, body: {}, allowed: 422 },
  'GET /api/organizations/{organization}/record': { who: MANAGERS, allowed: 200 },

  'GET /api/email-assets': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/email-assets': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'POST /api/email-assets-check': { who: EVERY_MEMBER, body: {}, allowed: 200 },
  'POST /api/email-asset-sets': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'GET /api/email-assets/{emailAsset}': { who: EVERY_MEMBER, params: unknownAsset, allowed: 404 },
  'PUT /api/email-assets/{emailAsset}': { who: EVERY_MEMBER, params: unknownAsset, body: {}, allowed: 404 },
  'DELETE /api/email-assets/{emailAsset}': { who: EVERY_MEMBER, params: unknownAsset, allowed: 404 },
  'GET /api/email-templates': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/email-templates-summary': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/email-templates': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'POST /api/email-templates-check': { who: EVERY_MEMBER, body: {}, allowed: 200 },
  'GET /api/email-templates/{emailTemplate}': { who: EVERY_MEMBER, params: unknownTemplate, allowed: 404 },
  'PUT /api/email-templates/{emailTemplate}': {
    who: EVERY_MEMBER,
    params: unknownTemplate,
    body: {},
    allowed: 404,
  },
  'PUT /api/email-templates/{emailTemplate}/automations': {
    who: EVERY_MEMBER,
    params: unknownTemplate,
    body: {},
    allowed: 404,
  },
  'PUT /api/email-templates/{emailTemplate}/owner': {
    who: EVERY_MEMBER,
    params: unknownTemplate,
    body: {},
    allowed: 404,
  },
  'POST /api/email-templates/{emailTemplate}/duplicate': {
    who: EVERY_MEMBER,
    params: unknownTemplate,
    allowed: 404,
  },
  'DELETE /api/email-templates/{emailTemplate}': { who: EVERY_MEMBER, params: unknownTemplate, allowed: 404 },
  'GET /api/automations': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/automations': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'GET /api/automations/{automation}': { who: EVERY_MEMBER, params: unknownAutomation, allowed: 404 },
  'PUT /api/automations/{automation}': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    body: {},
    allowed: 404,
  },
  'DELETE /api/automations/{automation}': { who: EVERY_MEMBER, params: unknownAutomation, allowed: 404 },
  'GET /api/automations/{automation}/simulate': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    allowed: 404,
  },
  'GET /api/automations/{automation}/forecast': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    allowed: 404,
  },
  'GET /api/forecast': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/upcoming': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/automations-for-assets': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/automations-for-templates': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/automations/{automation}/preview': { who: EVERY_MEMBER, params: unknownAutomation, allowed: 404 },
  'GET /api/automations/{automation}/preview-members': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    allowed: 404,
  },
  'POST /api/automations/{automation}/test-email': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    body: {},
    allowed: 404,
  },
  'GET /api/automations/{automation}/content': { who: EVERY_MEMBER, params: unknownAutomation, allowed: 404 },
  'PUT /api/automations/{automation}/content': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    body: {},
    allowed: 404,
  },

  'GET /api/email-sends': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/email-sends/{emailSend}/content': { who: EVERY_MEMBER, params: unknownSend, allowed: 404 },
  'POST /api/email-sends/{emailSend}/resend': { who: MANAGERS, params: unknownSend, allowed: 404 },

  'GET /api/reporting/combinations': { who: EVERY_MEMBER, allowed: 422 },
  'GET /api/reporting/combinations/{combination}': {
    who: EVERY_MEMBER,
    params: { combination: '0'.repeat(12) },
    allowed: 404,
  },
  'GET /api/reporting/automations/{automation}': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    allowed: 404,
  },
  'GET /api/reporting/comparisons': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/reporting/performance': { who: EVERY_MEMBER, allowed: 200 },

  'GET /api/attention': { who: EVERY_MEMBER, allowed: 200 },
  'GET /api/first-steps': { who: EVERY_MEMBER, allowed: 200 },
  'PUT /api/first-steps': { who: EVERY_MEMBER, body: {}, allowed: 422 },

  'POST /api/automations/dry-run': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'PUT /api/automations/{automation}/dry-run': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    body: {},
    allowed: 404,
  },
  'PUT /api/automations/{automation}/content/dry-run': {
    who: EVERY_MEMBER,
    params: unknownAutomation,
    body: {},
    allowed: 404,
  },
  'PUT /api/safeguards/dry-run': { who: MANAGERS, body: {}, allowed: 200 },
  'PUT /api/sending-hours/dry-run': { who: MANAGERS, body: {}, allowed: 200 },
  'PUT /api/email-lists/{list}/dry-run': { who: EVERY_MEMBER, params: unknownList, body: {}, allowed: 404 },
  'PUT /api/email-lists/{list}/mailgun-key/dry-run': {
    who: MANAGERS,
    params: unknownList,
    body: {},
    allowed: 404,
  },
  'POST /api/content-links/dry-run': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'GET /api/safeguards': { who: EVERY_MEMBER, allowed: 200 },
  'PUT /api/safeguards': { who: MANAGERS, body: {}, allowed: 200 },
  'GET /api/sending-hours': { who: EVERY_MEMBER, allowed: 200 },
  'PUT /api/sending-hours': { who: MANAGERS, body: {}, allowed: 200 },

  'GET /api/v1/email-lists': { who: EVERY_MEMBER, allowed: 200 },
  'POST /api/v1/value': { who: EVERY_MEMBER, body: {}, allowed: 422 },
  'POST /api/v1/email-lists/{list}/members': {
    who: EVERY_MEMBER,
    params: unknownList,
    body: {},
    allowed: 404,
  },
};

/** They end the session or the tokens of their caller. */
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

/** A user with a role, and their organization. Where the route ends something, no other test uses either. */
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

/** Calls a route for an organization, which its path names or else its header. */
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
  const isPublic = who === 'anyone';
  /** The status where the header names an organization that is not the caller's: a personal call ignores it. */
  const foreign = typeof who === 'string' ? allowed : 403;
  const insteadOf = async (person: Person) => (ENDING.includes(key) ? newPerson() : person);
  /** The same where the path names the organization, if it names one. */
  const elsewhere = pathNamesOrganization(key) ? 404 : foreign;

  it.each(EVERY_MEMBER)('admits a member with the role %s only if the role has the right', async role => {
    const [caller, organization] = await callerAs(role, key);
    const mayCall = typeof who === 'string' || who.includes(role);
    const { status } = await probe(key, credentialOf(key, caller), organization);
    expect(status).toBe(mayCall ? allowed : 403);
  });

  it('is 403 for a user who has not accepted the terms, unless it is open before', async () => {
    const person = await newPerson();
    const { id, email, home } = person;
    const created_at = '2026-01-01T00:00:00.000Z';
    const profile = { id, email, name: 'person', created_at, default_organization_id: home.id };
    await put(stack, { PK: `USER#${id}`, SK: 'PROFILE', ...profile });
    const { status, body } = await probe(key, credentialOf(key, person), home.id);
    const isOpen = isPublic || who === 'guest' || BEFORE_TERMS.includes(key);
    expect(status).toBe(isOpen ? allowed : 403);
    if (!isOpen) expect(body.message).toContain('Please accept the terms');
  });

  it('is 401 without credentials, unless it requires none', async () => {
    const answer = await call(key, {
      params: { organization: String(depot), ...params },
      ...(body !== undefined && { body }),
    });
    expect(answer.status).toBe(isPublic || who === 'guest' ? allowed : 401);
  });

  it('is 403 with the header of an organization that is not the caller’s, unless it is personal', async () => {
    const answer = await probe(key, credentialOf(key, await insteadOf(stranger)), depot, true);
    expect(answer.status).toBe(foreign);
  });

  it('is 403 or 404 for an organization that is not the caller’s, unless it is personal', async () => {
    expect((await probe(key, credentialOf(key, await insteadOf(stranger)), depot)).status).toBe(elsewhere);
  });

  it('is 403 or 404 for a removed member, unless it is personal', async () => {
    expect((await probe(key, credentialOf(key, await insteadOf(removed)), depot)).status).toBe(elsewhere);
  });

  it('is 403 or 404 for the owner of a deleted organization, unless it is personal', async () => {
    expect((await probe(key, credentialOf(key, await insteadOf(people.OWNER)), deleted)).status).toBe(
      elsewhere,
    );
  });

  it('is 401 with an API token instead of a session, and the other way round, unless it is public', async () => {
    const { token, apiToken } = people.OWNER;
    const answer = await probe(key, takesApiToken(key) ? token : apiToken, depot);
    expect(answer.status).toBe(isPublic ? allowed : 401);
  });

  if (takesApiToken(key)) {
    it('is 401 with a token that was deleted or has expired', async () => {
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
