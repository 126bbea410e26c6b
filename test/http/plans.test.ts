import { afterEach, expect, it } from 'vitest';
import type { Plan } from '#shared/plan.ts';
import { apiStack } from '../support/handlers.ts';
import { newMailing } from '../support/mailing.ts';
import { switchOff } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

const sending: { token: string; organization: number }[] = [];
afterEach(async () => {
  for (const as of sending.splice(0)) await switchOff(stack, as);
});

type As = { token: string; organization: number };

async function newScene() {
  const mailing = await newMailing(stack);
  sending.push(mailing.as);
  const now = Date.parse((await stack.fetchJson('GET', '/_local/clock')).body.now);
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  for (const [name, hours] of [
    ['ann', 2],
    ['ben', 30],
    ['dan', 60],
  ] as const) {
    await mailing.add(`${name}@example.com`, { due: at(hours) });
  }
  const plan = async (body: object, as: As = mailing.as) => call('POST /api/plans', { ...as, body } as never);
  const apply = async (hash: string, body: object = {}, as: As = mailing.as) =>
    call('POST /api/plans/{hash}/apply', { ...as, params: { hash }, body } as never);
  const automation = async () =>
    (
      await call('GET /api/automations/{automation}', {
        ...mailing.as,
        params: { automation: mailing.automation },
      })
    ).body;
  return { ...mailing, plan, apply, shown: automation, at };
}

it('a changed delay is planned with the emails of each day, applied once, and answered alike when repeated', async () => {
  const { as, automation, plan, apply, shown } = await newScene();
  const { status, body } = await plan({
    automations: [{ id: automation, delay_days: 1, stop_after_days: 30 }],
  });
  const made = body as Plan;
  expect(status).toBe(201);
  expect(made.changes).toEqual([
    {
      kind: 'automation',
      id: automation,
      name: (await shown()).name,
      action: 'change',
      before: { delay_days: 0, stop_after_days: 0 },
      after: { delay_days: 1, stop_after_days: 30 },
    },
  ]);
  expect(made.scopes).toEqual(['automations']);
  expect(made.applied_at).toBeNull();
  expect(made.effect.days.reduce((sum, { more }) => sum + more, 0)).toBe(3);
  expect(made.effect.days.reduce((sum, { fewer }) => sum + fewer, 0)).toBe(3);
  expect(made.effect.newly_reached).toEqual({ count: 0, margin: 0, samples: [] });
  expect((await shown()).delay_days).toBe(0);
  const found = await call('GET /api/plans/{hash}', { ...as, params: { hash: made.hash } });
  expect(found.body).toEqual(made);

  const first = await apply(made.hash);
  expect(first.status, first.text).toBe(200);
  expect((await shown()).delay_days).toBe(1);
  const again = await apply(made.hash);
  expect(again.body).toEqual(first.body);
});
