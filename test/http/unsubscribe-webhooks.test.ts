import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import { apiStack } from '../support/handlers.ts';
import { items, textOf } from '../support/items.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { type Got, newEndpoint, newWebhook, verified } from '../support/webhooks.ts';

const stack = apiStack();
const { call } = stack;

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

describe('the webhooks of an organization', () => {
  const OF_ALL = '/api/organizations/{organization}/webhooks';
  const at = (webhook = '') => ({ ...as, params: { organization: String(owner.home.id), list, webhook } });
  const rows = async (key: `GET ${typeof OF_ALL}` | `GET ${typeof HOOKS}`) => (await call(key, at())).body;

  it('are apart from those of its lists, and neither is found by the path of the other', async () => {
    const ofAll = await newWebhook(stack, owner, ALL_LISTS, { events: ['sent', 'subscribed', 'paused'] });
    const ofList = await newWebhook(stack, owner, list, { events: ['opened', 'clicked', 'delivered'] });
    expect(await rows(`GET ${OF_ALL}`)).toMatchObject([
      { id: ofAll.id, events: ['subscribed', 'sent', 'paused'] },
    ]);
    expect(await rows(`GET ${HOOKS}`)).toMatchObject([
      { id: ofList.id, events: ['delivered', 'opened', 'clicked'] },
    ]);
    const body = { active: false };
    const change = async (
      key: `PUT ${typeof OF_ALL}/{webhook}` | `PUT ${typeof HOOKS}/{webhook}`,
      id: string,
    ) => (await call(key, { ...at(id), body })).status;
    expect(await change(`PUT ${OF_ALL}/{webhook}`, ofList.id)).toBe(404);
    expect(await change(`PUT ${HOOKS}/{webhook}`, ofAll.id)).toBe(404);
    const asList = { ...as, params: { list: ALL_LISTS, webhook: ofAll.id }, body };
    expect((await call(`PUT ${HOOKS}/{webhook}`, asList)).status).toBe(404);
    expect(await change(`PUT ${OF_ALL}/{webhook}`, ofAll.id)).toBe(200);
    const deleted = await call(`DELETE ${OF_ALL}/{webhook}`, at(ofAll.id));
    expect([deleted.status, await rows(`GET ${OF_ALL}`)]).toEqual([204, []]);
  });

  it('are ten at most, and know no other events', async () => {
    const create = async (events: string[]) =>
      (await call(`POST ${OF_ALL}`, { ...at(), body: { name: 'Shop', url: 'https://example.com/', events } }))
        .body;
    expect((await create(['openend'])).errors['events.0'][0]).toMatch(
      /^Events are unsubscribed, .*, paused$/,
    );
    for (let count = 0; count < 10; count++) stack.mustNotBeLogged((await create(['sent'])).secret);
    expect((await create(['sent'])).errors.name[0]).toMatch(/^An organization can have at most 10 webhooks/);
    for (const { id } of await rows(`GET ${OF_ALL}`)) await call(`DELETE ${OF_ALL}/{webhook}`, at(id));
  });

  it('get an example of the first event that they want, in its shape', async () => {
    const { url, got } = await newEndpoint();
    for (const events of [['opened'], ['paused'], ['subscribed']]) {
      const { id, secret } = await newWebhook(stack, owner, ALL_LISTS, { url, events });
      const { body } = await call(`POST ${OF_ALL}/{webhook}/test`, at(id));
      expect(body.success).toBe(true);
      verified(secret, got.at(-1) ?? expect.fail());
    }
    const email = { email: 'example@example.com', list_member_id: 'example' };
    expect(got.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'email.opened', data: { events: [{ ...email, automation_id: 'example' }] } },
      { type: 'automation.paused', data: { automation_id: 'example', source: 'test' } },
      { type: 'list_member.subscribed', data: { events: [email] } },
    ]);
  });
});
