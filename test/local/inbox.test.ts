import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../local/inbox/message.ts';
import { fixtureStack } from './fixture/stack.ts';

const { get, json, now, moveTo, stack } = fixtureStack();

/** As the SES client sends it. */
const mail = (to: string[], subject: string, text = 'Text') =>
  fetch(`${stack().env.AWS_ENDPOINT_URL_SESV2}/v2/email/outbound-emails`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'AWS4-HMAC-SHA256 local' },
    body: JSON.stringify({
      FromEmailAddress: 'Fixture <no-reply@fixture.example>',
      Destination: { ToAddresses: to },
      Content: {
        Simple: {
          Subject: { Data: subject },
          Body: { Text: { Data: text }, Html: { Data: `<p>${text}</p>` } },
          Headers: [{ Name: 'X-Kind', Value: 'test' }],
        },
      },
    }),
  });

const messages = async (query = ''): Promise<Message[]> =>
  (await json('GET', `/_local/inbox${query}`)).body.messages;

describe('The inbox', () => {
  beforeEach(() => json('DELETE', '/_local/inbox'));

  it('shows what was sent, newest first', async () => {
    await mail(['ann@fixture.example'], 'First');
    await mail(['bob@fixture.example'], 'Second');
    const [second, first] = await messages();
    expect(second?.subject).toBe('Second');
    expect(first).toEqual({
      id: expect.stringMatching(/./),
      provider: 'ses',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      from: 'Fixture <no-reply@fixture.example>',
      to: 'ann@fixture.example',
      subject: 'First',
      text: 'Text',
      html: '<p>Text</p>',
      headers: { 'X-Kind': 'test' },
      variables: {},
    });
  });

  it('shows a mail to two as two, and one of them to who asks for an address', async () => {
    await mail(['ann@fixture.example', 'bob@fixture.example'], 'Both');
    expect(new Set((await messages()).map(({ id }) => id)).size).toBe(2);
    expect((await messages('?to=Bob%40fixture.example')).map(({ to }) => to)).toEqual([
      'bob@fixture.example',
    ]);
    expect(await messages('?to=eve%40fixture.example')).toEqual([]);
  });

  it('tells simulated time', async () => {
    const later = (await now()) + 3 * 60 * 60_000;
    await moveTo(later, true);
    await mail(['ann@fixture.example'], 'Later');
    const [message] = await messages();
    expect(Math.abs(Date.parse(message?.at ?? '') - later)).toBeLessThan(60_000);
  });

  it('is empty after it was emptied', async () => {
    await mail(['ann@fixture.example'], 'Gone');
    expect((await get('/_local/inbox', { method: 'DELETE' })).status).toBe(204);
    expect(await messages()).toEqual([]);
  });

  it('is a page for a browser, whose mails run no scripts', async () => {
    const page = await get('/_local/inbox', { headers: { accept: 'text/html,*/*' } });
    expect(page.headers.get('content-type')).toBe('text/html');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    expect(html).toMatch(/<iframe[^>]+sandbox="(?!.*allow-scripts)/);
    const parts = [...html.matchAll(/(?:href|src)="(\/_local\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(parts).toHaveLength(2);
    for (const part of parts) expect((await get(part)).status).toBe(200);
  });
});

describe('The control calls', () => {
  it('say when everything is up', async () => {
    expect(await json('GET', '/_local/health')).toEqual({
      status: 200,
      body: { ok: true, now: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
    });
  });

  it('that do not exist are not there', async () => {
    for (const path of ['/_local/nothing', '/_local/']) {
      expect((await get(path)).status).toBe(404);
      expect((await get(path, { method: 'PUT' })).status).toBe(404);
    }
  });

  it('answer nobody who calls this machine by another name', async () => {
    const { port } = new URL(stack().url);
    const status = await new Promise(done => {
      request(
        { host: '127.0.0.1', port, path: '/_local/inbox', headers: { host: 'evil.test' } },
        response => {
          response.resume();
          done(response.statusCode);
        },
      ).end();
    });
    expect(status).toBe(403);
  });
});
