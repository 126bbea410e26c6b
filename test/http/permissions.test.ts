import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '#shared/route.ts';
import { type RouteKey, routes } from '#shared/routes.ts';
import { apiStack } from '../support/handlers.ts';
import { put } from '../support/items.ts';
import { type Person as Guest, newMember } from '../support/member.ts';
import { join, newOrganization } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

type Role = 'OWNER' | 'ADMIN' | 'USER' | 'VIEWER';
/** Who may call a route: anyone, a guest (anyone, signed in or not), a signed-in user, or some roles in the organization. */
type Who = 'anyone' | 'guest' | 'signed in' | readonly Role[];

const EVERY_MEMBER = ['OWNER', 'ADMIN', 'USER', 'VIEWER'] as const;
const EDITORS = ['OWNER', 'ADMIN', 'USER'] as const;
const MANAGERS = ['OWNER', 'ADMIN'] as const;
const OWNER = ['OWNER'] as const;

/** Who may call each route, written a second time from the specification. */
const RIGHTS: Record<RouteKey, Who> = {
  'POST /api/login/request': 'anyone',
  'POST /api/login/verify': 'anyone',
  'GET /api/openapi.json': 'anyone',
  'GET /api/invitations/validate/{token}': 'guest',

  'POST /api/logout': 'signed in',
  'GET /api/user': 'signed in',
  'POST /api/user/accept-terms': 'signed in',
  'GET /api/user/sessions': 'signed in',
  'DELETE /api/user/sessions': 'signed in',
  'DELETE /api/user/sessions/{id}': 'signed in',
  'GET /api/user/invitations': 'signed in',
  'POST /api/invitations/accept/{token}': 'signed in',
  'POST /api/invitations/reject/{token}': 'signed in',
  'GET /api/tokens': 'signed in',
  'POST /api/tokens': 'signed in',
  'DELETE /api/tokens': 'signed in',
  'DELETE /api/tokens/{id}': 'signed in',
  'GET /api/organizations': 'signed in',
  'POST /api/organizations': 'signed in',

  'PUT /api/organizations/{organization}': MANAGERS,
  'DELETE /api/organizations/{organization}': OWNER,
  'PUT /api/organizations/{organization}/logo': MANAGERS,
  'GET /api/organizations/{organization}/members': EVERY_MEMBER,
  'POST /api/organizations/{organization}/members': MANAGERS,
  'PUT /api/organizations/{organization}/members/{member}': MANAGERS,
  'DELETE /api/organizations/{organization}/members/{member}': MANAGERS,
  'DELETE /api/organizations/{organization}/invitations/{invitation}': MANAGERS,

  'GET /api/connections/request': EVERY_MEMBER,
  'POST /api/connections': EVERY_MEMBER,
  'GET /api/email-lists': EVERY_MEMBER,
  'POST /api/email-lists': EDITORS,
  'GET /api/email-lists/{list}': EVERY_MEMBER,
  'PUT /api/email-lists/{list}': EDITORS,
  'DELETE /api/email-lists/{list}': EDITORS,
  'PUT /api/email-lists/{list}/logo': EDITORS,
  'GET /api/look': EVERY_MEMBER,
  'POST /api/layout-check': EDITORS,
  'PUT /api/look': MANAGERS,
  'GET /api/email-lists/{list}/look': EVERY_MEMBER,
  'PUT /api/email-lists/{list}/look': EDITORS,
  'PUT /api/email-lists/{list}/mailgun-key': MANAGERS,
  'POST /api/email-lists/{list}/test-mailgun-connection': MANAGERS,
  'GET /api/email-lists/{list}/ses-identity': EVERY_MEMBER,
  'POST /api/email-lists/{list}/ses-identity': MANAGERS,
  'POST /api/email-lists/{list}/ses-identity/check': MANAGERS,
  'DELETE /api/email-lists/{list}/ses-identity': MANAGERS,
  'GET /api/email-lists/{list}/domain-check': EVERY_MEMBER,
  'POST /api/email-lists/{list}/domain-check': EDITORS,
  'GET /api/email-lists/{list}/tracking-domain': EVERY_MEMBER,
  'POST /api/email-lists/{list}/tracking-domain': MANAGERS,
  'POST /api/email-lists/{list}/tracking-domain/check': MANAGERS,
  'DELETE /api/email-lists/{list}/tracking-domain': MANAGERS,
  'GET /api/email-lists/{list}/datetime-metadata-columns': EVERY_MEMBER,
  'GET /api/email-lists/{list}/metadata-columns': EVERY_MEMBER,
  'GET /api/email-lists/{list}/unsubscribe-webhooks': EVERY_MEMBER,
  'POST /api/email-lists/{list}/unsubscribe-webhooks': MANAGERS,
  'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': MANAGERS,
  'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': MANAGERS,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test': MANAGERS,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret': MANAGERS,
  'GET /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries': EVERY_MEMBER,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries/{delivery}/redeliver': MANAGERS,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver': MANAGERS,
  'GET /api/organizations/{organization}/webhooks': EVERY_MEMBER,
  'POST /api/organizations/{organization}/webhooks': MANAGERS,
  'PUT /api/organizations/{organization}/webhooks/{webhook}': MANAGERS,
  'DELETE /api/organizations/{organization}/webhooks/{webhook}': MANAGERS,
  'POST /api/organizations/{organization}/webhooks/{webhook}/test': MANAGERS,
  'POST /api/organizations/{organization}/webhooks/{webhook}/secret': MANAGERS,
  'GET /api/organizations/{organization}/webhooks/{webhook}/deliveries': EVERY_MEMBER,
  'POST /api/organizations/{organization}/webhooks/{webhook}/deliveries/{delivery}/redeliver': MANAGERS,
  'POST /api/organizations/{organization}/webhooks/{webhook}/redeliver': MANAGERS,
  'POST /api/email-lists/{list}/members/actions': EDITORS,
  'GET /api/email-lists/{list}/members': EVERY_MEMBER,
  'GET /api/email-lists/{list}/imports': EVERY_MEMBER,
  'POST /api/email-lists/{list}/imports': EDITORS,
  'POST /api/email-lists/{list}/imports/dry-run': EVERY_MEMBER,
  'POST /api/email-lists/{list}/imports/forecast': EVERY_MEMBER,
  'GET /api/email-lists/{list}/imports/{memberImport}': EVERY_MEMBER,
  'PUT /api/email-lists/{list}/imports/{memberImport}': EDITORS,
  'POST /api/email-lists/{list}/imports/{memberImport}/rows': EDITORS,
  'POST /api/email-lists/{list}/imports/{memberImport}/undo': EDITORS,
  'GET /api/email-lists/{list}/imports/{memberImport}/members': EVERY_MEMBER,
  'GET /api/email-lists/{list}/imports/{memberImport}/errors': EVERY_MEMBER,
  'POST /api/list-members': EDITORS,
  'GET /api/list-members/{listMember}': EVERY_MEMBER,
  'PUT /api/list-members/{listMember}': EDITORS,
  'DELETE /api/list-members/{listMember}': EDITORS,
  'GET /api/list-members/{listMember}/automations/{automation}': EVERY_MEMBER,
  'GET /api/list-member-actions': EVERY_MEMBER,
  'GET /api/list-member-actions/{listMemberAction}/email-content': EVERY_MEMBER,

  'GET /api/email-lists/{list}/export': EVERY_MEMBER,
  'POST /api/recipients/export': EVERY_MEMBER,
  'POST /api/recipients/erase': MANAGERS,
  'GET /api/organizations/{organization}/record': MANAGERS,

  'GET /api/email-assets': EVERY_MEMBER,
  'POST /api/email-assets': EDITORS,
  'POST /api/email-assets-check': EVERY_MEMBER,
  'POST /api/email-asset-sets': EDITORS,
  'GET /api/email-assets/{emailAsset}': EVERY_MEMBER,
  'PUT /api/email-assets/{emailAsset}': EDITORS,
  'POST /api/email-assets/{emailAsset}/versions': EDITORS,
  'DELETE /api/email-assets/{emailAsset}': EDITORS,
  'GET /api/email-templates': EVERY_MEMBER,
  'GET /api/email-templates-summary': EVERY_MEMBER,
  'POST /api/email-templates': EDITORS,
  'POST /api/email-templates-check': EVERY_MEMBER,
  'GET /api/email-templates/{emailTemplate}': EVERY_MEMBER,
  'PUT /api/email-templates/{emailTemplate}': EDITORS,
  'PUT /api/email-templates/{emailTemplate}/automations': EDITORS,
  'PUT /api/email-templates/{emailTemplate}/owner': EDITORS,
  'POST /api/email-templates/{emailTemplate}/versions': EDITORS,
  'POST /api/email-templates/{emailTemplate}/duplicate': EDITORS,
  'DELETE /api/email-templates/{emailTemplate}': EDITORS,
  'POST /api/images': EDITORS,
  'GET /api/events': EVERY_MEMBER,
  'GET /api/automations': EVERY_MEMBER,
  'POST /api/automations': EDITORS,
  'POST /api/audience/count': EVERY_MEMBER,
  'GET /api/automations/{automation}': EVERY_MEMBER,
  'PUT /api/automations/{automation}': EDITORS,
  'DELETE /api/automations/{automation}': EDITORS,
  'GET /api/sequences': EVERY_MEMBER,
  'POST /api/sequences': EDITORS,
  'GET /api/sequences/{sequence}': EVERY_MEMBER,
  'GET /api/sequences/{sequence}/people': EVERY_MEMBER,
  'PUT /api/sequences/{sequence}': EDITORS,
  'DELETE /api/sequences/{sequence}': EDITORS,
  'GET /api/broadcasts': EVERY_MEMBER,
  'POST /api/broadcasts': EDITORS,
  'GET /api/broadcasts/{broadcast}': EVERY_MEMBER,
  'PUT /api/broadcasts/{broadcast}': EDITORS,
  'DELETE /api/broadcasts/{broadcast}': EDITORS,
  'GET /api/broadcasts/{broadcast}/forecast': EVERY_MEMBER,
  'POST /api/broadcasts/forecast': EVERY_MEMBER,
  'GET /api/automations/{automation}/simulate': EVERY_MEMBER,
  'GET /api/automations/{automation}/forecast': EVERY_MEMBER,
  'GET /api/forecast': EVERY_MEMBER,
  'GET /api/upcoming': EVERY_MEMBER,
  'GET /api/automations-for-assets': EVERY_MEMBER,
  'GET /api/automations-for-templates': EVERY_MEMBER,
  'GET /api/automations/{automation}/preview': EVERY_MEMBER,
  'GET /api/automations/{automation}/preview-members': EVERY_MEMBER,
  'POST /api/automations/{automation}/test-email': EDITORS,
  'POST /api/test-emails': EDITORS,
  'GET /api/automations/{automation}/content': EVERY_MEMBER,
  'PUT /api/automations/{automation}/content': EDITORS,

  'GET /api/email-sends': EVERY_MEMBER,
  'GET /api/email-sends/skipped': EVERY_MEMBER,
  'GET /api/email-sends/{emailSend}': EVERY_MEMBER,
  'GET /api/email-sends/{emailSend}/content': EVERY_MEMBER,
  'POST /api/email-sends/{emailSend}/resend': MANAGERS,

  'GET /api/reporting/combinations': EVERY_MEMBER,
  'GET /api/reporting/combinations/{combination}': EVERY_MEMBER,
  'GET /api/reporting/days': EVERY_MEMBER,
  'GET /api/reporting/automations/{automation}': EVERY_MEMBER,
  'GET /api/reporting/automations/{automation}/shares': EVERY_MEMBER,
  'GET /api/reporting/automations/{automation}/holdout': EVERY_MEMBER,
  'GET /api/reporting/holdout': EVERY_MEMBER,
  'GET /api/reporting/safeguards': EVERY_MEMBER,
  'GET /api/safeguards/estimate': EVERY_MEMBER,
  'GET /api/reporting/automations': EVERY_MEMBER,
  'GET /api/reporting/comparisons': EVERY_MEMBER,
  'GET /api/reporting/performance': EVERY_MEMBER,

  'GET /api/attention': EVERY_MEMBER,
  'GET /api/first-steps': EVERY_MEMBER,
  'PUT /api/first-steps': EDITORS,

  'POST /api/automations/dry-run': EVERY_MEMBER,
  'POST /api/automations/forecast': EVERY_MEMBER,
  'PUT /api/automations/{automation}/dry-run': EVERY_MEMBER,
  'PUT /api/automations/{automation}/content/dry-run': EVERY_MEMBER,
  'POST /api/sequences/dry-run': EVERY_MEMBER,
  'PUT /api/sequences/{sequence}/dry-run': EVERY_MEMBER,
  'PUT /api/safeguards/dry-run': MANAGERS,
  'PUT /api/sending-hours/dry-run': MANAGERS,
  'PUT /api/holdout/dry-run': MANAGERS,
  'PUT /api/organizations/{organization}/dry-run': MANAGERS,
  'PUT /api/email-lists/{list}/dry-run': EVERY_MEMBER,
  'PUT /api/email-lists/{list}/mailgun-key/dry-run': MANAGERS,
  'POST /api/content-links/dry-run': EVERY_MEMBER,

  'POST /api/plans': EDITORS,
  'GET /api/plans/{hash}': EVERY_MEMBER,
  'POST /api/plans/{hash}/apply': EDITORS,
  'GET /api/safeguards': EVERY_MEMBER,
  'PUT /api/safeguards': MANAGERS,
  'GET /api/sending-hours': EVERY_MEMBER,
  'PUT /api/sending-hours': MANAGERS,
  'GET /api/holdout': EVERY_MEMBER,
  'PUT /api/holdout': MANAGERS,

  'GET /api/v1/me': EVERY_MEMBER,
  'GET /api/v1/email-lists': EVERY_MEMBER,
  'POST /api/v1/events': EDITORS,
  'POST /api/v1/value': EDITORS,
  'POST /api/v1/email-lists/{list}/members': EDITORS,
};

/** Ids of nothing, where they are not twelve zeros. */
const UNKNOWN: Record<string, string> = {
  emailSend: `${'0'.repeat(22)}-1`,
  listMember: `${'0'.repeat(12)}-${'0'.repeat(22)}`,
  listMemberAction: `list-${'0'.repeat(22)}-1`,
};

/** The status for a caller who has the right, where a call that changes nothing has not the usual one. */
const ALLOWED: Partial<Record<RouteKey, number>> = {
  'GET /api/invitations/validate/{token}': 200,
  'POST /api/logout': 204,
  'PUT /api/organizations/{organization}': 200,
  'GET /api/connections/request': 422,
  'GET /api/list-member-actions': 422,
  'POST /api/email-assets-check': 200,
  'POST /api/email-templates-check': 200,
  'GET /api/reporting/combinations': 422,
  'GET /api/reporting/days': 422,
  'GET /api/safeguards/estimate': 422,
  'POST /api/plans': 201,
  'PUT /api/safeguards/dry-run': 200,
  'PUT /api/sending-hours/dry-run': 200,
  'PUT /api/organizations/{organization}/dry-run': 200,
  'PUT /api/safeguards': 200,
  'PUT /api/sending-hours': 200,
};

type Probe = { params: Record<string, string>; body: object | undefined; allowed: number };

function probeOf(key: RouteKey): Probe {
  const [method] = key.split(' ');
  const names = [...key.matchAll(/{(\w+)}/g)].flatMap(([, name = '']) =>
    name === 'organization' ? [] : name,
  );
  const params = Object.fromEntries(names.map(name => [name, UNKNOWN[name] ?? '0'.repeat(12)]));
  const { body }: Route = routes[key];
  const usual = names.length > 0 ? 404 : method === 'DELETE' ? 204 : body ? 422 : 200;
  return { params, body: body && {}, allowed: ALLOWED[key] ?? usual };
}

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

async function newMemberOfDepot(owner: Person, role: Exclude<Role, 'OWNER'>): Promise<Person> {
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
    VIEWER: await newMemberOfDepot(owner, 'VIEWER'),
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
  const { params, body } = probeOf(key);
  return call(key, {
    ...(credential !== undefined && { token: credential }),
    ...((headerOnly || !pathNamesOrganization(key)) && { organization }),
    params: { organization: String(organization), ...params },
    ...(body !== undefined && { body }),
  });
}

describe.each(Object.entries(RIGHTS) as [RouteKey, Who][])('%s', (key, who) => {
  const { params, body, allowed } = probeOf(key);
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
