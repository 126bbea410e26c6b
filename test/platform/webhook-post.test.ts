import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getDocument, isPublic, poster } from '#functions/platform/webhook-post.ts';

type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;
let server: Server;
let port: number;
let connections: number;
let answering: Answering;

beforeEach(async () => {
  connections = 0;
  answering = (_, response) => response.end();
  server = createServer((request, response) => void answering(request, response));
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const message = (url: string) => ({ url, headers: { 'x-key': 'value' }, body: '{"type":"test"}' });
const open = poster({ loopback: true });

/** Hosts that lead to this machine, a network of ours or nowhere. */
const HOSTILE = Object.values({
  loopback: '127.0.0.1 127.1 127.255.255.254 0.0.0.0 0 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.1',
  loopbackWritten: '0x7f.0x0.0x0.0x1 127.0.0.1. %31%32%37.0.0.1 １２７.0.0.1',
  localhost: 'localhost LOCALHOST localhost. app.localhost',
  networks:
    '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 100.64.0.1 100.127.255.255',
  linkLocal: '169.254.169.254 169.254.170.2 2852039166 0xa9fea9fe 169.254.0.1',
  reserved: '192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7',
  multicast: '224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 [ff02::1]',
  loopbackOfIPv6: '[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1]',
  translated: '[::ffff:169.254.169.254] [0:0:0:0:0:ffff:a00:1]',
  translatedByNAT64: '[64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a00:1]',
  tunnels: '[2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [2001::1] [2001:20::1]',
  reservedOfIPv6: '[2001:db8::1] [100::1] [3fff::1] [5f00::1]',
  networksOfIPv6: '[fc00::1] [fd00:ec2::254] [fd12:3456::1] [fe80::1] [febf::1] [fec0::1]',
  names: 'printer.local metadata.google.internal metadata router router.home.arpa none.example.com',
  withUser: 'user:secret@example.com user@127.0.0.1 example.com@[::1]',
  resolved: 'private.example.com mixed.example.com mapped.example.com',
}).flatMap(hosts => hosts.split(' '));
/** What a hostile nameserver says. */
const NAMES: Record<string, string[]> = {
  'private.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'example.com': ['127.0.0.1'],
};

describe('no connection is opened to an address that is not public', () => {
  it.each(HOSTILE)('%s', async host => {
    const post = poster({ loopback: false, resolve: async name => NAMES[name] ?? [] });
    for (const protocol of ['http', 'https']) {
      const { ms, ...outcome } = await post(message(`${protocol}://${host}:${port}/hook`));
      expect(outcome).toEqual({ error: 'unreachable' });
    }
    expect(connections).toBe(0);
  });

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/', 'http://', 'nonsense'])(
    'nor by another protocol: %s',
    async url => {
      const post = poster({ loopback: true, resolve: async () => ['127.0.0.1'] });
      expect(await post(message(url))).toMatchObject({ error: 'unreachable' });
    },
  );

  it('nor where loopback is let through, to any other', async () => {
    const post = poster({ loopback: true, resolve: async () => ['10.0.0.1'] });
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://inner.example.com/'])
      expect(await post(message(url))).toMatchObject({ error: 'unreachable' });
  });
});

it('addresses of the public internet are', () => {
  for (const address of [
    '93.184.215.14',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])
    expect(isPublic(address), address).toBe(true);
  expect(isPublic('example.com')).toBe(false);
});

it('a name is looked up once, and what was checked is what is connected to', async () => {
  let asked = 0;
  const resolve = async () => (++asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
  let host: string | undefined;
  answering = (request, response) => {
    host = request.headers.host;
    response.end();
  };
  const outcome = await poster({ loopback: true, resolve })(message(`http://hooks.example.com:${port}/`));
  expect(outcome).toMatchObject({ status: 200 });
  expect([asked, connections, host]).toEqual([1, 1, `hooks.example.com:${port}`]);
});

it('of a name with many addresses a few are tried', async () => {
  // Nothing listens at these.
  const closed = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
  const url = `http://hooks.example.com:${port}/`;
  const many = poster({ loopback: true, resolve: async () => [...closed, '127.0.0.1'] });
  expect(await many(message(url))).toMatchObject({ error: 'unreachable' });
  expect(connections).toBe(0);
  const few = poster({ loopback: true, resolve: async () => [...closed.slice(1), '127.0.0.1'] });
  expect(await few(message(url))).toMatchObject({ status: 200 });
});

it('each of several addresses has time for a connection from far away', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const resolve = async () => ['127.0.0.2', '127.0.0.1'];
  await poster({ loopback: true, resolve })(message(`http://hooks.example.com:${port}/`));
  expect(JSON.stringify(connect.mock.calls)).toContain('"autoSelectFamilyAttemptTimeout":3000');
  connect.mockRestore();
});

it('a request carries its headers and its body', async () => {
  let got: object = {};
  answering = async (request, response) => {
    const { method, url, headers } = request;
    got = {
      method,
      url,
      key: headers['x-key'],
      length: headers['content-length'],
      body: await text(request),
    };
    response.writeHead(204).end();
  };
  expect(await open(message(`http://127.0.0.1:${port}/hook?a=b`))).toMatchObject({ status: 204 });
  const sent = { method: 'POST', url: '/hook?a=b', key: 'value', length: '15', body: '{"type":"test"}' };
  expect(got).toEqual(sent);
});

it('a redirect is not followed', async () => {
  answering = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/inner` }).end();
  expect(await open(message(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 302 });
  expect(connections).toBe(1);
});

it.each([
  ['120', 120],
  ['Tue, 24 Nov 2026 12:01:00 GMT', 60],
  ['999999999', 86_400],
  ['soon', undefined],
])('Retry-After %s', async (text, seconds) => {
  const date = 'Tue, 24 Nov 2026 12:00:00 GMT';
  answering = (_, response) => response.writeHead(503, { 'retry-after': text, date }).end();
  const outcome = await open(message(`http://127.0.0.1:${port}/`));
  expect(outcome).toMatchObject({ status: 503 });
  expect(outcome.retryAfter).toBe(seconds);
});

it('of an endless answer little is read', async () => {
  let written = 0;
  answering = (_, response) => {
    const more = () => {
      while (!response.destroyed && written < 100_000_000) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
      }
    };
    response.writeHead(200);
    more();
  };
  const outcome = await open(message(`http://127.0.0.1:${port}/`));
  expect(outcome).toMatchObject({ status: 200 });
  expect(written).toBeLessThan(20_000_000);
});

it('an answer whose body does not come is not waited for', async () => {
  answering = (_, response) => response.writeHead(200).write('a');
  const outcome = await open(message(`http://127.0.0.1:${port}/`));
  expect(outcome).toMatchObject({ status: 200 });
  // Less than the limit of the whole exchange.
  expect(outcome.ms).toBeLessThan(15_000);
});

it('headers without end, an answer that is not HTTP and a closed connection are broken', async () => {
  const raw = createTcpServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${'x-long: y\r\n'.repeat(10_000)}`));
  });
  await new Promise<void>(done => raw.listen(0, '127.0.0.1', done));
  const { port: rawPort } = raw.address() as AddressInfo;
  expect(await open(message(`http://127.0.0.1:${rawPort}/`))).toMatchObject({ error: 'broken' });
  raw.close();
  answering = request =>
    request.socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  expect(await open(message(`http://127.0.0.1:${port}/`))).toMatchObject({ error: 'broken' });
  answering = request => {
    const early = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    request.socket.on('error', () => {});
    request.socket.write(early.repeat(20));
  };
  expect(await open(message(`http://127.0.0.1:${port}/`))).toMatchObject({ error: 'broken' });
  answering = request => request.socket.destroy();
  expect(await open(message(`http://127.0.0.1:${port}/`))).toMatchObject({ error: 'broken' });
});

it('a port where nothing listens is as unreachable as an address of ours', async () => {
  const closed = createTcpServer();
  await new Promise<void>(done => closed.listen(0, '127.0.0.1', done));
  const { port: free } = closed.address() as AddressInfo;
  await new Promise(done => closed.close(done));
  expect(await open(message(`http://127.0.0.1:${free}/`))).toMatchObject({ error: 'unreachable' });
});

it('a server without TLS is told apart', async () => {
  expect(await open(message(`https://127.0.0.1:${port}/`))).toMatchObject({ error: 'tls' });
});

it('an answer that does not begin is given up', async () => {
  answering = () => {};
  const post = poster({ loopback: true, longest: 100 });
  expect(await post(message(`http://127.0.0.1:${port}/`))).toMatchObject({ error: 'timeout' });
});

it('nor is a name waited for that is not answered', async () => {
  const resolve = (_: string, signal: AbortSignal) =>
    new Promise<string[]>((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
  const post = poster({ loopback: true, resolve, longest: 100 });
  expect(await post(message('http://slow.example.com/'))).toMatchObject({ error: 'timeout' });
});

describe('a document', () => {
  const document = { client_id: 'any', name: 'é' };
  const serve = (body: string, type = 'application/json') => {
    answering = (_, response) => response.setHeader('content-type', type).end(body);
  };
  const get = (host = '127.0.0.1') => getDocument(`http://${host}:${port}/client.json`);
  beforeEach(() => vi.stubEnv('WEBHOOK_LOOPBACK', '1'));
  afterEach(() => vi.unstubAllEnvs());

  it('is the JSON at its address, of any kind of JSON', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/client+json']) {
      serve(JSON.stringify(document), type);
      expect(await get()).toEqual(document);
    }
  });

  it('is nothing else, and no more than 8 KB', async () => {
    serve(JSON.stringify(document), 'text/html');
    expect(await get()).toBeUndefined();
    serve('{"client_id": "any"');
    expect(await get()).toBeUndefined();
    serve(JSON.stringify({ ...document, more: 'x'.repeat(8_192) }));
    expect(await get()).toBeUndefined();
    answering = (_, response) => response.writeHead(302, { location: '/other.json' }).end();
    expect(await get()).toBeUndefined();
    expect(connections).toBe(4);
  });

  it('is not loaded from this machine where that is not let through, nor from a network of ours', async () => {
    vi.stubEnv('WEBHOOK_LOOPBACK', '0');
    serve(JSON.stringify(document));
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254', 'intern'])
      expect(await get(host), host).toBeUndefined();
    expect(connections).toBe(0);
  });
});
