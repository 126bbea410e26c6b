import { describe, expect, it } from 'vitest';
import { fixtureStack } from './fixture/stack.ts';

type Event = { headers: Record<string, string>; cookies: string[]; body: string; isBase64Encoded: boolean };

const { get, items, json, put, shown, stack } = fixtureStack();

describe('A function behind the API', () => {
  it('gets a request in payload format 2.0', async () => {
    const { status, body } = await json('POST', '/api/echo/a%20b?x=1&x=2&y=%C3%A9', { some: 'thing' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: '2.0',
      routeKey: 'POST /api/{call}/{id}',
      rawPath: '/api/echo/a%20b',
      rawQueryString: 'x=1&x=2&y=%C3%A9',
      queryStringParameters: { x: '1,2', y: 'é' },
      pathParameters: { call: 'echo', id: 'a b' },
      body: '{"some":"thing"}',
      isBase64Encoded: false,
      requestContext: { stage: '$default', routeKey: 'POST /api/{call}/{id}', http: { method: 'POST' } },
    });
  });

  it('gets headers in lower case, cookies apart, and the addresses of the client and its proxy', async () => {
    const response = await get('/api/echo', {
      headers: { 'X-Custom': 'Value', Cookie: 'a=1; b=2', 'X-Forwarded-For': '203.0.113.9' },
    });
    const event = (await response.json()) as Event;
    expect(event.headers['x-custom']).toBe('Value');
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.cookies).toEqual(['a=1', 'b=2']);
    expect(event.headers['x-forwarded-for']).toBe('203.0.113.9,127.0.0.1,192.0.2.1');
  });

  it('gets a body that is no text in base64', async () => {
    const bytes = new Uint8Array([0, 255, 1, 254]);
    const response = await get('/api/echo', { method: 'PUT', body: bytes });
    const event = (await response.json()) as Event;
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body, 'base64')).toEqual(Buffer.from(bytes));
  });

  it('answers with status, headers and bytes of its own', async () => {
    const made = await get('/api/made');
    expect(made.status).toBe(201);
    expect(made.headers.get('x-made')).toBe('yes');
    expect(await made.text()).toBe('made');

    const picture = await get('/api/picture');
    expect(picture.headers.get('content-type')).toBe('image/gif');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.from([71, 73, 70, 0, 255]));
  });

  it('may answer nothing at all', async () => {
    const response = await get('/api/nothing');
    expect(response.status).toBe(204);
    expect(response.headers.has('content-type')).toBe(false);
    expect(await response.text()).toBe('');
  });

  it('is found by the most specific route', async () => {
    const routeOf = async (method: string, path: string) => (await json(method, path)).body.routeKey;
    expect(await routeOf('GET', '/api/things/special')).toBe('GET /api/things/special');
    expect(await routeOf('GET', '/api/things/7')).toBe('GET /api/things/{id}');
    expect(await routeOf('GET', '/api/things')).toBe('GET /api/{call}');
    expect(await routeOf('POST', '/api/things/7')).toBe('POST /api/{call}/{id}');
    expect((await json('GET', '/api/things/a%2Fb')).body.pathParameters).toEqual({ id: 'a/b' });
  });

  it('is not called for a path without a route, or with more than the API takes', async () => {
    for (const path of ['/api/', '/api/things/7/8'])
      expect(await json('GET', path)).toEqual({ status: 404, body: { message: 'Not Found' } });
    const body = 'x'.repeat(10 * 1024 * 1024 + 1);
    const response = await get('/api/echo', { method: 'POST', body });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: 'Request Entity Too Large' });
  });

  it('gets no more than Lambda takes, and answers no more', async () => {
    const most = 6_291_556;
    const answered = async (bytes: number) => {
      const { status, headers } = await get(`/api/large?bytes=${bytes}`);
      return [status, headers.get('content-length')];
    };
    const around = JSON.stringify({ statusCode: 200, body: '' }).length;
    expect(await answered(most - around)).toEqual([200, String(most - around)]);
    expect((await answered(most - around + 1))[0]).toBe(500);
    expect(shown()).toContain('fixture/http.ts answered 6,291,557 bytes; Lambda takes 6,291,556');

    const sent = async (bytes: number) =>
      (await get('/api/made', { method: 'POST', body: 'x'.repeat(bytes) })).status;
    expect(await sent(most - 10_000)).toBe(201);
    expect(await sent(most)).toBe(413);
    // In JSON a quotation mark takes two bytes.
    expect((await get('/api/made', { method: 'POST', body: '"'.repeat(most / 2) })).status).toBe(413);
  });

  it('has the environment of the template and of Lambda, and nothing of this machine', async () => {
    const { body } = await json('GET', '/api/environment');
    expect(body).toMatchObject({
      PUBLIC_URL: stack().url,
      TABLE_NAME: 'fixture-data-TableCD117FA1',
      AWS_REGION: 'eu-central-1',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
    });
    expect(body.QUEUE_URL).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/fixture-app-http\w+~\d+\/sqs\/000000000000\/fixture-app-Work\w+$/,
    );
    expect(body).not.toHaveProperty('HOME');
    expect(body).not.toHaveProperty('VITEST');
  });
});

describe('A function that fails', () => {
  it('by throwing answers 500 with a sentence, and shows its stack on the terminal', async () => {
    expect(await json('GET', '/api/throw')).toEqual({
      status: 500,
      body: { message: 'fixture/http.ts threw: RangeError: It is too much' },
    });
    expect(shown()).toMatch(/RangeError: It is too much\n\s+at .*index\.mjs/);
  });

  it('by ending its process answers at once', async () => {
    expect(await json('GET', '/api/exit')).toEqual({
      status: 500,
      body: { message: 'fixture/http.ts ended its process (exit code 3) before it answered' },
    });
  });

  it('by an unhandled rejection answers at once', async () => {
    expect(await json('GET', '/api/reject')).toEqual({
      status: 500,
      body: { message: 'fixture/http.ts crashed: Error: Nobody waited for this' },
    });
  });

  it('by not answering in time is ended and named, even when it spins', async () => {
    const answers = await Promise.all([json('GET', '/api/hang'), json('GET', '/api/spin')]);
    for (const answer of answers) {
      expect(answer).toEqual({
        status: 504,
        body: { message: 'fixture/http.ts did not answer within its 2 s' },
      });
    }
  });

  it('by a syntax error says so, and where on the terminal', async () => {
    const { status, body } = await json('GET', '/api/broken');
    expect(status).toBe(500);
    expect(body.message).toMatch(/^fixture\/broken\.ts does not load: SyntaxError: /);
    expect(shown()).toMatch(/index\.mjs:2\nconst = 1;/);
  });

  it('by an answer that is no HTTP response says so', async () => {
    expect(await json('GET', '/api/nonsense')).toEqual({
      status: 500,
      body: { message: 'fixture/http.ts did not answer an HTTP response' },
    });
  });

  it('after it has answered is shown on the terminal', async () => {
    expect((await json('GET', '/api/late')).status).toBe(200);
    await expect
      .poll(shown)
      .toMatch(/fixture\/http\.ts\s+crashed after it had answered: Error: Too late to tell/);
  });

  it('serves the next call all the same', async () => {
    expect((await json('GET', '/api/now')).status).toBe(200);
  });
});

describe('The table', () => {
  it('refuses a partition that the role of the function does not allow', async () => {
    const { status, body } = await put({ PK: 'FOREIGN#ann@example.com', SK: 'a' });
    expect(status).toBe(500);
    expect(body.message).toMatch(
      /^fixture\/http\.ts threw: AccessDeniedException: User: .* is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:.* \(FOREIGN#\)$/,
    );
    expect(await items('FOREIGN#ann@example.com')).toEqual([]);
  });
});

describe('What a function writes', () => {
  it('is kept, and shown when it was written by hand', async () => {
    await json('GET', '/api/log');
    await expect.poll(stack().logs).toContain('fixture/http.ts a line by hand');
    expect(shown()).toContain('fixture/http.ts  a line by hand');
  });
});

describe('The authorizer', () => {
  it('is called once per identity until its answer expires', async () => {
    const invocations = async () => {
      await json('DELETE', '/_local/meter');
      await json('GET', '/api/echo');
      return (await json('GET', '/_local/meter')).body.lambda.invocations;
    };
    await json('GET', '/api/echo');
    // A schedule may run beside one of two calls.
    const fewest = async () => Math.min(await invocations(), await invocations());
    expect(await fewest()).toBe(1);
    const { body } = await json('GET', '/_local/clock');
    const later = new Date(Date.parse(body.now) + 61 * 60_000).toISOString();
    await json('PUT', '/_local/clock', { now: later, outage: true });
    expect(await invocations()).toBeGreaterThanOrEqual(2);
    expect(await fewest()).toBe(1);
  });

  it('runs nothing of the function for a refused caller', async () => {
    const enter = (headers: Record<string, string>, SK: string) =>
      get('/api/item/guarded', {
        method: 'POST',
        headers,
        body: JSON.stringify({ fields: { PK: 'KEPT', SK } }),
      });
    expect((await enter({}, 'nobody')).status).toBe(401);
    expect((await enter({ 'x-visitor': 'stranger' }, 'stranger')).status).toBe(403);
    expect((await enter({ 'x-visitor': 'stranger' }, 'stranger again')).status).toBe(403);
    expect((await enter({ 'x-visitor': 'confused' }, 'confused')).status).toBe(500);
    expect((await enter({ 'x-visitor': 'invited' }, 'invited')).status).toBe(200);
    expect((await items('KEPT')).map(({ SK }) => SK)).toEqual(['invited']);
  });

  it('lets CloudFront through and keeps its key to itself', async () => {
    const { body } = await json('GET', '/api/echo', undefined);
    expect(body.headers['x-origin-key']).toMatch(/^[A-Za-z0-9]{40}$/);
    const forged = await get('/api/echo', { headers: { 'x-origin-key': 'forged' } });
    expect(((await forged.json()) as Event).headers['x-origin-key']).toBe(body.headers['x-origin-key']);
  });
});

describe('Pages', () => {
  it('come from the built web app, at the file that the CloudFront Function finds', async () => {
    const page = await get('/lists/7');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await page.text()).toContain('<title>App</title>');
    const script = await get('/assets/a-1234.js');
    expect(script.headers.get('content-type')).toBe('text/javascript');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('carry the headers of the template', async () => {
    const { headers } = await get('/');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toBe('camera=()');
    expect((await get('/api/echo')).headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('are compressed for clients that accept it, and not sent again to those that have them', async () => {
    const plain = await get('/', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.has('content-encoding')).toBe(false);
    const small = await get('/', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(small.headers.get('content-encoding')).toBe('br');
    expect(await small.text()).toBe(await plain.text());
    const etag = plain.headers.get('etag') ?? '';
    const again = await get('/', { headers: { 'accept-encoding': 'identity', 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it('that are not there are refused, as are paths out of the directory and methods that write', async () => {
    expect((await get('/missing.js')).status).toBe(403);
    expect((await get('/%2e%2e/app.ts')).status).toBe(403);
    expect((await get('/..%2fapp.ts')).status).toBe(403);
    expect((await get('/', { method: 'POST' })).status).toBe(403);
  });
});
