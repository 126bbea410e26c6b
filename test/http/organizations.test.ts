import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RouteKey } from '#shared/routes.ts';
import { newAddress } from '../support/client.ts';
import { apiStack } from '../support/handlers.ts';
import { putAll } from '../support/items.ts';
import { newMember as newPerson, type Person } from '../support/member.ts';
import { mailedInvitation, newOrganization } from '../support/organization.ts';

const stack = apiStack();
const { call, inbox } = stack;

let owner: Person;
let organization: number;
let path: { organization: string };

beforeEach(async () => {
  owner = await newPerson(stack);
  organization = await newOrganization(stack, owner);
  path = { organization: String(organization) };
});

/** A call of somebody about the organization, by default of its owner. */
const api = (key: RouteKey, body?: unknown, { token } = owner, params: object = {}) =>
  call(key, { token, params: { ...path, ...params }, body });
const invite = (email: string, role: string, by = owner) =>
  api('POST /api/organizations/{organization}/members', { email, role }, by);
const accept = (person: Person, token: string) =>
  call('POST /api/invitations/accept/{token}', { token: person.token, params: { token } });
const members = async (by = owner) =>
  (await api('GET /api/organizations/{organization}/members', undefined, by)).body;
const organizationsOf = async (person: Person) =>
  (await call('GET /api/organizations', { token: person.token })).body;
const setRole = (member: string, role: unknown, by = owner) =>
  api('PUT /api/organizations/{organization}/members/{member}', { role }, by, { member });
const remove = (member: string, by = owner) =>
  api('DELETE /api/organizations/{organization}/members/{member}', undefined, by, { member });
const change = (body: object, id: number | string = organization) =>
  api('PUT /api/organizations/{organization}', body, owner, { organization: String(id) });
const secretFor = async (email: string) => (await mailedInvitation(stack, email)).split('/').at(-1) ?? '';

async function newMember(role: string) {
  const person = await newPerson(stack);
  await accept(person, (await invite(person.email, role)).body.token);
  return person;
}

describe('an organization', () => {
  it('is created, renamed, deactivated and deleted by its owner', async () => {
    const created = {
      id: organization,
      name: 'Depot',
      logo: null,
      active: true,
      is_default: false,
      role: 'OWNER',
      currency: null,
    };
    expect(await organizationsOf(owner)).toContainEqual(created);
    expect(await change({ name: '  Sorting office ', active: false })).toMatchObject({
      status: 200,
      body: { ...created, name: 'Sorting office', active: false },
    });
    expect(await api('DELETE /api/organizations/{organization}')).toMatchObject({ status: 204, text: '' });
    expect(await organizationsOf(owner)).toHaveLength(1);
  });

  it('is listed with the others of its user in pages of a hundred', async () => {
    const numbers = Array.from({ length: 150 }, (_, at) => 500_000 + at);
    const role = { user_id: owner.id, role: 'USER', is_default: false };
    await putAll(
      stack,
      numbers.flatMap(id => [
        { PK: `ORG#${id}`, SK: 'META', id, name: `Depot ${id}`, active: true },
        { PK: `USER#${owner.id}`, SK: `ORG#${String(id).padStart(15, '0')}`, organization_id: id, ...role },
      ]),
    );
    const ids = (page: { id: number }[]) => page.map(({ id }) => id);
    const first = ids(await organizationsOf(owner));
    expect(first).toEqual([owner.home.id, organization, ...numbers.slice(0, 98)]);
    const headers = { authorization: `Bearer ${owner.token}` };
    const rest = await stack.fetchJson('GET', `/api/organizations?after=${first.at(-1)}`, { headers });
    expect(ids(rest.body)).toEqual(numbers.slice(98));
    for (const after of ['', 'x', '-1', '1.5', '9'.repeat(16)]) {
      const refused = await stack.fetchJson('GET', `/api/organizations?after=${after}`, { headers });
      expect([after, refused.status, refused.body.errors]).toEqual([
        after,
        422,
        { after: ['after must be the number of an organization'] },
      ]);
    }
  });

  it.each([
    [{}, 'Name is required'],
    [{ name: { S: 'x' } }, 'Name is required'],
    [{ name: 'Win at www.evil.test' }, 'Name must not contain a link'],
  ])('is not created from %j', async (body, message) => {
    const before = await organizationsOf(owner);
    expect(await api('POST /api/organizations', body)).toMatchObject({
      status: 422,
      body: { errors: { name: [message] } },
    });
    expect(await organizationsOf(owner)).toEqual(before);
  });

  it('ignores read-only fields', async () => {
    const stray = {
      id: 1,
      organization_id: 1,
      is_default: true,
      role: 'USER',
      owner: 'x',
      deleted_at: 'x',
      logo: '/x',
    };
    const { body } = await api('POST /api/organizations', { name: 'New', ...stray });
    expect(body).toMatchObject({ is_default: false, role: 'OWNER', logo: null });
    expect(body.id).not.toBe(1);
    expect((await change(stray, body.id)).body).toEqual(body);
  });

  it.each(['abc', '0', '-1', '1.5', '%2e%2e', '9'.repeat(30)])('is not found by the id %j', async id => {
    expect((await change({}, id)).status).toBe(404);
  });
});

describe('an invitation', () => {
  it('is mailed, and its link makes the user a member', async () => {
    const guest = await newPerson(stack);
    const sent = await invite(guest.email, 'USER');
    expect(sent).toMatchObject({ status: 201, body: { email: guest.email, role: 'USER' } });
    expect((await members()).pending_invitations).toMatchObject([{ email: guest.email }]);
    const [mail] = await inbox(guest.email);
    expect(mail?.subject).toBe('You have been invited to an organization on Letterflow');
    expect(mail?.text).toContain('has invited you to join “Depot” on Letterflow as user.');
    const token = await secretFor(guest.email);
    expect(mail?.text).toContain(`${stack.url()}/invitations/accept/${token}`);
    expect(sent.text).not.toContain(token);

    expect((await call('GET /api/user/invitations', { token: guest.token })).body.invitations).toHaveLength(
      1,
    );
    expect(await accept(guest, token)).toMatchObject({ status: 200, body: { success: true } });
    expect((await members()).members.map((member: { email: string }) => member.email)).toContain(guest.email);
    expect((await members()).pending_invitations).toEqual([]);
    expect(await organizationsOf(guest)).toHaveLength(2);
  });

  it('of another address is refused with a message that names both', async () => {
    const guest = await newPerson(stack);
    const other = await newPerson(stack);
    await invite(guest.email, 'USER');
    const token = await secretFor(guest.email);
    const message = `This invitation was sent to ${guest.email}, but you're logged in as ${other.email}.`;
    const check = await api('GET /api/invitations/validate/{token}', undefined, other, { token });
    expect(check.body).toEqual({
      valid: false,
      message,
      email_mismatch: true,
      invitation_email: guest.email,
      user_email: other.email,
    });
    expect(await accept(other, token)).toMatchObject({ status: 403, body: { message } });
  });

  it.each(['OWNER', 'owner', '', null, 7, ['ADMIN']])('with the role %j is refused', async role => {
    const email = newAddress();
    const answer = await invite(email, role as string);
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { role: ['Role must be Admin, User or Viewer'] } },
    });
    expect(await inbox(email)).toEqual([]);
  });

  it('to an invalid address is refused', async () => {
    expect(await invite('no-address', 'USER')).toMatchObject({
      status: 422,
      body: { errors: { email: ['Enter a valid email address'] } },
    });
  });
});

describe('members', () => {
  it('are promoted and removed, and lose access at their next call', async () => {
    const member = await newMember('USER');
    expect((await invite('x@example.com', 'USER', member)).status).toBe(403);
    expect(await setRole(member.id, 'ADMIN')).toMatchObject({ status: 200, body: { role: 'ADMIN' } });
    expect((await invite('x@example.com', 'USER', member)).status).toBe(201);
    expect((await remove(member.id)).status).toBe(204);
    expect((await call('GET /api/email-lists', { token: member.token, organization })).status).toBe(403);
    expect(await organizationsOf(member)).toHaveLength(1);
  });

  it('cannot become owner, nor change or remove the owner or themselves', async () => {
    const admin = await newMember('ADMIN');
    for (const [member, by] of [
      [owner.id, owner],
      [owner.id, admin],
      [admin.id, admin],
    ] as const) {
      expect((await setRole(member, 'OWNER', by)).status).toBe(403);
      expect(await remove(member, by)).toMatchObject({ status: 403, body: { message: expect.any(String) } });
    }
    expect((await setRole(admin.id, 'OWNER')).status).toBe(422);
    expect((await members()).members).toMatchObject([{ role: 'OWNER' }, { role: 'ADMIN' }]);
  });

  it('come in pages of a hundred, with the pending invitations on the first one', async () => {
    await invite('invited@example.com', 'USER');
    const ids = Array.from({ length: 130 }, () => randomUUID());
    const SK = `ORG#${String(organization).padStart(15, '0')}`;
    await putAll(
      stack,
      ids.flatMap(id => [
        { PK: `ORG#${organization}`, SK: `MEMBER#${id}`, user_id: id, role: 'USER' },
        { PK: `USER#${id}`, SK, organization_id: organization, user_id: id, role: 'USER' },
        { PK: `USER#${id}`, SK: 'PROFILE', id, name: id, email: `${id}@example.com` },
      ]),
    );
    const first = await members();
    expect(first).toMatchObject({ pending_invitations: [{ email: 'invited@example.com' }] });
    expect(first.members).toHaveLength(100);
    const url = `/api/organizations/${organization}/members?cursor=`;
    const headers = { authorization: `Bearer ${owner.token}` };
    const { body: second } = await stack.fetchJson('GET', `${url}${first.next_cursor}`, { headers });
    expect(second).toMatchObject({ pending_invitations: [], next_cursor: null });
    const seen = [...first.members, ...second.members].map(({ id }) => id);
    expect(seen.sort()).toEqual([...ids, owner.id].sort());
    expect(await stack.fetchJson('GET', `${url}${'x'.repeat(201)}`, { headers })).toMatchObject({
      status: 422,
      body: { errors: { cursor: ['This cursor is not valid'] } },
    });
    const last = ids.find(id => second.members.some((member: { id: string }) => member.id === id)) ?? '';
    expect(await setRole(last, 'ADMIN')).toMatchObject({ status: 200, body: { id: last, role: 'ADMIN' } });
  });

  it('see all members, and the pending invitations unless their role is USER', async () => {
    const user = await newMember('USER');
    const admin = await newMember('ADMIN');
    await invite('invited@example.com', 'ADMIN');
    expect(await members(user)).toMatchObject({ members: [{}, {}, {}], pending_invitations: [] });
    expect(await members(admin)).toMatchObject({ members: [{}, {}, {}], pending_invitations: [{}] });
  });
});

describe('an API token', () => {
  const create = (body: unknown) => call('POST /api/tokens', { token: owner.token, body });

  it('is shown once, is valid for the public API alone, and ends when it is deleted', async () => {
    const { status, body } = await create({ name: 'import_2', expiration: 30 });
    expect(status).toBe(201);
    expect(body.token).toMatch(/^lf_/);
    stack.mustNotBeLogged(body.token);
    const lists = () => call('GET /api/v1/email-lists', { token: body.token });
    expect(await lists()).toMatchObject({ status: 200, body: [] });
    expect((await call('GET /api/user', { token: body.token })).status).toBe(401);

    const listed = (await call('GET /api/tokens', { token: owner.token })).body.tokens;
    expect(listed).toMatchObject([
      { name: 'import_2', display_name: 'import_2', scopes: ['legacy'], last_used_at: expect.any(String) },
    ]);
    expect(JSON.stringify(listed)).not.toContain(body.token);
    expect(
      (await call('DELETE /api/tokens/{id}', { token: owner.token, params: { id: listed[0].id } })).status,
    ).toBe(204);
    expect((await lists()).status).toBe(401);
  });

  it.each([
    [{}, { name: ['Token name is required'] }],
    [{ name: 'my token' }, { name: ['Token name can only contain letters, numbers, and underscores'] }],
    [{ name: 'ok', expiration: 8 }, { expiration: [expect.any(String)] }],
    [{ name: 'ok', scopes: 'read' }, { scopes: [expect.stringContaining('a list of read, contacts')] }],
    [{ name: 'ok', scopes: [] }, { scopes: ['Choose at least one scope, or leave scopes out'] }],
    [{ name: 'ok', scopes: ['read', 'all'] }, { scopes: [expect.stringContaining('one of read, contacts')] }],
    [{ name: 'ok', scopes: ['legacy'] }, { scopes: [expect.stringContaining('one of read, contacts')] }],
    [{ name: 'ok', scopes: ['read', 'read'] }, { scopes: ['Each scope can be there once'] }],
  ])('is not created from %j', async (body, errors) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { errors } });
    expect((await call('GET /api/tokens', { token: owner.token })).body.tokens).toEqual([]);
  });
});
