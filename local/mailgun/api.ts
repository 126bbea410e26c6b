import { randomBytes } from 'node:crypto';
import type { Killer } from '../functions/killer.ts';
import { type HttpAnswer, json, text } from '../gateway/response.ts';
import type { Meter } from '../meter.ts';
import { decoded } from '../parse.ts';
import type { FaultInjection } from './faults.ts';
import type { Mailbox } from './mailbox.ts';
import { readMessage } from './message.ts';
import type { Webhooks } from './webhooks.ts';

export type Call = {
  method: string;
  /** The path after the base URL. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Undefined if it is larger than Mailgun accepts. */
  body: Buffer | undefined;
  caller: string;
  metered: boolean;
};

type ApiOptions = {
  mailbox: Mailbox;
  webhooks: Webhooks;
  faults: FaultInjection;
  meter: Meter;
  killer: Killer;
  now: () => number;
  /** Signs the events for lists that have no key of their own. */
  accountKey: () => string;
};

type Request = Call & { domain: string };
/** Returns undefined if the caller gets no response. */
type Answering = (request: Request) => Promise<HttpAnswer | undefined> | HttpAnswer | undefined;
type Route = { method: string; path: RegExp; answer: Answering };

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;
const KEY = /^key-./;

/** The part of Mailgun's API that sends, and what tests need to trigger its events. */
export function createApi(options: ApiOptions): (call: Call) => Promise<HttpAnswer | undefined> {
  const { mailbox, webhooks, faults, meter, killer, now, accountKey } = options;

  const routes: Route[] = [
    { method: 'POST', path: /^\/v3\/([^/]+)\/messages$/, answer: send },
    { method: 'POST', path: /^\/v3\/domains\/([^/]+)\/webhooks$/, answer: forDomain(addWebhook) },
    {
      method: 'GET',
      path: /^\/v5\/accounts\/http_signing_key$/,
      answer: authorized(() => json(200, { message: 'success', http_signing_key: accountKey() })),
    },
  ];

  function send(request: Request) {
    if (request.metered) meter.providerCalled();
    const fault = faults.next('401', '429', '500');
    return fault ? FAULT_ANSWERS[fault] : forDomain(accept)(request);
  }

  async function accept({
    domain,
    body,
    headers,
    caller,
    metered,
  }: Request): Promise<HttpAnswer | undefined> {
    if (!body) return text(413, PLAIN, 'Request Entity Too Large');
    const posted = readMessage(await readForm(body, headers));
    if ('refused' in posted) return json(400, { message: posted.refused });
    const at = new Date(now()).toISOString();
    const id = `${at.replace(/\D/g, '').slice(0, 14)}.${randomBytes(8).toString('hex')}@${domain}`;
    const accepted = mailbox.take({ ...posted, id, domain, at });
    if (metered) meter.providerAccepted(accepted);
    return faults.next('drop_after_accept') || killer.strikes('after_post', caller)
      ? undefined
      : json(200, { id: `<${id}>`, message: 'Queued. Thank you.' });
  }

  async function addWebhook({ domain, body, headers }: Request): Promise<HttpAnswer> {
    const form = await readForm(body ?? Buffer.alloc(0), headers);
    const refused = webhooks.add(domain, String(form.get('id')), String(form.get('url')));
    return refused ? json(400, { message: refused }) : json(200, { message: 'Webhook has been created' });
  }

  return async call => {
    // Mailgun decodes a path before it looks up the domain: an escaped slash counts as a slash.
    const path = decoded(call.path.split('?', 1)[0] ?? '') ?? '';
    for (const { method, path: pattern, answer } of routes) {
      const [match, domain = ''] = (method === call.method && pattern.exec(path)) || [];
      if (match !== undefined) return answer({ ...call, domain: domain.toLowerCase() });
    }
    return text(200, PLAIN, 'Mailgun Magnificent API');
  };
}

/** Checks the key first, then the domain, and then the posted fields. */
const forDomain = (answer: Answering): Answering =>
  authorized(request =>
    DOMAIN.test(request.domain)
      ? answer(request)
      : json(404, { message: `Domain not found: ${request.domain}` }),
  );

function authorized(answer: Answering): Answering {
  return request => {
    const [scheme = '', credentials = ''] = String(request.headers.authorization ?? '').split(' ');
    const [user, ...key] = Buffer.from(credentials, 'base64').toString().split(':');
    const known = scheme.toLowerCase() === 'basic' && user === 'api' && KEY.test(key.join(':'));
    return known ? answer(request) : FORBIDDEN;
  };
}

/** Reads a form in either of its two encodings. Any other body counts as an empty form. */
async function readForm(body: Buffer, headers: Call['headers']): Promise<FormData> {
  try {
    const type = String(headers['content-type'] ?? '');
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    return new FormData();
  }
}

const PLAIN = 'text/plain; charset=utf-8';
const FORBIDDEN = text(401, PLAIN, 'Forbidden', { 'www-authenticate': 'Basic realm="MG API"' });

const FAULT_ANSWERS: Partial<Record<string, HttpAnswer>> = {
  '401': FORBIDDEN,
  '429': json(429, { message: 'Too many requests' }, { 'retry-after': '30' }),
  '500': json(500, { message: 'Internal Server Error' }),
};
