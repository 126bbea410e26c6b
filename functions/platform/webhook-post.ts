import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { env } from './runtime.ts';

export type Message = { url: string; headers: Record<string, string>; body: string };

/** `unreachable` has no details: a caller must not learn which addresses exist in the internal network. */
export type Posted = { ms: number; retryAfter?: number | undefined } & (
  | { status: number }
  | { error: 'unreachable' | 'tls' | 'timeout' | 'broken' }
);

type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

const LONGEST_MS = 15_000;
// Of the response to a webhook nothing is stored. A little of it is read, so that an ordinary one is not interrupted.
const MOST_BYTES = 8 * 1024;
const LONGEST_ANSWER_MS = 1_000;
const LONGEST_RETRY_AFTER = 24 * 60 * 60;
// Limits the connection attempts if a name has thousands of addresses.
const MOST_ADDRESSES = 4;
// Node's default of a quarter of a second is shorter than a connection to the other side of the world takes.
const CONNECTING = { autoSelectFamilyAttemptTimeout: 3_000 };
const MOST_INTERIM = 10;

class Unreachable extends Error {}

type Options = { loopback: boolean; resolve?: Resolve; longest?: number };

/** Posts to addresses of the public internet only. `loopback` also allows those of this machine. */
export const poster =
  ({ loopback, resolve = resolveName, longest = LONGEST_MS }: Options) =>
  async ({ url, headers, body }: Message): Promise<Posted> => {
    const begun = performance.now();
    const ms = () => Math.round(performance.now() - begun);
    const signal = AbortSignal.timeout(longest);
    try {
      const target = new URL(url);
      const addresses = await addressesOf(target, { loopback, resolve, signal });
      const lengthed = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
      const sent = { method: 'POST', addresses, headers: lengthed, body, signal } as const;
      const { status, retryAfter } = await exchange(target, sent);
      return { status, retryAfter, ms: ms() };
    } catch (error) {
      return { error: errorOf(error, signal), ms: ms() };
    }
  };

export const postWebhook = (message: Message): Promise<Posted> =>
  poster({ loopback: env('WEBHOOK_LOOPBACK') === '1' })(message);

const MOST_DOCUMENT_MS = 5_000;

/** The JSON at an address of the public internet; undefined if there is none, or more than 8 KB of it. */
export async function getDocument(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(MOST_DOCUMENT_MS);
  const place = { loopback: env('WEBHOOK_LOOPBACK') === '1', resolve: resolveName, signal };
  try {
    const target = new URL(url);
    const addresses = await addressesOf(target, place);
    const headers = { accept: 'application/json' };
    const { status, type, text } = await exchange(target, { method: 'GET', addresses, headers, signal });
    return status === 200 && /^application\/([\w.-]+\+)?json\b/i.test(type) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

const LOCAL_NAME = /^[^.]*$|(^|\.)(localhost|local|internal|home\.arpa|lan|intranet|corp|home)$/;

type Place = { loopback: boolean; resolve: Resolve; signal: AbortSignal };

/** No other address than the checked ones is used, even if the name resolves differently a moment later. */
async function addressesOf(url: URL, { loopback, resolve, signal }: Place): Promise<string[]> {
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isWeb || url.username || url.password) throw new Unreachable();
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isLocalhost = loopback && host === 'localhost';
  if (!isIP(host) && !isLocalhost && LOCAL_NAME.test(host)) throw new Unreachable();
  const addresses = isIP(host) ? [host] : isLocalhost ? ['127.0.0.1'] : await resolve(host, signal);
  const mayConnect = (address: string) => isPublic(address) || (loopback && isLoopback(address));
  if (addresses.length === 0 || !addresses.every(mayConnect)) throw new Unreachable();
  return addresses.slice(0, MOST_ADDRESSES);
}

/** Resolves a name by DNS requests. The lookup of the system has no timeout, and few threads for the whole process. */
async function resolveName(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const none = (): string[] => [];
    const found = await Promise.all([
      resolver.resolve4(name).catch(none),
      resolver.resolve6(name).catch(none),
    ]);
    return found.flat();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

type Exchange = {
  method: 'GET' | 'POST';
  addresses: string[];
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
};
type Exchanged = { status: number; retryAfter: number | undefined; type: string; text: string };

/** Follows no redirect, keeps no connection open, and reads only the headers of the response and the beginning of its body. */
const exchange = (url: URL, { method, addresses, headers, body, signal }: Exchange) =>
  new Promise<Exchanged>((done, failed) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    let isAnswered = false;
    let interim = 0;
    const outgoing = send(
      url,
      { method, headers, agent: false, lookup: pinnedTo(addresses), ...CONNECTING, signal },
      answer => {
        isAnswered = true;
        const { statusCode: status = 0, headers } = answer;
        const read = { status, retryAfter: retryAfterOf(answer), type: headers['content-type'] ?? '' };
        void beginningOf(answer).then(text => {
          outgoing.destroy();
          done({ ...read, text });
        });
      },
    );
    outgoing.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) outgoing.destroy(new Error('The answer does not begin'));
    });
    // Errors after the response has begun do not change the result.
    outgoing.on('error', error => isAnswered || failed(error));
    // Occurs without an error, such as after a response that switches protocols.
    outgoing.on('close', () => isAnswered || failed(new Error('The connection was closed')));
    outgoing.end(body);
  });

/** A lookup that returns the checked addresses instead of resolving the name again. */
const pinnedTo =
  (addresses: string[]): LookupFunction =>
  (_, { all }, answer) => {
    const entries = addresses.map(address => ({ address, family: isIP(address) }));
    if (all) return answer(null, entries);
    const [first] = entries;
    answer(null, first?.address ?? '', first?.family);
  };

const beginningOf = (answer: IncomingMessage) =>
  new Promise<string>(done => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      clearTimeout(timer);
      done(Buffer.concat(parts).toString());
    };
    const timer = setTimeout(end, LONGEST_ANSWER_MS);
    answer.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > MOST_BYTES) return end();
      parts.push(part);
    });
    for (const event of ['end', 'error', 'close']) answer.on(event, end);
  });

/** The header Retry-After in seconds: https://www.rfc-editor.org/rfc/rfc9110#name-retry-after */
function retryAfterOf({ headers }: IncomingMessage): number | undefined {
  const text = headers['retry-after'];
  if (!text) return undefined;
  const date = Date.parse(headers.date ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - date) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_RETRY_AFTER) : undefined;
}

const UNREACHABLE = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EINVAL|EACCES|EPERM)$/;
const TLS = /^(CERT_|ERR_TLS|ERR_SSL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|EPROTO)/;

function errorOf(error: unknown, signal: AbortSignal) {
  if (signal.aborted) return 'timeout';
  if (error instanceof Unreachable || error instanceof TypeError) return 'unreachable';
  const code = String((error as { code?: unknown }).code ?? '');
  if (TLS.test(code)) return 'tls';
  if (code === 'ETIMEDOUT') return 'timeout';
  return UNREACHABLE.test(code) ? 'unreachable' : 'broken';
}

// Networks without hosts of the public internet, as in https://www.iana.org/assignments/iana-ipv4-special-registry and
// https://www.iana.org/assignments/iana-ipv6-special-registry.
const SPECIAL_IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Includes the metadata service of cloud machines, 169.254.169.254.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** All global addresses are in this network; loopback, mapped, NAT64, local and multicast addresses are not. */
const GLOBAL_IPV6: [network: string, prefix: number] = ['2000::', 3];
const SPECIAL_IPV6: [network: string, prefix: number][] = [
  // Teredo, benchmarks, ORCHID and others.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: it may contain any IPv4 address.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return isIPv6(address) && globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

export const isLoopback = (address: string) => loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
