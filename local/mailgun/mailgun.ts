import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import type { Killer } from '../functions/killer.ts';
import { STACK_TIME } from '../gateway/gateway.ts';
import type { Meter } from '../meter.ts';
import { listen, readBody } from '../server.ts';
import { createApi } from './api.ts';
import type { Customers } from './customers.ts';
import { type EventName, payloadOf, webhookOf } from './events.ts';
import { createFaultInjection, type Faults } from './faults.ts';
import { createMailbox } from './mailbox.ts';
import { createWebhooks } from './webhooks.ts';

export type Mailgun = Awaited<ReturnType<typeof startMailgun>>;
export type Region = 'mailgun-us' | 'mailgun-eu';

type MailgunOptions = {
  database: DatabaseSync;
  clock: Pick<Clock, 'now'>;
  meter: Meter;
  killer: Killer;
  customers: Customers;
  /** The name for callers outside the product. */
  unmetered: string;
};

// https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages
const MOST_BYTES = 25 * 1024 * 1024;
const WEBHOOK_TIMEOUT = 10_000;

/** A local Mailgun with a port of its own, so that it can refuse connections. */
export async function startMailgun(options: MailgunOptions) {
  const { database, clock, meter, killer, customers, unmetered } = options;
  const mailbox = createMailbox(database);
  const webhooks = createWebhooks(database);
  const faults = createFaultInjection();
  const api = createApi({
    mailbox,
    webhooks,
    faults,
    meter,
    killer,
    now: clock.now,
    accountKey: customers.accountKey,
  });

  const server = createServer((incoming, response) => void serve(incoming, response));
  server.on('connection', socket => faults.next('refuse') && socket.resetAndDestroy());

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '', headers, socket } = incoming;
    const [, caller = '', path = ''] = /^\/([^/]+)\/mailgun-(?:us|eu)(\/.*)?$/.exec(url) ?? [];
    try {
      const body = await readBody(incoming, MOST_BYTES);
      if (killer.hasEnded(caller) || killer.strikes('before_post', caller)) return void socket.destroy();
      const answer = await api({ method, path, headers, body, caller, metered: caller !== unmetered });
      if (!answer) return void socket.destroy();
      response.writeHead(answer.status, {
        ...answer.headers,
        date: new Date(clock.now()).toUTCString(),
        'content-length': answer.body.length,
        // Closes each connection, as a kept-alive one could not be refused later.
        connection: 'close',
      });
      response.end(answer.body);
    } catch {
      // The client has closed the connection.
      socket.destroy();
    }
  }

  const port = await listen(server);
  return {
    /** The base URL of one of its two regions, for a caller whose name is in the path. */
    urlOf: (caller: string, region: Region) => `http://127.0.0.1:${port}/${caller}/${region}`,
    mailbox,
    async setFaults(next: Faults) {
      faults.set(next);
      if (faults.refusesAll() && server.listening) server.close();
      if (!faults.refusesAll() && !server.listening) await listen(server, port);
    },
    /**
     * Posts an event about an email to the webhooks of its domain or, if there are none, to the URL of its list. Returns
     * undefined if no such email was accepted.
     */
    async report(send: string, event: EventName) {
      const delivery = mailbox.sent(send);
      if (!delivery) return undefined;
      const { domain } = delivery.post;
      const list = await customers.listOf(send);
      const payload = payloadOf(event, delivery, list?.key ?? customers.accountKey(), clock.now());
      const added = webhooks.urls(domain, webhookOf(event));
      const urls = added.length === 0 && list ? [list.url] : added;
      const deliveries = urls.map(async url => ({ url, status: await statusOf(url, payload) }));
      return { payload, deliveries: await Promise.all(deliveries) };
    },
    async close() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

async function statusOf(url: string, payload: object): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [STACK_TIME]: '1' },
      body: JSON.stringify(payload),
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
