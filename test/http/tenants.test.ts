import { beforeAll, describe, expect, it } from 'vitest';
import type { RouteKey } from '#shared/routes.ts';
import { apiStack } from '../support/handlers.ts';
import { storedOf } from '../support/stored.ts';
import { type Belongings, credentialFor, type Input, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = apiStack();

// What the victim's organization, lists and metadata are called, so that an answer that shows them is noticed.
const MARK = 'Marigold';

let victim: Belongings;
let attacker: Belongings;
let before: Record<string, unknown>;

beforeAll(async () => {
  victim = await newBelongings(stack, MARK);
  attacker = await newBelongings(stack);
  before = await storedOf(stack, victim);
});

/** The calls of the attacker with one id, or every id, replaced by the victim's; whether the query alone names it. */
function attacksOf(key: RouteKey): { input: Input; isFilter: boolean }[] {
  const own = VALID[key](attacker.ids);
  const written = JSON.stringify(own);
  const names = Object.keys(attacker.ids) as (keyof Belongings['ids'])[];
  const swaps = names.filter(name => written.includes(`"${attacker.ids[name]}"`));
  const attack = (swapped: typeof names) => {
    const text = swapped.reduce(
      (text, name) => text.replaceAll(`"${attacker.ids[name]}"`, `"${victim.ids[name]}"`),
      written,
    );
    const input: Input = JSON.parse(text);
    const { query: _, ...others } = input;
    const { query: __, ...ownOthers } = own;
    return { input, isFilter: JSON.stringify(others) === JSON.stringify(ownOthers) };
  };
  return [...swaps.map(name => attack([name])), ...(swaps.length > 1 ? [attack(swaps)] : [])];
}

const keys = Object.keys(VALID) as RouteKey[];
const names = (key: RouteKey) => {
  const ids = new Proxy({}, { get: (_, name) => `id of ${String(name)}` }) as Belongings['ids'];
  return JSON.stringify(VALID[key](ids)).includes('id of ');
};
const named = keys.filter(names);
const unnamed = keys.filter(key => !names(key));

it('knows of every route whose path names something what it names', () => {
  expect(unnamed.filter(key => key.includes('{'))).toEqual([]);
});

describe.each(named)('%s', key => {
  it('does not show what belongs to another organization', async () => {
    const token = credentialFor(key, attacker);
    const attacks = attacksOf(key);
    expect(attacks).not.toEqual([]);
    for (const { input, isFilter } of attacks) {
      for (const organization of [attacker.owner.home.id, victim.owner.home.id, undefined]) {
        const answer = await stack.call(key, {
          token,
          ...input,
          ...(organization !== undefined && { organization }),
        });
        const isNoInvitation = key === 'GET /api/invitations/validate/{token}' && answer.body.valid === false;
        // A filter by what is not there finds nothing.
        const isNothing = isFilter && answer.status === 200;
        // A call for many members says of each that it, or its list, is not there.
        const { results = [] } = answer.body as { results?: { status: string; errors?: object }[] };
        const isNoMember =
          results.length > 0 &&
          results.every(
            ({ status, errors = {} }) =>
              status === 'not_found' || (status === 'rejected' && 'email_list_id' in errors),
          );
        const isMissing = isNoInvitation || isNothing || isNoMember;
        expect([403, 404, 422], answer.text).toContain(isMissing ? 404 : answer.status);
        expect(answer.text).not.toContain(MARK);
        expect(answer.text).not.toContain(victim.owner.email);
      }
    }
  });
});

/** They end the session or the tokens of their caller. */
const ENDING: RouteKey[] = ['POST /api/logout', 'DELETE /api/tokens'];

describe.each(unnamed)('%s', key => {
  it('shows nothing of another organization that the header names', async () => {
    const caller = ENDING.includes(key) ? await newBelongings(stack) : attacker;
    const answer = await stack.call(key, {
      token: credentialFor(key, caller),
      organization: victim.owner.home.id,
      ...VALID[key](caller.ids),
    });
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toContain(MARK);
  });
});

// Once for all calls: each look reads the whole table.
it('none of these calls has changed what belongs to another organization', async () => {
  expect(await storedOf(stack, victim)).toEqual(before);
});
