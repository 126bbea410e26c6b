import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { HEALTH } from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import type { Route } from '#shared/route.ts';
import { type RouteKey, routes, sections } from '#shared/routes.ts';
import { apiStack } from '../support/handlers.ts';
import { extent } from '../support/prove.ts';
import { storedOf } from '../support/stored.ts';
import { type Belongings, credentialFor, type Input, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = apiStack();

/** Values that no field of the API is for. */
const HOSTILE: unknown[] = [
  null,
  true,
  -1.5,
  '',
  'x'.repeat(5_000),
  'a\r\nBcc: b@example.com\u0000',
  '\uD800',
  '<img src=x onerror=alert(1)>{{constructor.constructor("return 1")()}}%recipient.email%',
  '../../__proto__',
  ['x'],
  { S: 'x' },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}'),
  Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field ${at}`, {}])),
];

// Lambda answers at most 6 MB, and nobody reads as much; a message about a fault is short.
const LONGEST_REFUSAL = 20_000;

// A field of a body gets every third of these values, its neighbours the others; in a proof it gets all of them.
const PART = extent(3, 1);

type Attack = Pick<Input, 'query' | 'body'>;

const hostileTo = (field: number) => HOSTILE.filter((_, at) => (at + field) % PART === 0);

function attacksOf(valid: Input): Attack[] {
  const bodies = Object.keys(valid.body ?? {}).flatMap((field, at) =>
    hostileTo(at).map(value => ({ body: { ...valid.body, [field]: value } })),
  );
  const queries = Object.keys(valid.query ?? {}).flatMap(name =>
    HOSTILE.map(value => ({ query: { ...valid.query, [name]: String(value).slice(0, 5_000) } })),
  );
  return [...bodies, ...queries];
}

const keys = (Object.keys(VALID) as RouteKey[]).filter(key => {
  const ids = new Proxy({}, { get: () => 'x' }) as Belongings['ids'];
  const { body, query } = VALID[key](ids);
  return body ?? query;
});

it('no shape of a body or a query fails on any JSON', () => {
  for (const { body, query } of Object.values<Route>(routes)) {
    for (const shape of [body, query]) {
      if (!shape) continue;
      const property = fc.property(fc.jsonValue({ maxDepth: 4 }), value => void shape.safeParse(value));
      fc.assert(property, { numRuns: 200 });
    }
  }
});

let target: Belongings;
beforeAll(async () => {
  target = await newBelongings(stack);
});

/** Sends a valid call with what an attack puts into it. */
const send = (key: RouteKey, attack: Attack) =>
  stack.call(key, {
    token: credentialFor(key, target),
    organization: target.owner.home.id,
    ...VALID[key](target.ids),
    ...attack,
  });

/** The attacks on a route, those first that its shapes refuse. */
function sortedAttacks(key: RouteKey): [Attack[], Attack[]] {
  const valid = VALID[key](target.ids);
  const { body, query }: Route = routes[key];
  const { refused = [], accepted = [] } = Object.groupBy(attacksOf(valid), attack => {
    const { body: asked, query: asks } = { ...valid, ...attack };
    const isRefused = body?.safeParse(asked).success === false || query?.safeParse(asks).success === false;
    return isRefused ? 'refused' : 'accepted';
  });
  return [refused, accepted];
}

describe.each(keys)('%s', key => {
  it('fails in no unforeseen way on what it stores', async () => {
    const [, accepted] = sortedAttacks(key);
    for (const attack of accepted) {
      const { status, text } = await send(key, attack);
      expect(status, text.slice(0, 300)).toBeLessThan(500);
      if (status >= 400) expect(text.length).toBeLessThan(LONGEST_REFUSAL);
    }
  });
});

// What deliveries to a webhook store. Those that failed are tried again by themselves.
const OF_DELIVERIES = [...HEALTH, 'last_triggered_at', 'attempted_at', 'attempts', 'next_at', 'tries'];

async function storedByCalls() {
  const stored = await storedOf(stack, target);
  for (const [key, item] of Object.entries(stored)) {
    if (!/ HOOK#|#HOOKS#/.test(key)) continue;
    for (const field of OF_DELIVERIES) delete (item as Record<string, unknown>)[field];
  }
  return stored;
}

describe('what is refused', () => {
  let before: Record<string, unknown>;
  beforeAll(async () => {
    before = await storedByCalls();
  });

  it.each(keys)('by %s is refused in a few words', async key => {
    const [refused] = sortedAttacks(key);
    expect(refused).not.toEqual([]);
    for (const attack of refused) {
      const answer = await send(key, attack);
      expect([422, 429], JSON.stringify(attack).slice(0, 300)).toContain(answer.status);
      expect(answer.body.message).toEqual(expect.any(String));
      expect(answer.text.length, JSON.stringify(attack).slice(0, 300)).toBeLessThan(LONGEST_REFUSAL);
    }
  });

  // Once for all calls: each look reads the whole table.
  it('changes nothing', async () => {
    expect(await storedByCalls()).toEqual(before);
  });
});

const BODIES: [string, string | Buffer, Record<string, string>, number][] = [
  ['no JSON', '{', {}, 422],
  ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['text', 'hello', {}, 422],
  ['a list', '[]', {}, 422],
  ['a number', '1', {}, 422],
  ['null', 'null', {}, 422],
  ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80]), {}, 422],
  ['brackets ten thousand deep', '['.repeat(10_000), {}, 422],
  ['objects ten thousand deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, {}, 422],
];
const withBody = keys.filter(key => !key.startsWith('GET '));
/** One route of each section: all read a body in the same way, so the others get the first two alone. */
const onePerSection = new Set(Object.values(sections).map(table => withBody.find(key => key in table)));

describe.each(withBody)('%s', key => {
  const at = { token: '', organization: '' };
  const raw = (body: string | Buffer, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = key.split(' ');
    const { params = {} } = VALID[key](target.ids);
    return stack.fetchJson(
      method,
      path.replace(/{(\w+)}/g, (_, name) => params[name] ?? ''),
      {
        headers: {
          authorization: `Bearer ${at.token}`,
          'x-active-organization': at.organization,
          'content-type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      },
    );
  };

  it.each(BODIES.slice(0, onePerSection.has(key) ? undefined : 2))(
    'refuses %s as its body',
    async (_, body, headers, status) => {
      Object.assign(at, { token: credentialFor(key, target), organization: String(target.owner.home.id) });
      const answer = await raw(body, headers);
      expect([answer.status, typeof answer.body.message]).toEqual([status, 'string']);
    },
  );
});
