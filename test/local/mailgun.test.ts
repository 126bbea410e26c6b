import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../local/inbox/message.ts';
import { startMailgun } from '../../local/mailgun/mailgun.ts';
import { createMeter } from '../../local/meter.ts';
import { fixtureStack } from './fixture/stack.ts';

const { get, json, now, moveTo, stack } = fixtureStack();

const DOMAIN = 'mail.fixture.example';
const MESSAGES = `/v3/${DOMAIN}/messages`;
const WHOLE = { from: 'Fixture <hello@mail.fixture.example>', to: 'ann@fixture.example', text: 'Hello' };
const BASES = { us: 'MAILGUN_US_URL', eu: 'MAILGUN_EU_URL' };

type Fields = Record<string, string | string[]>;
type Options = { user?: string; key?: string; region?: 'us' | 'eu'; method?: string; encoded?: boolean };

const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

function formOf(fields: Fields, encoded = false): FormData | URLSearchParams {
  const form = encoded ? new URLSearchParams() : new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) form.append(name, value);
  return form;
}

/** As a client of Mailgun would call it. */
const call = (path: string, fields?: Fields, options: Options = {}) => {
  const { user = 'api', key = 'key-1', region = 'us', encoded, method = fields ? 'POST' : 'GET' } = options;
  return fetch(`${stack().env[BASES[region]]}${path}`, {
    method,
    headers: key ? { authorization: basic(user, key) } : {},
    ...(fields && { body: formOf(fields, encoded) }),
  });
};

async function said(path: string, fields?: Fields, options?: Options) {
  const answer = await call(path, fields, options);
  const text = await answer.text();
  return [answer.status, text.startsWith('{') ? JSON.parse(text).message : text];
}

const post = (fields: Fields, options?: Options) => said(MESSAGES, fields, options);
const messages = async (query = ''): Promise<Message[]> =>
  (await json('GET', `/_local/inbox${query}`)).body.messages;
const meter = async () => (await json('GET', '/_local/meter')).body.provider;

beforeEach(() => json('DELETE', '/_local/inbox'));

describe('Mailgun takes a message', () => {
  it('and answers its id; it appears in the inbox', async () => {
    const answer = await call(MESSAGES, { ...WHOLE, subject: 'First', html: '<p>Hello</p>' });
    expect(answer.status).toBe(200);
    const { id, message } = (await answer.json()) as { id: string; message: string };
    expect(message).toBe('Queued. Thank you.');
    expect(id).toMatch(/^<\d{14}\.[0-9a-f]{16}@mail\.fixture\.example>$/);
    expect(await messages()).toEqual([
      {
        id: id.slice(1, -1),
        provider: 'mailgun',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        from: 'Fixture <hello@mail.fixture.example>',
        to: 'ann@fixture.example',
        subject: 'First',
        text: 'Hello',
        html: '<p>Hello</p>',
        headers: { To: 'ann@fixture.example', 'Message-Id': id },
        variables: {},
      },
    ]);
  });

  it('as multipart/form-data and as x-www-form-urlencoded, in both regions', async () => {
    for (const region of ['us', 'eu'] as const)
      for (const encoded of [true, false])
        expect(await post(WHOLE, { region, encoded })).toEqual([200, 'Queued. Thank you.']);
    expect(await messages()).toHaveLength(4);
  });

  it('with any key that begins with key-, and for any domain name', async () => {
    for (const domain of ['a.example', 'sandbox0123.mailgun.org', 'xn--bcher-kva.example'])
      expect(await said(`/v3/${domain}/messages`, WHOLE, { key: 'key-other' })).toEqual([
        200,
        'Queued. Thank you.',
      ]);
  });

  it('to several, who see each other where there are no recipient variables', async () => {
    await post({
      ...WHOLE,
      to: ['Ann <ann@fixture.example>, bob@fixture.example', '"E, ve" <eve@fixture.example>'],
    });
    const all = await messages();
    expect(all.map(({ to }) => to).sort()).toEqual([
      'ann@fixture.example',
      'bob@fixture.example',
      'eve@fixture.example',
    ]);
    for (const { headers } of all)
      expect(headers.To).toBe(
        'Ann <ann@fixture.example>, bob@fixture.example, "E, ve" <eve@fixture.example>',
      );
  });

  it('in test mode without delivering it', async () => {
    expect(await post({ ...WHOLE, 'o:testmode': 'yes' })).toEqual([200, 'Queued. Thank you.']);
    expect(await messages()).toEqual([]);
  });
});

describe('Mailgun refuses', () => {
  it('who has no key, or one that is none', async () => {
    for (const options of [{ key: '' }, { key: 'key-' }, { key: 'wrong' }, { user: 'ann' }])
      expect([options, ...(await post(WHOLE, options))]).toEqual([options, 401, 'Forbidden']);
    expect(await post({}, { key: 'wrong' })).toEqual([401, 'Forbidden']);
    expect(await said('/v3/nothing/messages', {}, { key: 'wrong' })).toEqual([401, 'Forbidden']);
  });

  it('what is no domain name, before it looks at the message', async () => {
    for (const domain of [
      'nothing',
      'a..example',
      '-a.example',
      'a.example:80',
      `${'a.'.repeat(130)}example`,
    ])
      expect(await said(`/v3/${domain}/messages`, {})).toEqual([404, `Domain not found: ${domain}`]);
  });

  it.each<[string, Fields, string]>([
    ['no sender', { to: WHOLE.to, text: 'x' }, "'from' parameter is missing"],
    ['no recipient', { from: WHOLE.from, text: 'x' }, "'to' parameter is missing"],
    ['an empty recipient', { ...WHOLE, to: '' }, "'to' parameter is missing"],
    [
      'neither text nor HTML',
      { from: WHOLE.from, to: WHOLE.to, subject: 'x' },
      "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified",
    ],
    [
      'more than 1,000 recipients',
      { ...WHOLE, to: Array.from({ length: 1001 }, (_, n) => `a${n}@fixture.example`) },
      'Too many recipients; max is 1000',
    ],
    [
      'options of more than 16 KB',
      { ...WHOLE, 'v:long': 'x'.repeat(17_000) },
      'Send options (parameters starting with o:, h:, or v:) are limited to 16 kB total',
    ],
    ['a header with an umlaut', { ...WHOLE, 'h:X-Ü': 'x' }, 'Header name must be pure ASCII: X-Ü'],
    ...['{', '[]', '"x"', '{"ann@fixture.example": []}'].map((variables): [string, Fields, string] => [
      `the recipient variables ${variables}`,
      { ...WHOLE, 'recipient-variables': variables },
      "'recipient-variables' parameter is not a valid JSON",
    ]),
  ])('a message with %s', async (_, fields, sentence) => {
    expect(await post(fields)).toEqual([400, sentence]);
    expect(await messages()).toEqual([]);
  });

  it('an address that is none, also among good ones', async () => {
    for (const to of ['ann', 'ann@local', 'a b@fixture.example', '.a@fixture.example', 'Ann <ann>'])
      expect([to, ...(await post({ ...WHOLE, to: [WHOLE.to, to] }))]).toEqual([
        to,
        400,
        "'to' parameter is not a valid address. please check documentation",
      ]);
    expect(await post({ ...WHOLE, from: 'nobody' })).toEqual([
      400,
      "'from' parameter is not a valid address. please check documentation",
    ]);
    expect(await messages()).toEqual([]);
  });

  it('more than 25 MB', async () => {
    const [status] = await post({ ...WHOLE, text: 'x'.repeat(26 * 1024 * 1024) });
    expect(status).toBe(413);
  });

  it('a form that is none', async () => {
    const answer = await fetch(`${stack().env.MAILGUN_US_URL}${MESSAGES}`, {
      method: 'POST',
      headers: { authorization: basic('api', 'key-1'), 'content-type': 'application/json' },
      body: JSON.stringify(WHOLE),
    });
    expect([answer.status, await answer.json()]).toEqual([400, { message: "'from' parameter is missing" }]);
  });
});

describe('A path that Mailgun does not know', () => {
  it('is answered with 200 and its name, and takes no message', async () => {
    for (const path of ['/', '/v3', '/v3/routes', '/v2/a.example/messages', `${MESSAGES}/more`, '/%'])
      expect([path, ...(await said(path, WHOLE))]).toEqual([path, 200, 'Mailgun Magnificent API']);
    expect(await said(MESSAGES)).toEqual([200, 'Mailgun Magnificent API']);
    expect(await messages()).toEqual([]);
  });

  it('is what a domain with slashes makes, escaped or not', async () => {
    for (const domain of [
      'x/../../v3/routes',
      encodeURIComponent('x/../../v3/routes'),
      'a.example%2Fb.example',
    ])
      expect(await said(`/v3/${domain}/messages`, WHOLE)).not.toContain('Queued. Thank you.');
    expect(await said(`/v3/${encodeURIComponent('x/../../v3/routes')}/messages`, WHOLE)).toEqual([
      200,
      'Mailgun Magnificent API',
    ]);
    expect(await messages()).toEqual([]);
  });
});

describe('A batch', () => {
  const batch = (more: Fields, variables: object) =>
    post({
      ...WHOLE,
      to: ['Ann Lee <ann@fixture.example>', 'bob@fixture.example'],
      'recipient-variables': JSON.stringify(variables),
      ...more,
    });

  it('makes one message for each, with their variables in subject, parts, headers and user variables', async () => {
    await batch(
      {
        subject: 'Hey %recipient.name%',
        text: '%recipient.name%, number %recipient.id%',
        html: '<b>%recipient.name%</b>',
        'h:List-Unsubscribe': '<https://fixture.example/u/%recipient.id%>',
        'v:send': 's-%recipient.id%',
      },
      {
        'ann@fixture.example': { name: 'Ann', id: 1 },
        'bob@fixture.example': { name: 'Bob', id: 2 },
      },
    );
    const [ann] = await messages('?to=ann@fixture.example');
    expect(ann).toMatchObject({
      subject: 'Hey Ann',
      text: 'Ann, number 1',
      html: '<b>Ann</b>',
      to: 'ann@fixture.example',
      variables: { name: 'Ann', id: '1', send: 's-1' },
      headers: {
        To: 'Ann Lee <ann@fixture.example>',
        'List-Unsubscribe': '<https://fixture.example/u/1>',
        'X-Mailgun-Variables': '{"send":"s-1"}',
      },
    });
    const [bob, ...others] = await messages('?to=bob@fixture.example');
    expect([bob?.subject, bob?.headers.To, others]).toEqual(['Hey Bob', 'bob@fixture.example', []]);
    expect(bob?.id).not.toBe(ann?.id);
  });

  it('fills in the address and its name', async () => {
    const text = ['', '_email', '_name', '_fname', '_lname'].map(part => `%recipient${part}%`).join('|');
    await batch({ text }, {});
    expect((await messages('?to=ann@fixture.example'))[0]?.text).toBe(
      'Ann Lee <ann@fixture.example>|ann@fixture.example|Ann Lee|Ann|Lee',
    );
  });

  it('leaves what it does not know, and what a value holds, as it stands', async () => {
    await batch(
      { text: '50% %recipient.none% %recipient.toString% %recipient.a% %other.a%' },
      { 'ann@fixture.example': { a: '$& %recipient.b% %recipient%', b: 'secret' } },
    );
    expect((await messages('?to=ann@fixture.example'))[0]?.text).toBe(
      '50% %recipient.none% %recipient.toString% $& %recipient.b% %recipient% %other.a%',
    );
    expect((await messages('?to=bob@fixture.example'))[0]?.text).toContain('%recipient.a%');
  });

  it('takes a thousand at once', async () => {
    const to = Array.from({ length: 1000 }, (_, n) => `a${n}@fixture.example`);
    const variables = Object.fromEntries(to.map((address, n) => [address, { n }]));
    await batch({ to, text: 'Number %recipient.n%' }, variables);
    expect(await messages()).toHaveLength(1000);
    expect((await messages('?to=A999@fixture.example'))[0]?.text).toBe('Number 999');
  });

  it('reaches those in cc and bcc with each of its messages', async () => {
    await batch({ cc: 'eve@fixture.example', text: '%recipient.n%' }, { 'ann@fixture.example': { n: 1 } });
    expect(await messages()).toHaveLength(4);
    const copies = await messages('?to=eve@fixture.example');
    expect(copies.map(({ text }) => text).sort()).toEqual(['%recipient.n%', '1']);
    expect(copies[0]?.headers.Cc).toBe('eve@fixture.example');
  });
});

describe('The inbox', () => {
  it('shows both providers, newest first, in simulated time', async () => {
    await post({ ...WHOLE, subject: 'First' });
    await moveTo((await now()) + 60 * 60_000, true);
    await fetch(`${stack().env.AWS_ENDPOINT_URL_SESV2}/v2/email/outbound-emails`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'AWS4-HMAC-SHA256 local' },
      body: JSON.stringify({
        FromEmailAddress: 'no-reply@fixture.example',
        Destination: { ToAddresses: ['ann@fixture.example'] },
        Content: { Simple: { Subject: { Data: 'Second' }, Body: { Text: { Data: 'x' } } } },
      }),
    });
    const later = (await now()) + 60 * 60_000;
    await moveTo(later, true);
    await post({ ...WHOLE, subject: 'Third' });
    const all = await messages('?to=ann@fixture.example');
    expect(all.map(({ subject, provider }) => [subject, provider])).toEqual([
      ['Third', 'mailgun'],
      ['Second', 'ses'],
      ['First', 'mailgun'],
    ]);
    expect(Math.abs(Date.parse(all[0]?.at ?? '') - later)).toBeLessThan(60_000);
    expect((await messages('?limit=2')).map(({ subject }) => subject)).toEqual(['Third', 'Second']);
    await json('DELETE', '/_local/inbox');
    expect(await messages()).toEqual([]);
  });
});

describe('A function', () => {
  const mail = async (form: Fields, region = 'US') =>
    (await json('POST', '/api/mail', { region, path: MESSAGES, form })).body;

  it('finds it where its template has Mailgun, in either region', async () => {
    for (const region of ['US', 'EU']) {
      const answer = await mail(WHOLE, region);
      expect([answer.status, JSON.parse(answer.text).message]).toEqual([200, 'Queued. Thank you.']);
    }
    expect(await messages()).toHaveLength(2);
    const { body } = await json('GET', '/api/environment');
    expect(body.MAILGUN_US_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/fixture-app-http[^/]*\/mailgun-us$/);
  });

  it('has its calls and its accepted emails counted, and no others', async () => {
    await json('DELETE', '/_local/meter');
    await mail({ from: WHOLE.from, text: 'x' });
    await mail({ ...WHOLE, to: 'ann@fixture.example, bob@fixture.example' });
    await post(WHOLE);
    expect(await meter()).toEqual({ calls: 2, accepted: 2 });
  });
});

describe('A fault', () => {
  const faults = (input: unknown) => json('PUT', '/_local/faults', input);
  afterEach(() => faults({ provider: 'ok' }));
  const statuses = async (count: number) => {
    const all: (number | string)[] = [];
    for (let n = 0; n < count; n += 1)
      all.push(
        await call(MESSAGES, WHOLE).then(
          ({ status }) => status,
          error => error.cause.code,
        ),
      );
    return all;
  };

  it('answers every call with its status, and takes no message', async () => {
    for (const provider of ['429', '500', '401']) {
      expect((await faults({ provider })).body).toEqual({ provider, rate: 1 });
      expect(await statuses(2)).toEqual([Number(provider), Number(provider)]);
    }
    await faults({ provider: '429' });
    const { headers } = await call(MESSAGES, WHOLE);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await messages()).toEqual([]);
  });

  it('strikes a share of the calls, evenly and each time the same', async () => {
    await faults({ provider: '500', rate: 0.25 });
    expect(await statuses(8)).toEqual([200, 200, 200, 500, 200, 200, 200, 500]);
    await faults({ provider: '500', rate: 0 });
    expect(await statuses(2)).toEqual([200, 200]);
    await faults({ provider: '500', rate: 0.7 });
    expect((await statuses(10)).filter(status => status === 500)).toHaveLength(7);
  });

  it('can take a message and hang up before the answer', async () => {
    await faults({ provider: 'drop_after_accept' });
    await expect(call(MESSAGES, WHOLE)).rejects.toThrow();
    expect(await messages()).toHaveLength(1);
    expect(await post({ ...WHOLE, to: '' })).toEqual([400, "'to' parameter is missing"]);
  });

  it('can refuse every connection, and none any more when it is over', async () => {
    expect(await statuses(1)).toEqual([200]);
    await faults({ provider: 'refuse' });
    expect(await statuses(3)).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
    await faults({ provider: 'ok' });
    expect(await statuses(2)).toEqual([200, 200]);
    expect(await messages()).toHaveLength(3);
  });

  it('can close a share of the connections before anything was read', async () => {
    await faults({ provider: 'refuse', rate: 0.5 });
    const all = await statuses(6);
    expect(all.map(status => status === 200)).toEqual([true, false, true, false, true, false]);
    expect(await messages()).toHaveLength(3);
  });

  it('is only what it says it knows', async () => {
    for (const input of [
      { provider: 'slow' },
      { rate: 2 },
      { provider: 'ok', kill: 'sweep' },
      { speed: 1 },
      [],
      1,
    ])
      expect((await faults(input)).status).toBe(422);
    expect((await faults({ provider: 'ok', rate: 1, kill: null })).status).toBe(200);
    expect((await get('/_local/faults')).status).toBe(404);
  });
});

describe('An event', () => {
  const WEBHOOKS = `/v3/domains/${DOMAIN}/webhooks`;
  type Payload = {
    signature: { timestamp: string; token: string; signature: string };
    'event-data': Record<string, unknown> & { message: { headers: Record<string, string> } };
  };
  const report = (send: string, event: string) => json('POST', '/_local/provider-events', { send, event });

  /** A webhook of this test, which keeps what it is told. */
  async function webhook(answering: number) {
    const heard: Payload[] = [];
    const server = createServer(async (incoming, response) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      heard.push(JSON.parse(text));
      response.writeHead(answering).end();
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    return { url, heard, close: () => new Promise(done => server.close(done)) };
  }

  const sent = (send: string) =>
    post({
      ...WHOLE,
      subject: 'Told',
      to: ['ann@fixture.example', 'bob@fixture.example'],
      'v:send': '%recipient.send%',
      'recipient-variables': JSON.stringify({
        'ann@fixture.example': { send },
        'bob@fixture.example': { send: `${send}-2` },
      }),
    });
  const signingKey = async () => {
    const answer = await call('/v5/accounts/http_signing_key');
    return ((await answer.json()) as { http_signing_key: string }).http_signing_key;
  };
  const signed = ({ timestamp, token }: Payload['signature'], key: string) =>
    createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');

  it('is signed, names the email by its user variables, and reaches the webhooks of its kind', async () => {
    const [taker, refuser] = [await webhook(200), await webhook(406)];
    expect(await said(WEBHOOKS, { id: 'permanent_fail', url: [taker.url, refuser.url] })).toEqual([
      200,
      'Webhook has been created',
    ]);
    await sent('s-1');
    const { status, body } = await report('s-1-2', 'bounced');
    expect([status, body.deliveries]).toEqual([
      200,
      [
        { url: taker.url, status: 200 },
        { url: refuser.url, status: 406 },
      ],
    ]);
    expect(taker.heard).toEqual([body.payload]);
    const { signature, 'event-data': data } = body.payload as Payload;
    expect(signature.signature).toBe(signed(signature, await signingKey()));
    expect(Math.abs(Number(signature.timestamp) * 1000 - (await now()))).toBeLessThan(60_000);
    const [message] = await messages('?to=bob@fixture.example');
    const messageId = message?.headers['Message-Id']?.slice(1, -1);
    expect(data).toMatchObject({
      event: 'failed',
      severity: 'permanent',
      recipient: 'bob@fixture.example',
      'user-variables': { send: 's-1-2' },
      'delivery-status': { code: 550 },
      domain: { name: DOMAIN },
      message: {
        headers: { to: 'bob@fixture.example', from: WHOLE.from, subject: 'Told', 'message-id': messageId },
      },
    });

    expect((await report('s-1', 'delivered')).body.deliveries).toEqual([]);
    await Promise.all([taker.close(), refuser.close()]);
    expect((await report('s-1', 'bounced')).body.deliveries[0]).toEqual({ url: taker.url, status: null });
  });

  it('says what became of the email', async () => {
    await sent('s-2');
    const told = async (event: string) => {
      const { event: name, severity } = (await report('s-2', event)).body.payload['event-data'];
      return [name, severity];
    };
    expect(await told('delivered')).toEqual(['delivered', undefined]);
    expect(await told('bounced_soft')).toEqual(['failed', 'temporary']);
    expect(await told('complained')).toEqual(['complained', undefined]);
  });

  it('is there only for an email that was accepted, also when the inbox was emptied since', async () => {
    await sent('s-3');
    await json('DELETE', '/_local/inbox');
    expect((await report('s-3', 'delivered')).status).toBe(200);
    expect((await report('s-unknown', 'delivered')).status).toBe(404);
    for (const input of [{ send: 's-3', event: 'opened' }, { event: 'delivered' }, 'x'])
      expect((await json('POST', '/_local/provider-events', input)).status).toBe(422);
  });

  it('goes where the owner of the domain says', async () => {
    const path = '/v3/domains/owner.fixture.example/webhooks';
    const add = (id: string, ...url: string[]) => said(path, { id, url });
    await add('delivered', 'https://a.example/', 'https://b.example/');
    await add('delivered', 'https://b.example/', 'https://c.example/');
    expect((await add('delivered', 'https://d.example/'))[0]).toBe(400);
    expect((await add('delivered', 'nowhere'))[0]).toBe(400);
    expect((await add('sometimes', 'https://a.example/'))[0]).toBe(400);
    const urls = ['https://a.example/', 'https://b.example/', 'https://c.example/'];
    expect(await (await call(path)).json()).toEqual({ webhooks: { delivered: { urls } } });
    expect((await said(`${path}/delivered`, undefined, { method: 'DELETE' }))[0]).toBe(200);
    expect((await said(`${path}/delivered`, undefined, { method: 'DELETE' }))[0]).toBe(404);
    expect(await (await call(path)).json()).toEqual({ webhooks: {} });
    expect(await said(path, undefined, { key: 'wrong' })).toEqual([401, 'Forbidden']);
  });

  it('is signed with the key of its domain, where that has one of its own', async () => {
    const mailgun = await startMailgun({
      clock: { now: Date.now },
      meter: createMeter(),
      unmetered: 'tools',
    });
    try {
      mailgun.sign(DOMAIN, 'its own key');
      await fetch(`${mailgun.of('test', 'mailgun-us')}${MESSAGES}`, {
        method: 'POST',
        headers: { authorization: basic('api', 'key-1') },
        body: formOf({ ...WHOLE, 'v:send': 's-4' }),
      });
      const { payload } = (await mailgun.report('s-4', 'delivered')) ?? {};
      const { signature } = payload as Payload;
      expect(signature.signature).toBe(signed(signature, 'its own key'));
    } finally {
      await mailgun.close();
    }
  });
});
