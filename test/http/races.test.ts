import { beforeAll, describe, expect, it } from 'vitest';
import type { RouteKey } from '#shared/routes.ts';
import { contradictions } from '../support/audit.ts';
import { apiStack } from '../support/handlers.ts';
import { type Belongings, credentialFor, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = apiStack();

const mutating = (Object.keys(VALID) as RouteKey[]).filter(key => !key.startsWith('GET '));
const AT_ONCE = 3;

function send(key: RouteKey, caller: Belongings, input = VALID[key](caller.ids)) {
  return stack.call(key, { token: credentialFor(key, caller), organization: caller.owner.home.id, ...input });
}

/** Of several equal calls at once, how many succeed; any number may where it is not said. */
const SUCCEED: Partial<Record<RouteKey, number>> = {
  'POST /api/login/verify': 0,
  // Nobody accepts or rejects what was sent to another address, and the default organization stays.
  'POST /api/invitations/accept/{token}': 0,
  'POST /api/invitations/reject/{token}': 0,
  'DELETE /api/organizations/{organization}': 0,
  'DELETE /api/tokens/{id}': 1,
  'DELETE /api/user/sessions/{id}': 1,
  'DELETE /api/organizations/{organization}/members/{member}': 1,
  'DELETE /api/organizations/{organization}/invitations/{invitation}': 1,
  'DELETE /api/email-lists/{list}': 1,
  'DELETE /api/list-members/{listMember}': 1,
  'POST /api/tokens': 1,
  'POST /api/list-members': 1,
  'POST /api/email-sends/{emailSend}/resend': 1,
};

/** What ends a session needs one of its own. */
const endsSession = (key: RouteKey) => key === 'POST /api/logout' || key === 'DELETE /api/user/sessions/{id}';
/** What the other calls end or change keeps it from happening. */
const isEnding = (key: RouteKey) => key.startsWith('DELETE ') || key === RESEND;
// All share one caller: what is part of something ends before that.
const LATE = [
  'PUT /api/email-lists/{list}/imports/{memberImport}',
  'POST /api/email-lists/{list}/imports/{memberImport}/undo',
  'DELETE /api/email-lists/{list}',
  'DELETE /api/tokens',
];
const RESEND = 'POST /api/email-sends/{emailSend}/resend';
/** Of a member who is there, and of an automation as its plan saw it. */
const EARLY = [RESEND, 'POST /api/test-emails', 'POST /api/plans/{hash}/apply'];
const rank = (key: RouteKey) => (EARLY.includes(key) ? -1 : Number(LATE.includes(key)));
const inOrder = mutating.toSorted((a, b) => rank(a) - rank(b));
const callers: Belongings[] = [];
let shared: Belongings;
let ending: Belongings;
// Calls that look at domains have a budget in common with others.
let ofDomains: Belongings;
const isOfDomain = (key: RouteKey) => /tracking-domain|domain-check/.test(key);
beforeAll(async () => {
  [shared, ending, ofDomains] = [await newCaller(), await newCaller(), await newCaller()];
});

async function newCaller() {
  const caller = await newBelongings(stack);
  callers.push(caller);
  return caller;
}

describe.each(inOrder)('%s, three times at once', key => {
  it('fails in no unforeseen way, and happens once where it can only happen once', async () => {
    const caller = endsSession(key)
      ? await newCaller()
      : isEnding(key)
        ? ending
        : isOfDomain(key)
          ? ofDomains
          : shared;
    const input = VALID[key](caller.ids);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(key, caller, input)));
    const statuses = answers.map(({ status }) => status);
    expect(Math.max(...statuses), String(statuses)).toBeLessThan(500);
    const succeeded = statuses.filter(status => status < 300).length;
    expect(succeeded, String(statuses)).toBe(SUCCEED[key] ?? succeeded);
    expect(SUCCEED[key] === 0 || succeeded > 0, String(statuses)).toBe(true);
  });
});

it('all of them at once fail in no unforeseen way', async () => {
  const caller = await newCaller();
  const answers = await Promise.all([...mutating, ...mutating].map(key => send(key, caller)));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

it('nothing that is stored after all these races contradicts something else', async () => {
  expect(
    await contradictions(
      stack,
      callers.map(({ owner }) => owner.home.id),
    ),
  ).toEqual([]);
});
