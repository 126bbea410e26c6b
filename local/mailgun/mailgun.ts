import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Meter } from '../meter.ts';
import { createApi } from './api.ts';
import { type EventName, payloadOf, webhookOf } from './events.ts';
import { createTroubles, type Faults } from './faults.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { createWebhooks } from './webhooks.ts';

export type Mailgun = {
  /** Where a caller finds one of its two regions: the address says who calls. */
  of: (caller: string, region: Region) => string;
  mailbox: Mailbox;
  /** What happens to a share of the calls from now on. */
  setFaults: (faults: Faults) => Promise<void>;
  /** The key with which the events of a domain are signed, where it is not the account's. */
  sign: (domain: string, key: string) => void;
  /** Tells the webhooks of its domain what became of an email; undefined where no such send was accepted. */
  report: (send: string, event: EventName) => Promise<Report | undefined>;
  close: () => Promise<void>;
};

export type Region = 'mailgun-us' | 'mailgun-eu';
export type Report = { payload: object; deliveries: { url: string; status: number | null }[] };

export type MailgunOptions = {
  clock: Pick<Clock, 'now'>;
  meter: Meter;
  /** Callers that are no part of the product. */
  unmetered: string;
};

// https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages
const MOST_BYTES = 25 * 1024 * 1024;
const PATIENCE = 10_000;

/** Mailgun, as far as it is documented, on a port of its own: what is down refuses connections. */
export async function startMailgun({ clock, meter, unmetered }: MailgunOptions): Promise<Mailgun> {
  const mailbox = createMailbox();
  const webhooks = createWebhooks();
  const troubles = createTroubles();
  const accountKey = randomBytes(16).toString('hex');
  const signingKeys = new Map<string, string>();
  const api = createApi({ mailbox, webhooks, troubles, meter, now: clock.now, accountKey });

  const server = createServer((incoming, response) => void serve(incoming, response));
  server.on('connection', socket => troubles.strikes('refuse') && socket.resetAndDestroy());

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '', headers, socket } = incoming;
    // It came over a connection from before.
    if (troubles.isDown()) return void socket.resetAndDestroy();
    const [, caller, path = ''] = /^\/([^/]+)\/mailgun-(?:us|eu)(\/.*)?$/.exec(url) ?? [];
    try {
      const body = await readLimited(incoming);
      const answer = await api({ method, path, headers, body, metered: caller !== unmetered });
      if (!answer) return void socket.destroy();
      response.writeHead(answer.status, {
        ...answer.headers,
        date: new Date(clock.now()).toUTCString(),
        'content-length': answer.body.length,
        ...(troubles.perConnection() && { connection: 'close' }),
      });
      response.end(answer.body);
    } catch {
      // Whoever hung up needs no answer.
      socket.destroy();
    }
  }

  const listen = (on: number) =>
    new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(on, '127.0.0.1', () => {
        server.off('error', failed);
        done();
      });
    });

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    of: (caller, region) => `http://127.0.0.1:${port}/${caller}/${region}`,
    mailbox,
    async setFaults(faults) {
      troubles.set(faults);
      // A connection that was kept alive would not be refused.
      if (troubles.perConnection()) server.closeIdleConnections();
      if (troubles.isDown() && server.listening) server.close();
      if (!troubles.isDown() && !server.listening) await listen(port);
    },
    sign: (domain, key) => void signingKeys.set(domain, key),
    async report(send, event) {
      const delivery = mailbox.sent(send);
      if (!delivery) return undefined;
      const { domain } = delivery.post;
      const payload = payloadOf(event, delivery, signingKeys.get(domain) ?? accountKey, clock.now());
      const urls = webhooks.of(domain)[webhookOf(event)]?.urls ?? [];
      const deliveries = urls.map(async url => ({ url, status: await statusOf(url, payload) }));
      return { payload, deliveries: await Promise.all(deliveries) };
    },
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise(done => server.close(done));
    },
  };
}

/** The whole body, or undefined where it is too large: then the rest is read but not kept, or nobody reads the answer. */
async function readLimited(incoming: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > MOST_BYTES ? undefined : Buffer.concat(chunks);
}

/** How a webhook answers; null where it does not. */
async function statusOf(url: string, payload: object): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
