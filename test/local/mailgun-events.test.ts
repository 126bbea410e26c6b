import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { IN_MEMORY, openDatabase } from '#local/database.ts';
import type { EventName } from '#local/mailgun/events.ts';
import type { Faults } from '#local/mailgun/faults.ts';
import { createWebhooks } from '#local/mailgun/webhooks.ts';
import { DOMAIN, LIST, MESSAGES, mailgunAlone, QUEUED, WHOLE } from './fixture/mailgun.ts';

const { call, said, post, messages, mailgun } = mailgunAlone();

describe('A fault', () => {
  const faults = (provider: Faults['provider'], rate = 1) => mailgun().setFaults({ provider, rate });
  afterEach(() => faults('ok'));
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
    for (const provider of ['429', '500', '401'] as const) {
      await faults(provider);
      expect(await statuses(2)).toEqual([Number(provider), Number(provider)]);
    }
    await faults('429');
    const { headers } = await call(MESSAGES, WHOLE);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(messages()).toEqual([]);
  });

  it('hits a share of the calls, evenly and each time the same', async () => {
    await faults('500', 0.25);
    expect(await statuses(8)).toEqual([200, 200, 200, 500, 200, 200, 200, 500]);
    await faults('500', 0);
    expect(await statuses(2)).toEqual([200, 200]);
    await faults('500', 0.7);
    expect((await statuses(10)).filter(status => status === 500)).toHaveLength(7);
  });

  it('can take a message and hang up before the answer', async () => {
    await faults('drop_after_accept');
    await expect(call(MESSAGES, WHOLE)).rejects.toThrow();
    expect(messages()).toHaveLength(1);
    expect(await post({ ...WHOLE, to: '' })).toEqual([400, "'to' parameter is missing"]);
  });

  it('can refuse every connection, and none any more when it is over', async () => {
    expect(await statuses(1)).toEqual([200]);
    await faults('refuse');
    expect(await statuses(3)).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
    await faults('ok');
    expect(await statuses(2)).toEqual([200, 200]);
    expect(messages()).toHaveLength(3);
  });

  it('can close a share of the connections before anything was read', async () => {
    await faults('refuse', 0.5);
    const all = await statuses(6);
    expect(all.map(status => status === 200)).toEqual([true, false, true, false, true, false]);
    expect(messages()).toHaveLength(3);
  });
});

describe('An event', () => {
  const WEBHOOKS = `/v3/domains/${DOMAIN}/webhooks`;
  type Payload = {
    signature: { timestamp: string; token: string; signature: string };
    'event-data': Record<string, unknown> & { message: { headers: Record<string, string> } };
  };
  async function report(send: string, event: EventName) {
    const { payload, deliveries = [] } = (await mailgun().report(send, event)) ?? {};
    return { payload: payload as Payload, deliveries };
  }

  /** A webhook of this test, which keeps what is posted to it. */
  async function webhook(answering: number) {
    const received: Payload[] = [];
    const server = createServer(async (incoming, response) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      received.push(JSON.parse(text));
      response.writeHead(answering).end();
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    return { url, received, close: () => new Promise(done => server.close(done)) };
  }

  const sent = (send: string) =>
    post({
      ...WHOLE,
      subject: 'Report',
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
    for (const { url } of [taker, refuser])
      expect(await said(WEBHOOKS, { id: 'permanent_fail', url })).toEqual([200, 'Webhook has been created']);
    await sent('s-1');
    const { payload, deliveries } = await report('s-1-2', 'bounced');
    expect(deliveries).toEqual([
      { url: taker.url, status: 200 },
      { url: refuser.url, status: 406 },
    ]);
    expect(taker.received).toEqual([payload]);
    const { signature, 'event-data': data } = payload;
    expect(signature.signature).toBe(signed(signature, await signingKey()));
    expect(Math.abs(Number(signature.timestamp) * 1000 - Date.now())).toBeLessThan(60_000);
    const [message] = messages('bob@fixture.example');
    const messageId = message?.headers['Message-Id']?.slice(1, -1);
    expect(data).toMatchObject({
      event: 'failed',
      severity: 'permanent',
      recipient: 'bob@fixture.example',
      'user-variables': { send: 's-1-2' },
      'delivery-status': { code: 550 },
      domain: { name: DOMAIN },
      message: {
        headers: { to: 'bob@fixture.example', from: WHOLE.from, subject: 'Report', 'message-id': messageId },
      },
    });

    expect((await report('s-1', 'delivered')).deliveries).toEqual([]);
    await Promise.all([taker.close(), refuser.close()]);
    expect((await report('s-1', 'bounced')).deliveries[0]).toEqual({ url: taker.url, status: null });
  });

  it('says what became of the email', async () => {
    await sent('s-2');
    const sentAs = async (event: EventName) => {
      const { event: name, severity } = (await report('s-2', event)).payload['event-data'];
      return [name, severity];
    };
    expect(await sentAs('delivered')).toEqual(['delivered', undefined]);
    expect(await sentAs('bounced_soft')).toEqual(['failed', 'permanent']);
    expect(await sentAs('delayed')).toEqual(['failed', 'temporary']);
    expect(await sentAs('complained')).toEqual(['complained', undefined]);
    expect(await sentAs('unsubscribed')).toEqual(['unsubscribed', undefined]);
  });

  it('is there only for an email that was accepted, also when the inbox was emptied since', async () => {
    expect(await sent('s-3')).toEqual(QUEUED);
    mailgun().mailbox.clear();
    expect(await mailgun().report('s-3', 'delivered')).toBeDefined();
    expect(await mailgun().report('s-unknown', 'delivered')).toBeUndefined();
  });

  it('goes to webhooks of a kind that there is, at a URL, added with a key', async () => {
    const url = 'https://a.example/';
    expect((await said(WEBHOOKS, { id: 'delivered', url: 'nowhere' }))[0]).toBe(400);
    expect((await said(WEBHOOKS, { id: 'sometimes', url }))[0]).toBe(400);
    expect(await said(WEBHOOKS, { id: 'delivered', url }, { key: 'wrong' })).toEqual([401, 'Forbidden']);
  });

  it('goes to the address of its list where no webhook was added, signed with the key of the list', async () => {
    await sent(LIST.send);
    const { payload, deliveries } = await report(LIST.send, 'unsubscribed');
    expect(deliveries).toEqual([{ url: LIST.url, status: null }]);
    expect(payload.signature.signature).toBe(signed(payload.signature, LIST.key));
    const url = 'http://127.0.0.1:9/added';
    await said(WEBHOOKS, { id: 'unsubscribed', url });
    expect((await report(LIST.send, 'unsubscribed')).deliveries).toMatchObject([{ url }]);
  });

  it('goes to the same webhooks after a restart', () => {
    const database = openDatabase(IN_MEMORY);
    createWebhooks(database).add(DOMAIN, 'delivered', 'https://a.example/');
    expect(createWebhooks(database).urls(DOMAIN, 'delivered')).toEqual(['https://a.example/']);
  });
});
