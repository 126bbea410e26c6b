import { beforeAll, describe, expect, it } from 'vitest';
import { may, mayHave, ROLES, type Role, SCOPES, type Scope } from '#shared/permissions.ts';
import { type Route, scopeOf } from '#shared/route.ts';
import { type RouteKey, routes } from '#shared/routes.ts';
import { LEGACY, SCOPE_NAMES, type TokenScope } from '#shared/token.ts';
import { newAddress } from '../support/client.ts';
import { apiStack } from '../support/handlers.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

const ofPrograms = (Object.entries(routes) as [RouteKey, Route][]).filter(
  ([, { credential }]) => credential === 'token',
);

const EVERY: TokenScope[] = [...SCOPE_NAMES, LEGACY];

let people: Record<Role, Person>;
let depot: number;
/** A token of each role with each scope alone. */
const tokens = new Map<string, string>();

const create = ({ token }: Person, more: object, organization?: number) =>
  call('POST /api/tokens', {
    token,
    ...(organization !== undefined && { organization }),
    body: { name: newAddress('t').replace(/\W/g, '_'), ...more },
  });

beforeAll(async () => {
  const owner = await newMember(stack);
  depot = owner.home.id;
  people = { OWNER: owner } as typeof people;
  for (const role of ['ADMIN', 'USER', 'VIEWER'] as const) {
    people[role] = await newMember(stack);
    await join(stack, owner, depot, people[role], role);
  }
  // They are created in the organization of each, which owns it.
  for (const role of ROLES) {
    for (const scope of EVERY) {
      const { body } = await create(people[role], scope === LEGACY ? {} : { scopes: [scope] });
      tokens.set(`${role} ${scope}`, body.token);
    }
  }
});

/** Ids of nothing. */
const UNKNOWN: Record<string, string> = {
  emailSend: `${'0'.repeat(22)}-1`,
  listMember: `${'0'.repeat(12)}-${'0'.repeat(22)}`,
  listMemberAction: `list-${'0'.repeat(22)}-1`,
};

/** A call that changes nothing: what its path names does not exist, or its body is empty. */
const probe = (key: RouteKey, role: Role, scope: TokenScope) => {
  const names = [...key.matchAll(/{(\w+)}/g)].map(([, name = '']) => name);
  const params = names.map(name => [name, UNKNOWN[name] ?? '0'.repeat(12)]);
  return call(key, {
    token: tokens.get(`${role} ${scope}`) ?? '',
    organization: depot,
    params: { ...Object.fromEntries(params), organization: String(depot) },
    ...((routes[key] as Route).body && { body: {} }),
  });
};

describe.each(ofPrograms)('%s', (key, route) => {
  it('admits a token that has its scope, if the role of its user has the right', async () => {
    // A rate per ten seconds, and budgets per minute.
    await stack.advance(61, { outage: true });
    for (const role of ROLES) {
      for (const scope of EVERY) {
        const needed = scopeOf(route);
        const isAdmitted =
          needed === 'any' || scope === needed || (scope === LEGACY && route.legacy === true);
        const { status, body } = await probe(key, role, scope);
        const named = `${role} ${scope}: ${JSON.stringify(body)}`;
        if (!isAdmitted) {
          expect(status, named).toBe(403);
          expect(body.message).toContain(`lacks the scope ${needed}`);
        } else if (!may(role, route.permission as Parameters<typeof may>[1])) {
          expect(status, named).toBe(403);
          expect(body.message).toContain('Your role does not allow this');
        } else expect([200, 404, 422], named).toContain(status);
      }
    }
  });
});

describe('A token', () => {
  it('is created with scopes that the role of its user has in the organization of the call', async () => {
    for (const role of ROLES) {
      for (const scope of SCOPE_NAMES) {
        const { status, body } = await create(people[role], { scopes: [scope] }, depot);
        expect([role, scope, status]).toEqual([role, scope, mayHave(role, scope) ? 201 : 422]);
        if (status === 422) expect(body.errors.scopes).toEqual([expect.stringContaining(scope)]);
      }
    }
    expect(SCOPE_NAMES.filter(scope => mayHave('VIEWER', scope))).toEqual(['read']);
    expect((await create(people.VIEWER, {}, depot)).status).toBe(201);
  });

  it('has no scopes of an organization that its user does not belong to', async () => {
    const stranger = await newMember(stack);
    expect((await create(stranger, { scopes: ['read'] }, depot)).status).toBe(403);
    expect((await call('GET /api/tokens', { token: stranger.token })).body.tokens).toEqual([]);
  });

  it('can do no more than the role that its user has now', async () => {
    const person = await newMember(stack);
    await join(stack, people.OWNER, depot, person, 'ADMIN');
    const { body: created } = await create(person, { scopes: SCOPE_NAMES }, depot);
    const post = () =>
      call('POST /api/v1/events', { token: created.token, organization: depot, body: { events: [] } });
    const become = (role: Role) =>
      call('PUT /api/organizations/{organization}/members/{member}', {
        token: people.OWNER.token,
        params: { organization: String(depot), member: person.id },
        body: { role },
      });
    expect((await post()).status).toBe(422);
    await become('VIEWER');
    expect((await post()).body.message).toContain('Your role does not allow this');
    await become('USER');
    expect((await post()).status).toBe(422);
  });
});

it('a role may be given the scopes of which it can make a call', () => {
  for (const scope of SCOPE_NAMES) {
    const roles = ROLES.filter(role =>
      ofPrograms.some(
        ([, route]) => scopeOf(route) === scope && may(role, route.permission as Parameters<typeof may>[1]),
      ),
    );
    if (roles.length > 0) expect([scope, roles]).toEqual([scope, [...SCOPES[scope as Scope]]]);
  }
});
