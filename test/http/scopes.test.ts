import { beforeAll, describe, expect, it } from 'vitest';
import { may, mayHave, ROLES, type Role, SCOPE_NAMES, SCOPES } from '#shared/permissions.ts';
import { type Route, scopeOf } from '#shared/route.ts';
import { programRoutes } from '#shared/routes.ts';
import { LEGACY, type TokenScope } from '#shared/token.ts';
import { newAddress, type ProgramKey } from '../support/client.ts';
import { apiStack } from '../support/handlers.ts';
import { put } from '../support/items.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';
import { PROVE } from '../support/prove.ts';

const stack = apiStack();
const { call } = stack;

const ofPrograms = Object.entries(programRoutes) as [ProgramKey, Route][];

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
const probe = (key: ProgramKey, role: Role, scope: TokenScope) => {
  const names = [...key.matchAll(/{(\w+)}/g)].map(([, name = '']) => name);
  const params = names.map(name => [name, UNKNOWN[name] ?? '0'.repeat(12)]);
  return call(key, {
    token: tokens.get(`${role} ${scope}`) ?? '',
    organization: depot,
    params: { ...Object.fromEntries(params), organization: String(depot) },
    ...(programRoutes[key]?.body && { body: {} }),
  });
};

describe.each(ofPrograms)('%s', (key, route) => {
  it('admits a token that has its scope, if the role of its user has the right', async () => {
    // A rate per ten seconds, and budgets per minute.
    await stack.advance(61, { outage: true });
    const needed = scopeOf(route);
    for (const role of ROLES) {
      for (const scope of EVERY) {
        // Scopes and roles are checked one after the other.
        if (!PROVE && role !== 'OWNER' && scope !== needed) continue;
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
        } else expect([200, 201, 404, 422], named).toContain(status);
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

  it('is refused where one of its scopes is none', async () => {
    for (const scopes of [['nonsense'], ['read', 'nonsense'], ['read', 'read']]) {
      const { status, body } = await create(people.OWNER, { scopes });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['scopes']]);
    }
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
    expect([scope, roles]).toEqual([scope, [...SCOPES[scope]]]);
  }
});

describe('What switches sending on or off', () => {
  let list: string;
  beforeAll(async () => {
    list = await newList(stack, people.OWNER);
  });
  const change = (scope: TokenScope, body: object) =>
    call('PUT /api/v1/email-lists/{list}', {
      token: tokens.get(`OWNER ${scope}`) ?? '',
      params: { list },
      body,
    });
  const stored = async () =>
    (
      await call('GET /api/v1/email-lists/{list}', {
        token: tokens.get('OWNER read') ?? '',
        params: { list },
      })
    ).body;

  it('takes the scope sending beside that of the call', async () => {
    const refused = await change('contacts', { name: 'Renamed', active: false });
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('sending')]);
    expect(await stored()).toMatchObject({ active: true });
    expect((await change('contacts', { name: 'Renamed' })).status).toBe(200);
    const { body } = await create(people.OWNER, { scopes: ['contacts', 'sending'] });
    tokens.set('OWNER both', body.token);
    expect((await change('both' as TokenScope, { active: false })).status).toBe(200);
    expect(await stored()).toMatchObject({ name: 'Renamed', active: false });
    expect((await change('contacts', { active: true })).status).toBe(403);
  });

  it('is a step of a sequence too', async () => {
    const body = { name: 'Course', email_list_ids: [list], starts_at: 'added', steps: [{ delay_days: 3 }] };
    const token = tokens.get('OWNER automations') ?? '';
    const made = await call('POST /api/v1/sequences', { token, body });
    expect([made.status, made.body.active]).toEqual([201, false]);
    const [{ automation_id }] = made.body.steps;
    const put = (step: object) =>
      call('PUT /api/v1/sequences/{sequence}', {
        token,
        params: { sequence: made.body.id },
        body: { steps: [{ automation_id, delay_days: 3, ...step }] },
      });
    expect((await put({ active: false })).status).toBe(403);
    expect((await put({ active: true })).status).toBe(403);
    expect((await put({ delay_days: 4 })).body.steps).toMatchObject([{ delay_days: 4, active: true }]);
  });

  it('is a creation that sends once content is linked, and a change that mails existing people', async () => {
    const token = tokens.get('OWNER automations') ?? '';
    const body = { name: 'Hello', email_list_ids: [list], starts_at: 'added', delay_days: 3 };
    const course = { name: 'Second course', email_list_ids: [list], starts_at: 'added' };
    const steps = [{ delay_days: 3, active: true }];
    const post = (key: ProgramKey, more: object) => call(key, { token, body: more });
    for (const refused of [
      await post('POST /api/v1/automations', { ...body, active: true }),
      await post('POST /api/v1/automations', body),
      await post('POST /api/v1/sequences', { ...course, steps, active: true }),
    ])
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('sending')]);
    const made = await post('POST /api/v1/automations', { ...body, active: false });
    expect([made.status, made.body.active]).toEqual([201, false]);
    expect((await post('POST /api/v1/sequences', { ...course, steps })).status).toBe(201);
    const including = await call('PUT /api/v1/automations/{automation}', {
      token,
      params: { automation: made.body.id },
      body: { email_list_ids: [list], include_existing: true },
    });
    expect([including.status, including.body.message]).toEqual([403, expect.stringContaining('sending')]);
  });
});

it('says of itself what it is for, and how often it may call', async () => {
  const { body } = await call('GET /api/v1/me', {
    token: tokens.get('VIEWER contacts') ?? '',
    organization: depot,
  });
  expect(body).toEqual({
    organization: { id: depot, name: people.OWNER.home.name, currency: null },
    role: 'VIEWER',
    scopes: ['contacts'],
    limits: { calls: 80, seconds: 10, body_bytes: 1024 * 1024, rows: 100, max_people: null },
  });
  const own = await call('GET /api/v1/me', { token: tokens.get('VIEWER legacy') ?? '' });
  expect(own.body).toMatchObject({
    organization: { id: people.VIEWER.home.id },
    role: 'OWNER',
    scopes: ['legacy'],
  });
});

it('finds nothing of another organization', async () => {
  const stranger = await newMember(stack);
  const list = await newList(stack, stranger);
  const { body } = await create(people.OWNER, { scopes: SCOPE_NAMES });
  const at = { token: body.token, params: { list } };
  const rows = { body: { name: 'Taken' } };
  expect((await call('GET /api/v1/email-lists/{list}', at)).status).toBe(404);
  expect((await call('PUT /api/v1/email-lists/{list}', { ...at, ...rows })).status).toBe(404);
  expect(
    (await call('DELETE /api/v1/email-lists/{list}', { ...at, organization: stranger.home.id })).status,
  ).toBe(403);
});

it('the calls of a program are counted together, whichever function answers them', async () => {
  const { body } = await create(people.OWNER, { scopes: SCOPE_NAMES });
  const ask = (key: ProgramKey) => call(key, { token: body.token });
  const window =
    Math.floor(new Date((await stack.fetchJson('GET', '/_local/clock')).body.now).getTime() / 10_000) *
    10_000;
  for (const begin of [window, window + 10_000]) {
    await put(stack, { PK: `RATE#${depot}`, SK: new Date(begin).toISOString(), calls: 79, processor_ms: 0 });
  }
  expect((await ask('GET /api/v1/automations')).status).toBe(200);
  const refused = await ask('GET /api/v1/email-sends');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  await stack.advance(21, { outage: true });
});
