import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '#local/inbox/message.ts';
import { fixtureStack } from './fixture/stack.ts';

const { get, json, now, moveTo, stack } = fixtureStack();

/** As the SES client sends it. */
const ses = (body: object, path = 'outbound-emails') =>
  fetch(`${stack().env.AWS_ENDPOINT_URL_SESV2}/v2/email/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });

const letter = (to: string[], Simple: object, more: object = {}) => ({
  FromEmailAddress: 'Fixture <no-reply@fixture.example>',
  Destination: { ToAddresses: to },
  Content: { Simple },
  ...more,
});

const mail = (to: string[], subject: string, text = 'Text') =>
  ses(
    letter(to, {
      Subject: { Data: subject },
      Body: { Text: { Data: text }, Html: { Data: `<p>${text}</p>` } },
      Headers: [{ Name: 'X-Kind', Value: 'test' }],
    }),
  );

const messages = async (query = ''): Promise<Message[]> =>
  (await json('GET', `/_local/inbox${query}`)).body.messages;

describe('The inbox', () => {
  beforeEach(() => json('DELETE', '/_local/inbox'));

  it('shows what was sent, newest first', async () => {
    await mail(['ann@fixture.example'], 'First');
    await mail(['bob@fixture.example'], 'Second');
    const [second, first] = await messages();
    expect(second?.subject).toBe('Second');
    expect(first).toEqual({
      id: expect.stringMatching(/./),
      provider: 'ses',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      from: 'Fixture <no-reply@fixture.example>',
      to: 'ann@fixture.example',
      subject: 'First',
      text: 'Text',
      html: '<p>Text</p>',
      headers: { 'X-Kind': 'test' },
      variables: {},
    });
  });

  it('shows a mail to two as two, and only one of them with ?to=', async () => {
    await mail(['ann@fixture.example', 'bob@fixture.example'], 'Both');
    expect(new Set((await messages()).map(({ id }) => id)).size).toBe(2);
    expect((await messages('?to=Bob%40fixture.example')).map(({ to }) => to)).toEqual([
      'bob@fixture.example',
    ]);
    expect(await messages('?to=eve%40fixture.example')).toEqual([]);
  });

  it('has simulated times', async () => {
    const later = (await now()) + 3 * 60 * 60_000;
    await moveTo(later, true);
    await mail(['ann@fixture.example'], 'Later');
    const [message] = await messages();
    expect(Math.abs(Date.parse(message?.at ?? '') - later)).toBeLessThan(60_000);
  });

  it('is a page for a browser, whose mails run no scripts', async () => {
    const page = await get('/_local/inbox', { headers: { accept: 'text/html,*/*' } });
    expect(page.headers.get('content-type')).toBe('text/html');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    expect(html).toMatch(/<iframe[^>]+sandbox="(?!.*allow-scripts)/);
    const parts = [...html.matchAll(/(?:href|src)="(\/_local\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(parts).toHaveLength(2);
    for (const part of parts) expect((await get(part)).status).toBe(200);
  });
});

describe('SES', () => {
  const ANN = ['ann@fixture.example'];
  const WHOLE = { Subject: { Data: 'Hello', Charset: 'UTF-8' }, Body: { Text: { Data: 'Hello' } } };
  beforeEach(() => json('DELETE', '/_local/inbox'));

  it.each<[string, object, string]>([
    ['without a recipient', letter([], WHOLE), 'Destination.ToAddresses'],
    ['without a sender', letter(ANN, WHOLE, { FromEmailAddress: '' }), 'FromEmailAddress'],
    ['without a subject', letter(ANN, { Body: WHOLE.Body }), 'Content.Simple.Subject'],
    ['without a body', letter(ANN, { ...WHOLE, Body: {} }), 'Content.Simple.Body'],
    ['with what the local stack does not know', letter(ANN, WHOLE, { EmailTags: [] }), 'EmailTags'],
  ])('refuses a mail %s, and names it', async (_, body, name) => {
    const answer = await ses(body);
    expect([answer.status, answer.headers.get('x-amzn-errortype')]).toEqual([400, 'BadRequestException']);
    expect(await answer.text()).toContain(name);
    expect(await messages()).toEqual([]);
  });

  it('has no other call', async () => {
    const answer = await ses({}, 'templates');
    expect([answer.status, await answer.json()]).toEqual([
      501,
      { message: 'The local stack has no POST /v2/email/templates of SES.' },
    ]);
  });
});

describe('Mailgun in the stack', () => {
  const PATH = '/v3/mail.fixture.example/messages';
  const WHOLE = { from: 'hello@mail.fixture.example', to: 'ann@fixture.example', text: 'Hello' };
  const QUEUED = 'Queued. Thank you.';
  /** As a function posts it. */
  const post = async (form: object, region = 'US') =>
    (await json('POST', '/api/mail', { region, path: PATH, form })).body;
  beforeEach(() => json('DELETE', '/_local/inbox'));

  it('is where the template has Mailgun, in either region', async () => {
    for (const region of ['US', 'EU']) {
      const answer = await post(WHOLE, region);
      expect([answer.status, JSON.parse(answer.text).message]).toEqual([200, QUEUED]);
    }
    expect(await messages()).toHaveLength(2);
    const { body } = await json('GET', '/api/environment');
    expect(body.MAILGUN_US_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/fixture-app-http[^/]*\/mailgun-us$/);
  });

  it('has the calls of functions and their accepted emails counted, and no others', async () => {
    await json('DELETE', '/_local/meter');
    await post({ from: WHOLE.from, text: 'x' });
    await post({ ...WHOLE, to: 'ann@fixture.example, bob@fixture.example' });
    await fetch(`${stack().env.MAILGUN_US_URL}${PATH}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('api:key-1')}` },
      body: new URLSearchParams(WHOLE),
    });
    expect(await messages()).toHaveLength(3);
    expect((await json('GET', '/_local/meter')).body.provider).toEqual({ calls: 2, accepted: 2 });
  });

  it('shares the inbox with SES, newest first, in simulated time', async () => {
    await post({ ...WHOLE, subject: 'First' });
    await moveTo((await now()) + 60 * 60_000, true);
    await mail(['ann@fixture.example'], 'Second');
    const later = (await now()) + 60 * 60_000;
    await moveTo(later, true);
    await post({ ...WHOLE, subject: 'Third' });
    const all = await messages('?to=Ann@fixture.example');
    expect(all.map(({ subject, provider }) => [subject, provider])).toEqual([
      ['Third', 'mailgun'],
      ['Second', 'ses'],
      ['First', 'mailgun'],
    ]);
    expect(Math.abs(Date.parse(all[0]?.at ?? '') - later)).toBeLessThan(60_000);
    expect((await messages('?limit=2')).map(({ subject }) => subject)).toEqual(['Third', 'Second']);
  });

  it('has the faults that it is given, and refuses others', async () => {
    const faults = (input: unknown) => json('PUT', '/_local/faults', input);
    const stored = { provider: '429', rate: 1, kill: null };
    expect(await faults({ provider: '429' })).toEqual({ status: 200, body: stored });
    expect((await post(WHOLE)).status).toBe(429);
    expect((await faults({ provider: 'ok', rate: 1, kill: null })).status).toBe(200);
    expect((await post(WHOLE)).status).toBe(200);
    const wrong = [
      { provider: 'slow' },
      { rate: 2 },
      { provider: 'ok', kill: 'everybody' },
      { speed: 1 },
      [],
      1,
    ];
    for (const input of wrong) expect((await faults(input)).status).toBe(422);
    expect((await get('/_local/faults')).status).toBe(404);
  });

  it('reports events of an email that was accepted', async () => {
    await post({ ...WHOLE, 'v:send': 's-1' });
    const report = (input: unknown) => json('POST', '/_local/provider-events', input);
    const { status, body } = await report({ send: 's-1', event: 'delivered' });
    expect([status, body.deliveries]).toEqual([200, []]);
    expect(body.payload['event-data']).toMatchObject({ event: 'delivered', recipient: WHOLE.to });
    expect(Math.abs(body.payload['event-data'].timestamp * 1000 - (await now()))).toBeLessThan(60_000);
    expect((await report({ send: 's-unknown', event: 'delivered' })).status).toBe(404);
    for (const input of [{ send: 's-1', event: 'opened' }, { event: 'delivered' }, 'x'])
      expect((await report(input)).status).toBe(422);
  });
});

describe('The control calls', () => {
  it('that do not exist are not there', async () => {
    for (const path of ['/_local/nothing', '/_local/']) {
      expect((await get(path)).status).toBe(404);
      expect((await get(path, { method: 'PUT' })).status).toBe(404);
    }
  });

  it('answer 403 to calls by another host name', async () => {
    const { port } = new URL(stack().url);
    const status = await new Promise(done => {
      request(
        { host: '127.0.0.1', port, path: '/_local/inbox', headers: { host: 'evil.test' } },
        response => {
          response.resume();
          done(response.statusCode);
        },
      ).end();
    });
    expect(status).toBe(403);
  });
});
