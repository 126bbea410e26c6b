import { describe, expect, it } from 'vitest';
import { DOMAIN, type Fields, MESSAGES, mailgunAlone, QUEUED, WHOLE } from './fixture/mailgun.ts';

const { call, said, post, messages, mailgun } = mailgunAlone();

describe('Mailgun takes a message', () => {
  it('and answers its id; it appears in the inbox', async () => {
    const answer = await call(MESSAGES, { ...WHOLE, subject: 'First', html: '<p>Hello</p>' });
    expect(answer.status).toBe(200);
    const { id, message } = (await answer.json()) as { id: string; message: string };
    expect(message).toBe('Queued. Thank you.');
    expect(id).toMatch(/^<\d{14}\.[0-9a-f]{16}@mail\.fixture\.example>$/);
    expect(messages()).toEqual([
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
      for (const encoded of [true, false]) expect(await post(WHOLE, { region, encoded })).toEqual(QUEUED);
    expect(messages()).toHaveLength(4);
  });

  it('with any key that begins with key-, and for any domain name', async () => {
    for (const domain of ['a.example', 'sandbox0123.mailgun.org', 'xn--bcher-kva.example'])
      expect(await said(`/v3/${domain}/messages`, WHOLE, { key: 'key-other' })).toEqual(QUEUED);
  });

  it('to several, who see each other where there are no recipient variables', async () => {
    await post({
      ...WHOLE,
      to: ['Ann <ann@fixture.example>, bob@fixture.example', '"E, ve" <eve@fixture.example>'],
    });
    const all = messages();
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
    expect(await post({ ...WHOLE, 'o:testmode': 'yes' })).toEqual(QUEUED);
    expect(messages()).toEqual([]);
  });
});

describe('Mailgun refuses', () => {
  it('a call without a key, or with one that is not valid', async () => {
    for (const options of [{ key: '' }, { key: 'key-' }, { key: 'wrong' }, { user: 'ann' }])
      expect([options, ...(await post(WHOLE, options))]).toEqual([options, 401, 'Forbidden']);
    expect(await post({}, { key: 'wrong' })).toEqual([401, 'Forbidden']);
    expect(await said('/v3/nothing/messages', {}, { key: 'wrong' })).toEqual([401, 'Forbidden']);
  });

  it('what is not a domain name, before it looks at the message', async () => {
    const long = `${'a.'.repeat(130)}example`;
    for (const domain of ['nothing', 'a..example', '-a.example', 'a.example:80', long])
      expect(await said(`/v3/${domain}/messages`, {})).toEqual([404, `Domain not found: ${domain}`]);
  });

  it.each<[string, Fields, string]>([
    ['no sender', { to: WHOLE.to, text: 'x' }, "'from' parameter is missing"],
    ['no recipient', { from: WHOLE.from, text: 'x' }, "'to' parameter is missing"],
    ['an empty recipient', { ...WHOLE, to: '' }, "'to' parameter is missing"],
    [
      'a field that is not there here',
      { ...WHOLE, cc: WHOLE.to },
      'The local stack does not know the field cc',
    ],
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
    expect(messages()).toEqual([]);
  });

  it('an address that is not valid, also among valid ones', async () => {
    for (const to of ['ann', 'ann@local', 'a b@fixture.example', '.a@fixture.example', 'Ann <ann>'])
      expect([to, ...(await post({ ...WHOLE, to: [WHOLE.to, to] }))]).toEqual([
        to,
        400,
        "'to' parameter is not a valid address. please check documentation",
      ]);
    expect(await post({ ...WHOLE, from: 'no-address' })).toEqual([
      400,
      "'from' parameter is not a valid address. please check documentation",
    ]);
    expect(messages()).toEqual([]);
  });

  it('more than 25 MB', async () => {
    const [status] = await post({ ...WHOLE, text: 'x'.repeat(26 * 1024 * 1024) });
    expect(status).toBe(413);
  });

  it('a body that is not a form', async () => {
    const answer = await fetch(`${mailgun().urlOf('test', 'mailgun-us')}${MESSAGES}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('api:key-1')}`, 'content-type': 'application/json' },
      body: JSON.stringify(WHOLE),
    });
    expect([answer.status, await answer.json()]).toEqual([400, { message: "'from' parameter is missing" }]);
  });
});

describe('A path that Mailgun does not know', () => {
  const MAGNIFICENT = [200, 'Mailgun Magnificent API'];

  it('is answered with 200 and its name, and takes no message', async () => {
    for (const path of ['/', '/v3', '/v3/routes', '/v2/a.example/messages', `${MESSAGES}/more`, '/%'])
      expect([path, ...(await said(path, WHOLE))]).toEqual([path, ...MAGNIFICENT]);
    expect(await said(MESSAGES)).toEqual(MAGNIFICENT);
    expect(messages()).toEqual([]);
  });

  it('is what a domain with slashes makes, escaped or not', async () => {
    const slashes = encodeURIComponent('x/../../v3/routes');
    for (const domain of ['x/../../v3/routes', slashes, 'a.example%2Fb.example'])
      expect(await said(`/v3/${domain}/messages`, WHOLE)).not.toEqual(QUEUED);
    expect(await said(`/v3/${slashes}/messages`, WHOLE)).toEqual(MAGNIFICENT);
    expect(messages()).toEqual([]);
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
      { 'ann@fixture.example': { name: 'Ann', id: 1 }, 'bob@fixture.example': { name: 'Bob', id: 2 } },
    );
    const [ann] = messages('ann@fixture.example');
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
    const [bob, ...others] = messages('bob@fixture.example');
    expect([bob?.subject, bob?.headers.To, others]).toEqual(['Hey Bob', 'bob@fixture.example', []]);
    expect(bob?.id).not.toBe(ann?.id);
    expect(ann?.headers['Message-Id']).toContain(`@${DOMAIN}>`);
  });

  it('leaves what it does not know, and what a value holds, as it is', async () => {
    await batch(
      { text: '50% %recipient.none% %recipient.toString% %recipient.a% %other.a%' },
      { 'ann@fixture.example': { a: '$& %recipient.b%', b: 'secret' } },
    );
    expect(messages('ann@fixture.example')[0]?.text).toBe(
      '50% %recipient.none% %recipient.toString% $& %recipient.b% %other.a%',
    );
    expect(messages('bob@fixture.example')[0]?.text).toContain('%recipient.a%');
  });

  it('takes a thousand at once', async () => {
    const to = Array.from({ length: 1000 }, (_, n) => `a${n}@fixture.example`);
    const variables = Object.fromEntries(to.map((address, n) => [address, { n }]));
    await batch({ to, text: 'Number %recipient.n%' }, variables);
    expect(messages()).toHaveLength(1000);
    expect(messages('a999@fixture.example')[0]?.text).toBe('Number 999');
  });
});
