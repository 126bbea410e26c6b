import { randomBytes } from 'node:crypto';
import type { HttpAnswer } from '../gateway/response.ts';
import type { Meter } from '../meter.ts';
import type { Troubles } from './faults.ts';
import type { Mailbox } from './mailbox.ts';
import { readMessage } from './message.ts';
import type { Webhooks } from './webhooks.ts';

export type Call = {
  method: string;
  /** Behind the base address. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Undefined where it is larger than Mailgun takes. */
  body: Buffer | undefined;
  metered: boolean;
};

export type ApiOptions = {
  mailbox: Mailbox;
  webhooks: Webhooks;
  troubles: Troubles;
  meter: Meter;
  now: () => number;
  /** With which events are signed, as the account says it. */
  accountKey: string;
};

type Asked = Call & { domain: string; name: string };
/** Undefined where the caller gets no answer. */
type Answering = (asked: Asked) => Promise<HttpAnswer | undefined> | HttpAnswer | undefined;
type Route = { method: string; path: RegExp; answer: Answering };

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;
const KEY = /^key-./;
const RETRY_AFTER = '30';

/** The part of Mailgun's API that a sender and the owner of its webhooks need. */
export function createApi(options: ApiOptions): (call: Call) => Promise<HttpAnswer | undefined> {
  const { mailbox, webhooks, troubles, meter, now, accountKey } = options;

  const routes: Route[] = [
    { method: 'POST', path: /^\/v3\/([^/]+)\/messages$/, answer: send },
    {
      method: 'GET',
      path: /^\/v3\/domains\/([^/]+)\/webhooks$/,
      answer: owned(({ domain }) => json(200, { webhooks: webhooks.of(domain) })),
    },
    { method: 'POST', path: /^\/v3\/domains\/([^/]+)\/webhooks$/, answer: owned(addWebhook) },
    { method: 'DELETE', path: /^\/v3\/domains\/([^/]+)\/webhooks\/([^/]+)$/, answer: owned(removeWebhook) },
    {
      method: 'GET',
      path: /^\/v5\/accounts\/http_signing_key$/,
      answer: authorized(() => json(200, { message: 'success', http_signing_key: accountKey })),
    },
  ];

  function send(asked: Asked) {
    if (asked.metered) meter.providerCalled();
    const fault = troubles.strikes('401', '429', '500');
    return fault ? TROUBLES[fault] : owned(accept)(asked);
  }

  async function accept({ domain, body, headers, metered }: Asked): Promise<HttpAnswer | undefined> {
    if (!body) return text(413, 'Request Entity Too Large');
    const posted = readMessage(await readForm(body, headers));
    if ('refused' in posted) return json(400, { message: posted.refused });
    const at = new Date(now()).toISOString();
    const id = `${at.replace(/\D/g, '').slice(0, 14)}.${randomBytes(8).toString('hex')}@${domain}`;
    const accepted = mailbox.take({ ...posted, id, domain, at });
    if (metered) meter.providerAccepted(accepted);
    return troubles.strikes('drop_after_accept')
      ? undefined
      : json(200, { id: `<${id}>`, message: 'Queued. Thank you.' });
  }

  async function addWebhook({ domain, body, headers }: Asked): Promise<HttpAnswer> {
    const form = await readForm(body ?? Buffer.alloc(0), headers);
    const urls = webhooks.add(domain, String(form.get('id') ?? ''), form.getAll('url').map(String));
    return 'refused' in urls
      ? json(400, { message: urls.refused })
      : json(200, { message: 'Webhook has been created', webhook: { urls } });
  }

  function removeWebhook({ domain, name }: Asked): HttpAnswer {
    return webhooks.remove(domain, name)
      ? json(200, { message: 'Webhook has been deleted' })
      : json(404, { message: 'Webhook not found' });
  }

  return async call => {
    const path = decoded(call.path);
    for (const route of routes) {
      const [match, domain = '', name = ''] = (route.method === call.method && route.path.exec(path)) || [];
      if (match !== undefined) return route.answer({ ...call, domain: domain.toLowerCase(), name });
    }
    return text(200, 'Mailgun Magnificent API');
  };
}

/** First the key, then the domain; only then what was sent with them. */
const owned = (answer: Answering): Answering =>
  authorized(asked =>
    DOMAIN.test(asked.domain) ? answer(asked) : json(404, { message: `Domain not found: ${asked.domain}` }),
  );

function authorized(answer: Answering): Answering {
  return asked => {
    const [scheme = '', credentials = ''] = String(asked.headers.authorization ?? '').split(' ');
    const [user, ...key] = Buffer.from(credentials, 'base64').toString().split(':');
    const known = scheme.toLowerCase() === 'basic' && user === 'api' && KEY.test(key.join(':'));
    return known ? answer(asked) : forbidden();
  };
}

/** Mailgun takes the escapes out of a path before it looks for the domain: an escaped slash is a slash. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path.split('?', 1)[0] ?? '');
  } catch {
    return '';
  }
}

/** A form in either of its two encodings; anything else counts as an empty one. */
async function readForm(body: Buffer, headers: Call['headers']): Promise<FormData> {
  try {
    const type = String(headers['content-type'] ?? '');
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    return new FormData();
  }
}

const json = (status: number, body: object): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

const text = (status: number, said: string): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from(said),
});

const forbidden = (): HttpAnswer => {
  const answer = text(401, 'Forbidden');
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Basic realm="MG API"' } };
};

const tooMany = (): HttpAnswer => {
  const answer = json(429, { message: 'Too many requests' });
  return { ...answer, headers: { ...answer.headers, 'retry-after': RETRY_AFTER } };
};

const TROUBLES: Partial<Record<string, HttpAnswer>> = {
  '401': forbidden(),
  '429': tooMany(),
  '500': json(500, { message: 'Internal Server Error' }),
};
