import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { proof } from '../support/proof.ts';
import { sharedStack, withRaces } from '../support/stack.ts';
import { type Got, newEndpoint, newFailedDelivery, newWebhook, verified } from '../support/webhooks.ts';

const stack = sharedStack();
withRaces();
const { call, advance } = stack;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

const HOOKS = '/api/email-lists/{list}/unsubscribe-webhooks';
let owner: Person;
let as: { token: string; organization: number };
let list: string;
beforeAll(async () => {
  owner = await newMember(stack);
  as = { token: owner.token, organization: owner.home.id };
});
beforeEach(async () => {
  list = await newList(stack, owner);
});

async function newReader() {
  const email = newAddress('reader');
  const { body } = await call('POST /api/list-members', { ...as, body: { email_list_id: list, email } });
  return { id: body.id, email };
}
const unsubscribe = (listMember: string) =>
  call('PUT /api/list-members/{listMember}', {
    ...as,
    params: { listMember },
    body: { is_subscribed: false },
  });
async function unsubscribed() {
  const reader = await newReader();
  await unsubscribe(reader.id);
  // All endpoints have one host, which gets two posts a second.
  await advance(2);
  return reader;
}
const hooks = async () => (await call(`GET ${HOOKS}`, { ...as, params: { list } })).body;
const deliveriesOf = async (webhook: string) =>
  (await call(`GET ${HOOKS}/{webhook}/deliveries`, { ...as, params: { list, webhook } })).body.deliveries;

describe('whoever unsubscribes', () => {
  it('is reported to the webhooks that want it, signed, once', async () => {
    const { url, got } = await newEndpoint();
    const { id, secret } = await newWebhook(stack, owner, list, {
      url,
      headers: { Authorization: 'Bearer 7' },
    });
    await newWebhook(stack, owner, list, { url, events: ['bounced', 'complained'] });
    const { email, id: member } = await unsubscribed();
    expect(got).toHaveLength(1);
    const [one] = got as [Got];
    expect(verified(secret, one)).toEqual({
      type: 'list_member.unsubscribed',
      timestamp: expect.any(String),
      data: {
        email_list_id: list,
        list_member_id: member,
        email,
        unsubscribed_at: expect.any(String),
        source: 'app',
      },
    });
    expect(one.headers).toMatchObject({
      authorization: 'Bearer 7',
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{24}$/),
    });
    const facts = { event: 'unsubscribed', state: 'delivered', attempt: 1, status_code: 204, error: null };
    expect(await deliveriesOf(id)).toMatchObject([{ ...facts, duration_ms: expect.any(Number) }]);
    expect((await hooks()).map((hook: { last_triggered_at: unknown }) => hook.last_triggered_at)).toEqual(
      expect.arrayContaining([expect.any(String), null]),
    );
  });

  proof('is signed with both secrets for a day after a rotation', async () => {
    const { url, got } = await newEndpoint();
    const { id: webhook, secret } = await newWebhook(stack, owner, list, { url });
    const { body } = await call(`POST ${HOOKS}/{webhook}/secret`, { ...as, params: { list, webhook } });
    stack.mustNotBeLogged(body.secret);
    expect(body.secret).not.toBe(secret);
    await unsubscribed();
    const [one] = got as [Got];
    for (const either of [secret, body.secret]) expect(verified(either, one)).toBeTruthy();
    await advance(24 * HOUR, { outage: true });
    await unsubscribed();
    const two = got[1] as Got;
    expect(() => verified(secret, two)).toThrow();
    expect(verified(body.secret, two)).toBeTruthy();
  });

  proof('is delivered once more where somebody asks, one or all that failed', async () => {
    let status = 410;
    const { url, got } = await newEndpoint(() => ({ status }));
    const { id: webhook } = await newWebhook(stack, owner, list, { url });
    const gone = await unsubscribed();
    await newFailedDelivery(stack, { organization: owner.home.id, list, webhook, member: gone.id });
    await call(`PUT ${HOOKS}/{webhook}`, { ...as, params: { list, webhook }, body: { active: true } });
    const [delivery] = (await deliveriesOf(webhook)).toReversed();
    expect(delivery).toMatchObject({ state: 'failed' });
    status = 500;
    const params = { list, webhook };
    const one = { ...as, params: { ...params, delivery: delivery.id } };
    const asked = await call(`POST ${HOOKS}/{webhook}/deliveries/{delivery}/redeliver`, one);
    expect(asked).toMatchObject({ status: 200, body: { state: 'waiting' } });
    await advance(MINUTE);
    expect((await hooks())[0].failing_since).toBeNull();
    status = 200;
    const all = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    const { body } = await call(`POST ${HOOKS}/{webhook}/redeliver`, { ...as, params, body: all });
    expect(body).toEqual({ redelivered: 2, next_cursor: null });
    await advance(MINUTE);
    await advance(2);
    expect((await deliveriesOf(webhook)).map(({ state }: { state: string }) => state)).toEqual([
      'delivered',
      'delivered',
    ]);
    const { body: none } = await call(`POST ${HOOKS}/{webhook}/redeliver`, { ...as, params, body: all });
    expect(none).toEqual({ redelivered: 0, next_cursor: null });
    expect(got.length).toBeGreaterThanOrEqual(4);
    const unknown = await call(`POST ${HOOKS}/{webhook}/deliveries/{delivery}/redeliver`, {
      ...as,
      params: { ...params, delivery: `0000000000000-${'0'.repeat(24)}` },
    });
    expect(unknown.status).toBe(404);
  });
});
