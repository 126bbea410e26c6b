import { describe, expect, it } from 'vitest';
import { CODE_USED_UP, WRONG_CODE } from '#shared/login-code.ts';
import { newAddress } from '../support/client.ts';
import { apiStack } from '../support/handlers.ts';
import { newMember } from '../support/member.ts';

const stack = apiStack();
const { call, signIn, inbox, latestCode } = stack;

const request = (email: string, headers = {}) =>
  call('POST /api/login/request', { body: { email }, headers });
const verify = (email: string, code: string, time_zone?: string) =>
  call('POST /api/login/verify', { body: { email, code, time_zone } });
const wrongFor = (code: string) => [...code].map(character => (character === 'A' ? 'B' : 'A')).join('');

describe('signing in', () => {
  it('takes a code from the mail and gives a token and the user', async () => {
    const email = newAddress();
    expect((await request(email)).status).toBe(200);
    const [mail] = await inbox(email);
    expect(mail?.subject).toBe('Your Letterflow login code');
    expect(mail?.html).toContain(await latestCode(email));

    const { status, body } = await verify(email, await latestCode(email));
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ email, terms_accepted: false });
    expect(await call('GET /api/user', { token: body.token })).toMatchObject({
      status: 200,
      body: body.user,
    });
  });

  it.each([
    ['asia/tokyo', 'Asia/Tokyo'],
    ['Mars/Olympus', 'UTC'],
  ])('gives a new organization the time zone %s of the browser as %s', async (zone, shown) => {
    const email = newAddress();
    await request(email);
    const { body } = await verify(email, await latestCode(email), zone);
    await call('POST /api/user/accept-terms', { token: body.token });
    const hours = await call('GET /api/sending-hours', { token: body.token });
    expect(hours.body.time_zone).toBe(shown);
  });

  it('reads an address and a code however they are typed', async () => {
    const email = newAddress();
    await request(` ${email.toUpperCase()} `);
    const code = (await latestCode(email)).toLowerCase();
    expect((await verify(email.toUpperCase(), ` ${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  it('refuses a wrong, a replayed and a superseded code alike', async () => {
    const email = newAddress();
    await request(email);
    const first = await latestCode(email);
    await request(email);
    const second = await latestCode(email);
    const refused = { status: 422, body: { message: WRONG_CODE, errors: { code: [WRONG_CODE] } } };
    expect(await verify(email, wrongFor(second))).toMatchObject(refused);
    expect(await verify(email, first)).toMatchObject(refused);
    expect((await verify(email, second)).status).toBe(200);
    expect(await verify(email, second)).toMatchObject(refused);
    expect(await verify(newAddress(), second)).toMatchObject(refused);
  });

  it('says of a known and an unknown address alike that a code was entered wrongly too often', async () => {
    const known = newAddress();
    await signIn(known);
    await stack.advance(601, { outage: true });
    const answers = async (email: string) => {
      const given = [];
      for (let i = 0; i < 6; i++)
        given.push(await verify(email, 'AAAAAA').then(({ status, text }) => ({ status, text })));
      return given;
    };
    const ofKnown = await answers(known);
    expect(ofKnown.at(-1)).toMatchObject({ status: 422, text: expect.stringContaining(CODE_USED_UP) });
    expect(await answers(newAddress())).toEqual(ofKnown);
  });

  it('answers a known and an unknown address alike, at the same cost', async () => {
    const known = newAddress();
    await signIn(known);
    await stack.advance(16 * 60, { outage: true });
    const costs = [];
    const answers = [];
    for (const email of [known, newAddress()]) {
      await stack.fetchJson('DELETE', '/_local/meter');
      const { status, text } = await request(email);
      answers.push({ status, text });
      costs.push((await stack.fetchJson('GET', '/_local/meter')).body);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(costs[0].dynamodb.requests).toBe(costs[1].dynamodb.requests);
    expect(costs[0].provider).toEqual(costs[1].provider);
  });
});

describe('a session', () => {
  it('ends with logout', async () => {
    const { token } = await signIn(newAddress());
    expect(await call('POST /api/logout', { token })).toMatchObject({ status: 204, text: '' });
    expect(await call('GET /api/user', { token })).toMatchObject({
      status: 401,
      body: { message: 'Please sign in.' },
    });
  });

  it('is listed, and can be ended from another', async () => {
    const email = newAddress();
    const first = await signIn(email);
    const second = await signIn(email);
    const third = await signIn(email);
    await call('POST /api/user/accept-terms', { token: first.token });
    const { body } = await call('GET /api/user/sessions', { token: first.token });
    expect(body.sessions).toHaveLength(3);
    expect(body.sessions[0].current).toBe(true);

    const theirs = (await call('GET /api/user/sessions', { token: second.token })).body.sessions[0].id;
    const end = () => call('DELETE /api/user/sessions/{id}', { token: first.token, params: { id: theirs } });
    expect((await end()).status).toBe(204);
    expect((await end()).status).toBe(404);
    expect((await call('GET /api/user', { token: second.token })).status).toBe(401);

    expect((await call('DELETE /api/user/sessions', { token: first.token })).status).toBe(204);
    expect((await call('GET /api/user', { token: third.token })).status).toBe(401);
    expect((await call('GET /api/user', { token: first.token })).status).toBe(200);
  });
});

describe('the user', () => {
  it('accepts the terms, and may do so twice', async () => {
    const { token } = await signIn(newAddress());
    for (let i = 0; i < 2; i++) {
      expect(await call('POST /api/user/accept-terms', { token })).toMatchObject({
        status: 200,
        body: { terms_accepted: true },
      });
    }
    expect((await call('GET /api/user', { token })).body.terms_accepted).toBe(true);
  });

  it('has an organization of their own from the start, which a call may name as the active one', async () => {
    const email = newAddress();
    const { token } = await signIn(email);
    const { body } = await call('GET /api/organizations', { token });
    const name = `${email.split('@')[0]}'s organization`;
    expect(body).toEqual([
      {
        id: expect.any(Number),
        name,
        logo: null,
        active: true,
        is_default: true,
        role: 'OWNER',
        currency: null,
      },
    ]);
    expect((await call('GET /api/organizations', { token, organization: body[0].id })).status).toBe(200);
  });

  it.each(['abc', '-1', '0', '1.5', '1e3', '1 OR 1', '9'.repeat(40), 'ORG#1'])(
    'gets 422 for %j as X-Active-Organization',
    async organization => {
      const { token } = await signIn(newAddress());
      expect(await call('GET /api/organizations', { token, organization })).toMatchObject({
        status: 422,
        body: { errors: { 'X-Active-Organization': [expect.any(String)] } },
      });
      expect((await call('GET /api/organizations', { organization })).status).toBe(401);
    },
  );
});

describe('bad input', () => {
  const json = { 'content-type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = json, path = '/api/login/request') =>
    stack.fetchJson('POST', path, { body, headers });

  it('with half of a surrogate pair is refused with 422, with a whole pair it is not', async () => {
    const { token } = await newMember(stack);
    const found = (name: string) =>
      stack.fetchJson('POST', '/api/organizations', {
        headers: { ...json, authorization: `Bearer ${token}` },
        body: `{"name":"${name}"}`,
      });
    for (const half of ['a\\ud800b', 'a\\udc00b', 'a\\uDFFF'])
      expect(await found(half)).toMatchObject({ status: 422, body: { message: expect.any(String) } });
    expect(await found('\\ud83d\\udc8c \\\\ud800')).toMatchObject({
      status: 201,
      body: { name: '💌 \\ud800' },
    });
  });

  it('names the field at fault', async () => {
    expect((await post('{}')).body.errors).toEqual({ email: ['Email is required'] });
    expect((await post('{"email":"x","code":""}', json, '/api/login/verify')).body.errors).toEqual({
      email: ['Enter a valid email address'],
      code: ['Code is required'],
    });
  });

  it('is refused with 413 at two megabytes', async () => {
    const body = JSON.stringify({ email: 'a@example.com', padding: 'x'.repeat(2_000_000) });
    expect(await post(body)).toMatchObject({ status: 413, body: { message: expect.any(String) } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'is refused with 415 as %j',
    async type => {
      const answer = await post('{"email":"a@example.com"}', type ? { 'content-type': type } : {});
      expect(answer).toMatchObject({ status: 415, body: { message: expect.any(String) } });
    },
  );

  it.each([
    ['GET', '/api/nothing', 404],
    ['GET', '/api/', 404],
    ['GET', '/api//user', 404],
    ['GET', '/api/login/request', 405],
    ['DELETE', '/api/user', 405],
    ['PATCH', '/api/organizations', 405],
  ])('%s %s is answered with %i and JSON', async (method, path, expected) => {
    const { status, body } = await stack.fetchJson(method, path);
    expect(status).toBe(expected);
    expect(body.message).toEqual(expect.any(String));
  });

  it('with unknown fields has them ignored', async () => {
    const email = newAddress();
    await request(email);
    const { body } = await call('POST /api/login/verify', {
      body: { email, code: await latestCode(email), terms_accepted: true, is_default: false, role: 'ADMIN' },
    });
    expect(body.user.terms_accepted).toBe(false);
  });
});
