import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { BROWSER } from '../support/mail.ts';
import { newMailing } from '../support/mailing.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { call, fetchJson } = stack;
const DOMAIN = 'link.letters.example';

/** Calls the stack as a browser does that a CNAME has led here. */
const visit = (host: string, path: string, method = 'GET', body?: string) =>
  new Promise<{ status: number | undefined; location: string | undefined; body: string }>((done, failed) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { host, 'user-agent': BROWSER, ...(body && type) };
    const sent = request(new URL(path, stack.url()), { method, headers }, async answer =>
      done({ status: answer.statusCode, location: answer.headers.location, body: await text(answer) }),
    );
    sent.on('error', failed).end(body);
  });

it('emails lead to the tracking domain of their list, which serves them and nothing else', async () => {
  const mailing = await newMailing(stack);
  const of = { ...mailing.as, params: { list: mailing.list } };
  const mail = async () => {
    const { email, id } = await mailing.due();
    await stack.advance(3 * 60);
    const [{ html }] = (await fetchJson('GET', `/_local/inbox?to=${email}`)).body.messages;
    const link = (purpose: string) => new RegExp(`https?://[^/"]+(/t/${purpose}/[\\w-]+)`).exec(html) ?? [];
    const shown = (await call('GET /api/email-sends', mailing.as)).body.data;
    return { id, click: link('c'), pixel: link('o'), unsubscribe: link('u'), shown };
  };
  const before = await mail();
  const added = await call('POST /api/email-lists/{list}/tracking-domain', {
    ...of,
    body: { domain: DOMAIN },
  });
  const [{ type, name, value }] = added.body.records;
  await fetchJson('PUT', '/_local/dns', { body: JSON.stringify({ type, name, values: [value] }) });
  const check = async () =>
    (await call('POST /api/email-lists/{list}/tracking-domain/check', of)).body.status;
  expect([await check(), await check(), await check()]).toEqual(['issuing', 'issuing', 'active']);

  const { id, click, pixel, unsubscribe } = await mail();
  expect(click[0]).toMatch(`https://${DOMAIN}/t/c/`);
  expect((await visit(DOMAIN, pixel[1] ?? '')).status).toBe(200);
  expect(await visit(DOMAIN.toUpperCase(), click[1] ?? '')).toMatchObject({
    status: 302,
    location: expect.stringMatching('^https://shop.example.com'),
  });
  const { data } = (await call('GET /api/email-sends', { ...mailing.as })).body;
  expect(data[0]).toMatchObject({ is_opened: true, is_clicked: true });
  // Neither does the stage serve its links, nor the domain those of the stage, nor anything else.
  expect((await visit('127.0.0.1', click[1] ?? '')).status).toBe(404);
  expect((await visit(DOMAIN, before.click[1] ?? '')).status).toBe(404);
  for (const path of ['/', '/login', '/api/openapi.json']) {
    expect((await visit(DOMAIN, path)).status, path).toBe(404);
  }
  expect((await visit('127.0.0.1', before.click[1] ?? '')).status).toBe(302);

  // A domain that was removed serves what was sent.
  await call('DELETE /api/email-lists/{list}/tracking-domain', of);
  const done = await visit(DOMAIN, unsubscribe[1] ?? '', 'POST', 'List-Unsubscribe=One-Click');
  expect(done.status).toBe(200);
  const member = await call('GET /api/list-members/{listMember}', {
    ...mailing.as,
    params: { listMember: id },
  });
  expect(member.body.is_subscribed).toBe(false);
});
