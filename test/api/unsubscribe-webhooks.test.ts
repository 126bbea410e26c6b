import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { items, textOf } from '../support/items.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';
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
  await stack.fetchJson('POST', '/_local/drain');
  return reader;
}
const hooks = async () => (await call(`GET ${HOOKS}`, { ...as, params: { list } })).body;
const deliveriesOf = async (webhook: string) =>
  (await call(`GET ${HOOKS}/{webhook}/deliveries`, { ...as, params: { list, webhook } })).body.deliveries;

describe('a webhook', () => {
  const fields = {
    name: 'Shop',
    url: 'https://example.com/hook',
    headers: { 'X-Key': 'tiger', 'X-Other': 'lion' },
  };

  it('is created with a secret that is answered once, and headers that are not', async () => {
    const { status, body } = await call(`POST ${HOOKS}`, { ...as, params: { list }, body: fields });
    stack.mustNotBeLogged(body.secret);
    const { secret, ...shown } = body;
    expect(status).toBe(201);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'Shop',
      url: 'https://example.com/hook',
      active: true,
      parsed_headers: { 'X-Key': 'Defined', 'X-Other': 'Defined' },
      events: ['unsubscribed'],
      last_triggered_at: null,
      failing_since: null,
      switched_off: null,
      old_secret_until: null,
      created_at: expect.any(String),
    });
    expect(await hooks()).toEqual([shown]);
    const stored = textOf(await items(stack));
    for (const hidden of ['tiger', 'lion', secret]) expect(stored).not.toContain(hidden);
  });

  it('keeps the values of headers that are written as Defined, and drops those that are left out', async () => {
    const { url, got } = await newEndpoint();
    const { id: webhook } = await newWebhook(stack, owner, list, { ...fields, url });
    const change = (body: object) =>
      call(`PUT ${HOOKS}/{webhook}`, { ...as, params: { list, webhook }, body });
    const { body } = await change({ headers: { 'X-Key': 'Defined', 'X-New': 'bear' }, name: 'Store' });
    expect(body).toMatchObject({
      name: 'Store',
      url,
      parsed_headers: { 'X-Key': 'Defined', 'X-New': 'Defined' },
    });
    await call(`POST ${HOOKS}/{webhook}/test`, { ...as, params: { list, webhook } });
    expect(got[0]?.headers).toMatchObject({ 'x-key': 'tiger', 'x-new': 'bear' });
    expect(got[0]?.headers).not.toHaveProperty('x-other');
    const unknown = await change({ headers: { 'X-Unknown': 'Defined' } });
    expect(unknown).toMatchObject({
      status: 422,
      body: { errors: { 'headers.X-Unknown': ['Header value is required'] } },
    });
    expect((await change({ headers: {} })).body.parsed_headers).toEqual({});
  });

  it.each([
    [{ name: ' ' }, { name: ['Name is required'] }],
    [{ url: '' }, { url: ['URL is required'] }],
    [{ url: 'ftp://example.com' }, { url: ['URL must be a valid HTTP or HTTPS URL'] }],
    [{ url: 'https://' }, { url: ['URL must be a valid HTTP or HTTPS URL'] }],
    [{ url: 'https://user:secret@example.com/' }, { url: ['URL must be a valid HTTP or HTTPS URL'] }],
    [{ headers: { '': 'x' } }, { 'headers.': ['Header key is required'] }],
    [{ headers: { 'X-Key': ' ' } }, { 'headers.X-Key': ['Header value is required'] }],
    [{ headers: { Host: 'x' } }, { 'headers.Host': ['The header Host cannot be set'] }],
    [{ headers: { 'Webhook-Id': 'x' } }, { 'headers.Webhook-Id': ['The header Webhook-Id cannot be set'] }],
    [
      { headers: { 'X-Key': 'a\r\nX-Other: b' } },
      { 'headers.X-Key': ['Header value must be plain characters in one line'] },
    ],
    [
      { headers: { 'X Key': 'a' } },
      { 'headers.X Key': ['Header key must be letters, digits and hyphens only'] },
    ],
    [{ events: [] }, { events: ['Choose at least one event'] }],
  ])('is refused with %o', async (wrong, errors) => {
    const answer = await call(`POST ${HOOKS}`, { ...as, params: { list }, body: { ...fields, ...wrong } });
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect(await hooks()).toEqual([]);
  });

  it('is one of ten at most, however many are created at once', async () => {
    const create = () => call(`POST ${HOOKS}`, { ...as, params: { list }, body: fields });
    const answers = await Promise.all(Array.from({ length: 14 }, create));
    for (const { body } of answers) if (body.secret) stack.mustNotBeLogged(body.secret);
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(10);
    while ((await hooks()).length < 10) await newWebhook(stack, owner, list);
    const { status, body } = await create();
    const full = 'A list can have at most 10 webhooks. Delete one that is no longer needed.';
    expect([status, body.errors]).toEqual([422, { name: [full] }]);
    const [{ id: webhook }] = await hooks();
    await call(`DELETE ${HOOKS}/{webhook}`, { ...as, params: { list, webhook } });
    await newWebhook(stack, owner, list);
    expect(await hooks()).toHaveLength(10);
  });

  it('is not found in another list', async () => {
    const { id: webhook } = await newWebhook(stack, owner, list);
    const other = await newList(stack, owner);
    const answer = await call(`DELETE ${HOOKS}/{webhook}`, { ...as, params: { list: other, webhook } });
    expect(answer.status).toBe(404);
  });
});

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

  it('is not reported where they are removed from the list', async () => {
    const { url, got } = await newEndpoint();
    await newWebhook(stack, owner, list, { url });
    const { id: listMember } = await newReader();
    await call('DELETE /api/list-members/{listMember}', { ...as, params: { listMember } });
    await stack.fetchJson('POST', '/_local/drain');
    expect(got).toEqual([]);
  });

  it('is signed with both secrets for a day after a rotation', async () => {
    const { url, got } = await newEndpoint();
    const { id: webhook, secret } = await newWebhook(stack, owner, list, { url });
    const { body } = await call(`POST ${HOOKS}/{webhook}/secret`, { ...as, params: { list, webhook } });
    stack.mustNotBeLogged(body.secret);
    expect(body.secret).not.toBe(secret);
    await unsubscribed();
    const [one] = got as [Got];
    for (const either of [secret, body.secret]) expect(verified(either, one)).toBeTruthy();
    await advance(24 * HOUR + MINUTE);
    await unsubscribed();
    const two = got[1] as Got;
    expect(() => verified(secret, two)).toThrow();
    expect(verified(body.secret, two)).toBeTruthy();
  });

  it('is reported again until it works, with the same id, as the endpoint asks for', async () => {
    const { url, got } = await newEndpoint((_, nth) =>
      nth === 1 ? { status: 503, headers: { 'retry-after': '1800' } } : { status: nth === 2 ? 302 : 200 },
    );
    const { id } = await newWebhook(stack, owner, list, { url });
    await unsubscribed();
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'waiting', attempt: 1, status_code: 503, next_attempt_at: expect.any(String) },
    ]);
    expect((await hooks())[0].failing_since).not.toBeNull();
    await advance(25 * MINUTE);
    expect(got).toHaveLength(1);
    await advance(8 * MINUTE);
    expect(got).toHaveLength(2);
    await advance(10 * MINUTE);
    expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(got.map(({ body }) => body)).size).toBe(1);
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempt: 3, status_code: 200 }]);
    expect((await hooks())[0].failing_since).toBeNull();
  });

  it('delivers nothing more where the endpoint is gone, and tells the managers', async () => {
    const admin = await newMember(stack);
    await join(stack, owner, owner.home.id, admin, 'ADMIN');
    const user = await newMember(stack);
    await join(stack, owner, owner.home.id, user, 'USER');
    await stack.fetchJson('DELETE', '/_local/inbox');
    const { url, got } = await newEndpoint(() => ({ status: 410 }));
    const { id: webhook } = await newWebhook(stack, owner, list, { url });
    await unsubscribed();
    expect((await hooks())[0]).toMatchObject({ active: false, switched_off: { because: 'gone' } });
    await advance(3 * MINUTE);
    await unsubscribed();
    expect(got).toHaveLength(1);
    const { body } = await stack.fetchJson('GET', '/_local/inbox');
    expect(
      body.messages.map(({ to, subject }: { to: string; subject: string }) => [to, subject]).sort(),
    ).toEqual([owner, admin].map(({ email }) => [email, 'A webhook on Letterflow was deactivated']).sort());
    const again = await call(`POST ${HOOKS}/{webhook}/redeliver`, {
      ...as,
      params: { list, webhook },
      body: { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' },
    });
    expect(again.status).toBe(409);
    const { body: on } = await call(`PUT ${HOOKS}/{webhook}`, {
      ...as,
      params: { list, webhook },
      body: { active: true },
    });
    expect(on).toMatchObject({ active: true, switched_off: null, failing_since: null });
  });

  it('is delivered once more where somebody asks, one or all that failed', async () => {
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

describe('a test', () => {
  it('says what the endpoint answers, and stores nothing', async () => {
    let status = 200;
    const { url, got } = await newEndpoint(() => ({ status }));
    const { id: webhook, secret } = await newWebhook(stack, owner, list, { url });
    const test = async () =>
      (await call(`POST ${HOOKS}/{webhook}/test`, { ...as, params: { list, webhook } })).body;
    expect(await test()).toEqual({
      success: true,
      message: expect.stringMatching(/^The endpoint answered 200 in \d+ ms$/),
    });
    expect(verified(secret, got[0] as Got)).toMatchObject({
      data: { email: 'example@example.com', source: 'test' },
    });
    status = 500;
    expect(await test()).toEqual({ success: false, message: 'The endpoint answered with an error: 500' });
    expect(await deliveriesOf(webhook)).toEqual([]);
    expect((await hooks())[0]).toMatchObject({ last_triggered_at: null, failing_since: null });
  });

  it('of an address that is not public fails like that of one where nobody is', async () => {
    const messages = [];
    for (const url of [
      'http://169.254.169.254/',
      'http://10.0.0.1/',
      'http://127.0.0.1:9/',
      'http://nowhere.test/',
    ]) {
      const { id: webhook } = await newWebhook(stack, owner, list, { url });
      messages.push((await call(`POST ${HOOKS}/{webhook}/test`, { ...as, params: { list, webhook } })).body);
    }
    expect(messages).toEqual(Array(4).fill({ success: false, message: 'The address cannot be reached' }));
  });
});
