import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UNSUBSCRIBE_WORDS } from '#shared/unsubscribe-words.ts';
import { apiStack } from '../support/handlers.ts';
import { dataUrl, PNG } from '../support/images.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

const FORM = {
  name: 'Readers',
  domain: 'example.com',
  sender_name: 'The editors',
  sender_address: 'letters@example.com',
};

let owner: Person;
let list: string;
const params = () => ({ list });
const as = (person: Person) => ({ token: person.token, organization: person.home.id });
const create = (fields: object) =>
  call('POST /api/email-lists', { ...as(owner), body: { ...FORM, ...fields } });
const read = () => call('GET /api/email-lists/{list}', { ...as(owner), params: params() });
const change = (body: object) =>
  call('PUT /api/email-lists/{list}', { ...as(owner), params: params(), body });

beforeAll(async () => {
  owner = await newMember(stack);
});
beforeEach(async () => {
  list = (await create({})).body.id;
});

describe('An email list', () => {
  it('is active, untested and empty at first, with the English unsubscribe text', async () => {
    const { status, body } = await create({ name: '  Buyers ', domain: 'EXAMPLE.com' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{12}$/),
      ...FORM,
      name: 'Buyers',
      public_name: null,
      active: true,
      logo: null,
      time_zone: null,
      unsubscribe_text: 'Unsubscribe',
      reply_to: null,
      provider: 'mailgun',
      second_provider: null,
      domain_verified: false,
      warm_up: 'off',
      warm_up_progress: null,
      mailgun_sending_key: null,
      mailgun_webhook_signing_key: null,
      mailgun_region: 'us',
      mailgun_connection_status: { last_tested_at: null, connection_valid: null },
      provider_events_url: `${stack.url()}/t/e/${owner.home.id}/${body.id}`,
      members_count: 0,
      total_members: 0,
      subscribed_members: 0,
      unsubscribed_members: 0,
      created_at: expect.any(String),
    });
    list = body.id;
    expect((await read()).body).toEqual(body);
    expect((await call('GET /api/email-lists', as(owner))).body).toContainEqual(body);
  });

  it('has a public name of its own where it is given one, until it is removed', async () => {
    expect((await create({ public_name: ' Weekly news ' })).body.public_name).toBe('Weekly news');
    expect((await change({ public_name: 'Monthly news' })).body.public_name).toBe('Monthly news');
    expect((await change({ name: 'Buyers' })).body.public_name).toBe('Monthly news');
    expect((await change({ public_name: '' })).body.public_name).toBeNull();
    expect((await read()).body.public_name).toBeNull();
  });

  it.each([
    [{ name: ' ' }, 'name', 'List name is required'],
    [{ domain: '' }, 'domain', 'Domain is required'],
    [{ domain: 'x/../../v3/routes' }, 'domain', 'Enter a domain such as example.com'],
    [{ sender_name: '' }, 'sender_name', 'Sender name is required'],
    [{ sender_address: '' }, 'sender_address', 'Sender email address is required'],
    [
      { sender_address: 'letters@example.org' },
      'sender_address',
      'Email domain must match the list domain (example.com)',
    ],
    [
      { unsubscribe_text: 'Go away' },
      'unsubscribe_text',
      'Choose one of the languages for the unsubscribe text',
    ],
    [{ active: 'yes' }, 'active', 'Active must be true or false'],
  ])('is not created or changed with %j', async (wrong, field, text) => {
    const before = (await call('GET /api/email-lists', as(owner))).body;
    const created = await create(wrong);
    expect(created.status).toBe(422);
    expect(created.body.errors[field]).toEqual([text]);
    if (Object.values(wrong)[0] !== undefined) {
      const changed = await change(wrong);
      expect([changed.status, changed.body.errors[field]]).toEqual([422, [text]]);
    }
    expect((await call('GET /api/email-lists', as(owner))).body).toEqual(before);
  });

  it('takes each of the 21 unsubscribe texts', async () => {
    expect(new Set(UNSUBSCRIBE_WORDS.map(({ word }) => word)).size).toBe(21);
    for (const { word: unsubscribe_text } of UNSUBSCRIBE_WORDS) {
      expect((await change({ unsubscribe_text })).body).toMatchObject({ unsubscribe_text });
    }
  });

  it('ignores read-only fields', async () => {
    const { body } = await change({ id: 'mine', organization_id: 1, members_count: 7, created_at: 'never' });
    expect(body).toEqual((await read()).body);
    expect(body.members_count).toBe(0);
  });

  it('is not found after it was deleted', async () => {
    const remove = () => call('DELETE /api/email-lists/{list}', { ...as(owner), params: params() });
    expect((await remove()).status).toBe(204);
    expect(await read()).toMatchObject({ status: 404, body: { message: 'Email list not found' } });
    expect((await remove()).status).toBe(404);
  });

  it('is not deleted while the conditions of an active automation name it, and leave out who is on it', async () => {
    const audience = { all: [{ field: '@list', op: 'not_on', value: list }] };
    const { id } = (
      await call('POST /api/automations', { ...as(owner), body: { name: 'welcome', audience } as never })
    ).body;
    const remove = () => call('DELETE /api/email-lists/{list}', { ...as(owner), params: params() });
    const message = 'The conditions of welcome name this list: change them first.';
    expect(await remove()).toMatchObject({ status: 409, body: { message } });
    expect((await read()).status).toBe(200);
    const change = (active: boolean) =>
      call('PUT /api/automations/{automation}', {
        ...as(owner),
        params: { automation: id },
        body: { active },
      });
    await change(false);
    expect((await remove()).status).toBe(204);
    expect(await change(true)).toMatchObject({
      status: 422,
      body: { errors: { audience: [expect.any(String)] } },
    });
  });
});

describe('The warm-up of a list', () => {
  it('is off unless it is asked for, shows how far it is, and is ended by the owner alone', async () => {
    const { body } = await create({ warm_up: 'on' });
    const progress = { step: 1, steps: 7, most_today: 100, sent_today: 0 };
    expect(body).toMatchObject({ warm_up: 'on', warm_up_progress: progress });
    const admin = await newMember(stack);
    await join(stack, owner, owner.home.id, admin, 'ADMIN');
    const put = (person: Person, warm_up: unknown) =>
      call('PUT /api/email-lists/{list}', {
        token: person.token,
        organization: owner.home.id,
        params: { list: body.id },
        body: { warm_up } as object,
      });
    const refused = await put(admin, 'off');
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only the owner of the organization may end a warm-up before it is over.',
    ]);
    expect(await put(admin, 'on')).toMatchObject({ status: 200, body: { warm_up_progress: progress } });
    expect(await put(owner, 'soon')).toMatchObject({
      status: 422,
      body: { errors: { warm_up: ['Warm-up must be on or off'] } },
    });
    // Neither is it by another list of its domain.
    const second = await call('POST /api/email-lists', {
      token: admin.token,
      organization: owner.home.id,
      body: { ...FORM, warm_up: 'off' },
    });
    expect([second.status, second.body.message]).toEqual([403, expect.stringContaining('is in warm-up by')]);
    const ended = { warm_up: 'off', warm_up_progress: null };
    expect(await put(owner, 'off')).toMatchObject({ status: 200, body: ended });
    expect(await put(admin, 'off')).toMatchObject({ status: 200, body: ended });
  });
});

describe('The logo of a list', () => {
  const set = (logo: unknown) =>
    call('PUT /api/email-lists/{list}/logo', { ...as(owner), params: params(), body: { logo } });
  const sized = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);

  it('is set, served, replaced and removed', async () => {
    expect((await set(dataUrl(PNG))).body).toEqual({ success: true, logoBase64: dataUrl(PNG) });
    const { logo } = (await read()).body;
    const served = await stack.get(logo);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(PNG);
    expect((await set(null)).body).toEqual({ success: true, logoBase64: null });
    expect((await read()).body.logo).toBeNull();
    expect((await stack.get(logo)).status).toBe(403);
  });

  it.each([
    ['3 MB', dataUrl(sized(3 * 1024 * 1024)), 'File must be smaller than 500 KB'],
    ['a GIF', dataUrl(Buffer.from('GIF89a'), 'image/gif'), 'Only JPEG and PNG images are allowed'],
  ])('cannot be %s', async (_, wrong, text) => {
    await set(dataUrl(PNG));
    const before = (await read()).body;
    expect(await set(wrong)).toMatchObject({ status: 422, body: { errors: { logo: [text] } } });
    expect((await read()).body).toEqual(before);
  });
});

describe('The sending key of a list', () => {
  const set = (body: object, person = owner) =>
    call('PUT /api/email-lists/{list}/mailgun-key', { ...as(person), params: params(), body });
  const test = () =>
    call('POST /api/email-lists/{list}/test-mailgun-connection', { ...as(owner), params: params() });
  const key = () => {
    const text = `key-${crypto.randomUUID()}`;
    stack.mustNotBeLogged(text);
    return text;
  };

  it('is set, tested, replaced and removed, and never read back', async () => {
    const secret = key();
    expect((await set({ mailgun_sending_key: secret, mailgun_region: 'eu' })).body).toEqual({
      success: true,
      hasKey: true,
    });
    expect((await read()).body).toMatchObject({ mailgun_sending_key: 'Defined', mailgun_region: 'eu' });
    const tested = await test();
    expect(tested).toMatchObject({
      status: 200,
      body: { success: true, connectionValid: true, testedAt: expect.any(String) },
    });
    expect((await read()).body.mailgun_connection_status).toEqual({
      last_tested_at: tested.body.testedAt,
      connection_valid: true,
    });
    expect(JSON.stringify((await call('GET /api/email-lists', as(owner))).body)).not.toContain(secret);

    expect((await set({ mailgun_sending_key: 'unknown-to-mailgun' })).body.hasKey).toBe(true);
    expect((await read()).body.mailgun_connection_status.connection_valid).toBeNull();
    expect((await test()).body).toMatchObject({ success: true, connectionValid: false });

    expect((await set({ mailgun_sending_key: null })).body).toEqual({ success: true, hasKey: false });
    expect((await read()).body).toMatchObject({
      mailgun_sending_key: null,
      mailgun_connection_status: { last_tested_at: null, connection_valid: null },
    });
    expect((await test()).status).toBe(422);
  });

  const fault = (provider: string) =>
    stack.fetchJson('PUT', '/_local/faults', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider }),
    });
  afterEach(() => fault('ok'));

  it('keeps its test result where Mailgun gives none', async () => {
    await set({ mailgun_sending_key: key() });
    await test();
    for (const provider of ['429', '500', 'refuse', 'drop_after_accept']) {
      await fault(provider);
      // `drop_after_accept` has no effect: the test message has no recipient, so it is never accepted.
      const { body } = await test();
      expect([provider, body.success, body.connectionValid]).toEqual([
        provider,
        provider === 'drop_after_accept',
        true,
      ]);
    }
    await fault('401');
    expect((await test()).body).toMatchObject({ success: true, connectionValid: false });
  });

  it.each([
    [{ mailgun_sending_key: '' }, 'mailgun_sending_key', 'Sending key is required'],
    [{ mailgun_sending_key: 'key with spaces' }, 'mailgun_sending_key', /must not contain spaces/],
    [{ mailgun_sending_key: `key-${'x'.repeat(300)}` }, 'mailgun_sending_key', /at most 256/],
    [{ mailgun_region: 'mars' }, 'mailgun_region', 'Region must be us or eu'],
  ])('cannot be %j', async (wrong, field, text) => {
    const before = (await read()).body;
    const { status, body } = await set(wrong);
    expect([status, body.errors[field]]).toEqual([
      422,
      [typeof text === 'string' ? text : expect.stringMatching(text)],
    ]);
    expect((await read()).body).toEqual(before);
  });
});
