import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import * as session from '#core/account/session.ts';
import * as token from '#core/account/token.ts';
import * as users from '#core/account/user.ts';
import * as quota from '#core/organization/quota.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import type { RouteTable } from '#shared/route.ts';
import { newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';
import { newUser } from '../support/people.ts';

const table = freshTable();
const now = new Date();

const Id = z.object({ id: z.string() });
const routes = {
  'PUT /api/organizations/{organization}': {
    id: 'edit',
    permission: 'organization:edit',
    answer: Id,
    summary: '',
  },
  'GET /api/lists/{list}': {
    id: 'read',
    permission: 'lists:read',
    query: z.object({ page: z.optional(z.literal('1')) }),
    answer: Id,
    summary: '',
  },
  'GET /api/predicted': {
    id: 'predict',
    permission: 'lists:read',
    budget: { name: 'guesses', most: 10, seconds: 60, processorMs: 20_000, mostMs: 8_000 },
    answer: Id,
    summary: '',
  },
} as const satisfies RouteTable;
const ofPrograms = {
  'GET /api/v1/lists/{list}': {
    id: 'readByToken',
    permission: 'lists:read',
    credential: 'token',
    answer: Id,
    summary: '',
  },
} as const satisfies RouteTable;

type Call = {
  credential?: string;
  active?: number | string;
  params: Record<string, string>;
  query?: Record<string, string>;
};
/** What a prediction does. */
let predict: (hasTimeLeft: (reserveMs?: number) => boolean) => string;
let msLeft = 25_000;

let call: (
  routeKey: keyof (typeof routes & typeof ofPrograms),
  call: Call,
) => Promise<{ status?: number; body: unknown }>;

let user: Awaited<ReturnType<typeof newUser>>;
let secret: string;
let apiToken: string;
let home: string;
/** An organization in which the user has the role USER. */
let other: number;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('#functions/platform/table.ts', () => ({ table }));
  const { serve, serveProgram } = await import('#functions/http/serve.ts');
  const { list } = await import('#functions/http/path-params.ts');
  const answered = async (id: unknown) => ({ id }) as { id: string };
  const handler = serve(
    routes,
    {
      'PUT /api/organizations/{organization}': ({ active }) => answered(String(active.organization.id)),
      // What no contract declares.
      'GET /api/lists/{list}': () => answered(7),
      'GET /api/predicted': ({ hasTimeLeft }) => answered(predict(hasTimeLeft)),
    },
    { list },
  );
  const handlerOfPrograms = serveProgram(
    ofPrograms,
    { 'GET /api/v1/lists/{list}': ({ list }) => answered(list.id) },
    { list },
  );
  call = async (routeKey, { credential, active, params, query = {} }) => {
    const headers = {
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...(active !== undefined && { 'x-active-organization': String(active) }),
    };
    const event = { routeKey, headers, pathParameters: params, queryStringParameters: query };
    const invoked = routeKey in ofPrograms ? handlerOfPrograms : handler;
    const response = await invoked(event as never, { getRemainingTimeInMillis: () => msLeft } as Context);
    const { statusCode, body } = response as APIGatewayProxyStructuredResultV2;
    return { ...(statusCode && { status: statusCode }), body: JSON.parse(body ?? 'null') };
  };

  user = await newUser(table, now);
  home = String(user.organizationId);
  await users.acceptTerms({ table, now }, user.id);
  const opened = session.newSession({ table, now }, user.id, '');
  secret = opened.token;
  other = (await newUser(table, now)).organizationId;
  const membership = { organization_id: other, user_id: user.id, role: 'USER' as const, is_default: false };
  const joining = quota.joiningWrites(table, membership, now.toISOString());
  await commit(table, [...opened.writes, ...joining]);
  apiToken = await token.create({ table, now }, user.id, {
    name: 'program',
    expiration: null,
    scopes: ['read'],
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
  msLeft = 25_000;
});

describe('a call whose path names an organization', () => {
  const edit = (organization: string, active?: number | string) =>
    call('PUT /api/organizations/{organization}', {
      credential: secret,
      params: { organization },
      ...(active !== undefined && { active }),
    });

  it('is about that one, with the role there, where the header names another one of the caller', async () => {
    expect(await edit(home, other)).toEqual({ status: 200, body: { id: home } });
    expect(await edit(String(other), home)).toMatchObject({ status: 403 });
  });

  it('knows each organization by one number alone', async () => {
    expect((await edit(`0${home}`)).status).toBe(404);
    expect((await edit(home, `0${home}`)).status).toBe(422);
  });
});

it('a name that is longer than any id is not there, for who is signed in', async () => {
  const longest = { list: 'x'.repeat(200) };
  const longer = { list: 'x'.repeat(201) };
  const read = (credential: string | undefined, params: { list: string }) =>
    call('GET /api/lists/{list}', { params, ...(credential && { credential }) });
  expect((await read(secret, longest)).body).toEqual({ message: 'Email list not found' });
  expect(await read(secret, longer)).toEqual({ status: 404, body: { message: 'There is nothing here.' } });
  expect((await read(undefined, longer)).status).toBe(401);
});

it('a query is validated for a list that exists, and for who may read it', async () => {
  const { id } = await newList(table, now, { organization: user.organizationId });
  const wrong = { credential: secret, query: { page: 'x' } };
  const statusOf = async (wrong: Call) => (await call('GET /api/lists/{list}', wrong)).status;
  expect(await statusOf({ ...wrong, params: { list: id } })).toBe(422);
  expect(await statusOf({ ...wrong, params: { list: 'nothing' } })).toBe(404);
  expect(await statusOf({ ...wrong, params: { list: id }, active: 999_999 })).toBe(403);
});

it('an organization whose programs call too often is refused before its lists are looked for', async () => {
  const read = (list: string) => call('GET /api/v1/lists/{list}', { credential: apiToken, params: { list } });
  const { id } = await newList(table, now, { organization: user.organizationId });
  expect(await read(id)).toEqual({ status: 200, body: { id } });
  const window = Math.floor(Date.now() / 10_000) * 10_000;
  const puts = [window, window + 10_000].map(begin => {
    return { PK: `RATE#${home}`, SK: new Date(begin).toISOString(), calls: 80 };
  });
  await batchWrite(table, { puts });
  expect((await read('nothing')).status).toBe(429);
});

it.each([
  ['true', 500],
  ['false', 200],
])(
  'an answer that its contract does not declare is refused where answers are checked: %s',
  async (checked, status) => {
    vi.stubEnv('CHECK_ANSWERS', checked);
    const { id } = await newList(table, now, { organization: user.organizationId });
    const answer = await call('GET /api/lists/{list}', { credential: secret, params: { list: id } });
    expect(answer.status).toBe(status);
  },
);

describe('a prediction', () => {
  const ask = () => call('GET /api/predicted', { credential: secret, active: home, params: {} });
  const asked = async (...reserves: number[]) => {
    const answers: string[] = [];
    predict = hasTimeLeft => {
      answers.push(reserves.map(hasTimeLeft).join());
      return 'done';
    };
    await ask();
    return answers[0];
  };

  it('has time for as long as its budget says, or until the function keeps four seconds for its answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(await asked(0, 7_900, 8_000)).toBe('true,true,false');
    msLeft = 5_000;
    expect(await asked(0, 999, 1_000)).toBe('true,true,false');
    msLeft = 25_000;
    predict = hasTimeLeft => {
      const times = [7_999, 1].map(ms => {
        vi.setSystemTime(Date.now() + ms);
        return hasTimeLeft();
      });
      return times.join();
    };
    expect((await ask()).body).toEqual({ id: 'true,false' });
  });

  it('adds its processor time to the budget, also where it fails, and the next one is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    const spent = async () => (await queryPartition(table, `RATE#${home}#guesses`)).at(-1)?.processor_ms;
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 8_000_000, system: 4_000_000 });
    predict = () => 'done';
    expect([(await ask()).status, await spent()]).toEqual([200, 12_000]);
    predict = () => {
      throw new Error('It fails');
    };
    expect([(await ask()).status, await spent()]).toEqual([500, 24_000]);
    expect((await ask()).status).toBe(429);
  });
});
