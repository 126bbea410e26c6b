import { beforeEach, describe, expect, it } from 'vitest';
import * as recipient from '#core/recipient/recipient.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { TEXTS } from '#functions/tracking/unsubscribe.texts.ts';
import { PRODUCT } from '#shared/brand.ts';
import { UNSUBSCRIBE_WORDS } from '#shared/unsubscribe-words.ts';
import { freshTable } from '../support/engine.ts';
import { intercepted } from '../support/intercepted.ts';
import { extent } from '../support/prove.ts';
import { newSent } from '../support/sent.ts';
import { signed, signedFor, trackingHandlers } from '../support/tracking.ts';

const table = freshTable();
const start = new Date('2030-01-01T09:58:30Z');
const now = new Date('2030-01-01T10:30:00Z');
const written = new Date('2030-01-01T10:00:00Z');
const PAGE = { method: 'POST', body: 'do=unsubscribe' };
const AGAIN = { method: 'POST', body: 'do=subscribe' };
const ONE_CLICK = { method: 'POST', body: 'List-Unsubscribe=One-Click' };
const inParts = (headers: string) => ({
  method: 'POST',
  body: `--x\r\n${headers}\r\n\r\nOne-Click\r\n--x--\r\n`,
});
const PART = 'Content-Disposition: form-data; name="List-Unsubscribe"';

let of: Awaited<ReturnType<typeof newSent>>;
let at: Awaited<ReturnType<typeof trackingHandlers>>;
beforeEach(async () => {
  of = await newSent(table, start);
  at = await trackingHandlers({ table, now });
});
const PAGE_OF = {
  language: 'en',
  list: 'Readers',
  logo: '',
  sender: { name: 'The editors', address: 'letters@example.com' },
};
const link = (more: object = {}) => signed('unsubscribe', { ...of.sent, written, ...PAGE_OF, ...more });
const status = async () => (await of.member())?.status;
const told = ({ body = '' }: { body?: string }) =>
  /<main>(.*)<\/main>/s
    .exec(body)?.[1]
    ?.replace(/<[^>]+>/g, '')
    .split('\n');

const header = (body = '') =>
  /<header>(.*)<\/header>/s
    .exec(body)?.[1]
    ?.split('</strong>')
    .map(part => part.replace(/<[^>]+>/g, ''));

it('a link that is looked at hundreds of times unsubscribes nobody', async () => {
  const before = [await of.member(), await of.triggers()];
  // Reads are answered from memory as long as nothing is written.
  const read = new Map<string, Promise<unknown>>();
  const writes: string[] = [];
  const remembering = intercepted(table, (send, { constructor: { name }, input }) => {
    const known = read.get(JSON.stringify(input));
    if (known) return known;
    const answer = send();
    if (/^(Get|Query)Command$/.test(name)) read.set(JSON.stringify(input), answer);
    else {
      writes.push(name);
      read.clear();
    }
    return answer;
  });
  const handlers = await trackingHandlers({ table: remembering, now });
  const token = link();
  for (let visits = 0; visits < extent(300, 10_000); visits++) {
    const { statusCode } = await handlers.unsubscribe(token, { method: visits % 2 ? 'GET' : 'HEAD' });
    expect(statusCode).toBe(200);
  }
  expect(writes).toEqual(['UpdateCommand']);
  expect([await of.member(), await of.triggers()]).toEqual(before);
  expect(await of.journal()).toEqual([]);
  expect(await of.claim()).toMatchObject({ unsub_clicked_at: now.toISOString() });
});

describe('The page', () => {
  it('asks with one button, and stores the first look of a person', async () => {
    const answer = await at.unsubscribe(link());
    expect(told(answer)).toEqual(['Unsubscribe from Readers?', 'Unsubscribe']);
    expect(answer.body?.match(/<button/g)).toHaveLength(1);
    expect(await of.claim()).toMatchObject({ unsub_clicked_at: now.toISOString() });
  });

  it('on a domain of a list loads the logo from the stage, and unsubscribes there alone', async () => {
    const on = { headers: { 'x-tracking-domain': 'link.example.com' } };
    const logo = 'https://letters.example/files/7/0123456789abcdef0123456789abcdef.png';
    const token = signedFor('link.example.com', 'unsubscribe', { ...of.sent, written, ...PAGE_OF, logo });
    const { headers = {}, body } = await at.unsubscribe(token, on);
    expect(headers['content-security-policy']).toContain('img-src https://letters.example;');
    expect(body).toContain(`<img src="${logo}" alt="">`);
    expect((await at.unsubscribe(token, PAGE)).statusCode).toBe(404);
    expect(await status()).toBe('subscribed');
    await at.unsubscribe(token, { ...PAGE, ...on });
    expect(await status()).toBe('unsubscribed');
  });

  it('stores no look of a machine', async () => {
    await at.unsubscribe(link(), { method: 'HEAD' });
    await at.unsubscribe(link(), { ip: '40.92.1.1' });
    await at.unsubscribe(link({ written: new Date(now.getTime() - 4_000) }));
    expect(await of.claim()).not.toHaveProperty('unsub_clicked_at');
  });

  it('unsubscribes, says so, and takes it back', async () => {
    expect(told(await at.unsubscribe(link(), PAGE))).toEqual([
      'You are unsubscribed',
      'You get no more emails from Readers.',
      'Was this a mistake?',
      'Subscribe again',
    ]);
    expect(await of.member()).toMatchObject({ status: 'unsubscribed', by: 'page' });
    expect(told(await at.unsubscribe(link()))?.[0]).toBe('You are unsubscribed');
    expect(told(await at.unsubscribe(link(), AGAIN))).toEqual(['You are subscribed again']);
    expect(await status()).toBe('subscribed');
  });

  it('subscribes nobody again whose address is suppressed, and says why', async () => {
    await at.unsubscribe(link(), PAGE);
    const head = { PK: `R#${of.key.organization}#${of.key.hash}`, SK: 'HEAD' };
    for (const [suppression, why] of [
      ['complaint', 'You reported an email as spam, so you cannot be subscribed again.'],
      ['bounce', 'An email to your address came back, so you cannot be subscribed again.'],
    ]) {
      await updateItem(table, head, { set: { suppression } });
      expect(told(await at.unsubscribe(link(), AGAIN))).toEqual([
        'You get no more emails from Readers.',
        why,
      ]);
      expect(await status()).toBe('unsubscribed');
    }
  });

  it('is friendly to who is no member any more, and writes nothing', async () => {
    await recipient.leave({ table, now }, of.key, of.list.id, 'app');
    const before = await of.rows();
    for (const call of [{}, PAGE, ONE_CLICK, AGAIN]) {
      expect(told(await at.unsubscribe(link(), call))).toEqual(['You get no more emails from Readers.']);
    }
    expect(await of.rows()).toEqual(before);
  });

  it('keeps its button while the table fails, and says so where that matters', async () => {
    const away = intercepted(table, async () => Promise.reject(new Error('The table is away')));
    const failing = await trackingHandlers({ table: away, now });
    expect(told(await failing.unsubscribe(link()))).toEqual(['Unsubscribe from Readers?', 'Unsubscribe']);
    const answer = await failing.unsubscribe(link({ language: 'de' }), PAGE);
    expect(answer.statusCode).toBe(503);
    expect(told(answer)).toEqual([
      'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
      'Abbestellen',
    ]);
    const keyless = await trackingHandlers({
      table,
      now,
      secret: async () => Promise.reject(new Error('No key')),
    });
    expect(await keyless.unsubscribe(link(), PAGE)).toMatchObject({ statusCode: 503 });
    expect(await status()).toBe('subscribed');
  });

  it('runs and loads nothing, and keeps the name of a list as text', async () => {
    const {
      headers,
      body = '',
      cookies,
    } = await at.unsubscribe(link({ list: '<script>alert(1)</script> $& {list}' }));
    expect(headers?.['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(cookies).toBeUndefined();
    expect(body).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt; $&amp; {list}</bdi>');
    expect(body).not.toMatch(/<script|style=|<a |src=/);
  });

  it('shows the public name, the sender and the logo of the list, and never names the product', async () => {
    const logo = '/files/7/0123456789abcdef0123456789abcdef.png';
    const { body = '', headers } = await at.unsubscribe(link({ logo }));
    expect(header(body)).toEqual(['Readers', 'The editors · letters@example.com']);
    expect(body).toContain(`<img src="${logo}" alt="">`);
    expect(body).toContain('<title>Unsubscribe from Readers?</title>');
    expect(headers?.['content-security-policy']).toContain("img-src 'self';");
    const sender = { name: 'Readers', address: 'letters@example.com' };
    expect(header((await at.unsubscribe(link({ sender }))).body)).toEqual(['Readers', 'letters@example.com']);
    for (const page of [body, (await at.unsubscribe('forged')).body]) {
      expect(page).not.toMatch(new RegExp(`${PRODUCT}|<svg`, 'i'));
    }
  });

  it('of a link that does not name its list has no sentence with its name', async () => {
    expect(told(await at.unsubscribe(link({ list: '' })))).toEqual(['Unsubscribe', 'Unsubscribe']);
    const { body = '' } = await at.unsubscribe(link({ list: '' }), PAGE);
    expect(told({ body })).toEqual(['You are unsubscribed', 'Was this a mistake?', 'Subscribe again']);
    expect(header(body)).toBeUndefined();
    await recipient.leave({ table, now }, of.key, of.list.id, 'app');
    expect(told(await at.unsubscribe(link({ list: '' })))).toEqual(['You are unsubscribed']);
  });

  it.each([...UNSUBSCRIBE_WORDS.map(({ code }) => code), 'ar', 'he'])(
    'has all its texts in %s',
    async language => {
      const texts = TEXTS[language];
      for (const text of [texts?.ask, texts?.gone]) expect(text?.match(/\{list\}/g)).toHaveLength(1);
      const { body = '' } = await at.unsubscribe(link({ language }));
      const direction = language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
      expect(body).toContain(`<html lang="${language}" dir="${direction}">`);
      expect(body).toContain(
        `${UNSUBSCRIBE_WORDS.find(({ code }) => code === language)?.word ?? texts?.word}</button>`,
      );
    },
  );
});

describe('A post of a mail program', () => {
  it.each([
    ['as a form', ONE_CLICK],
    ['as a form in base64', { ...ONE_CLICK, base64: true }],
    ['with a line end', { ...ONE_CLICK, body: `${ONE_CLICK.body}\r\n` }],
    ['with percent signs', { ...ONE_CLICK, body: 'List%2DUnsubscribe=One%2DClick' }],
    ['in parts', inParts(PART)],
    ['in parts that say more', inParts(`${PART}\r\nContent-Type: text/plain; charset=UTF-8`)],
    ['in parts that say it otherwise', inParts(`Content-Length: 9\r\n${PART.replaceAll('"', '')}`)],
    ['from the network of a scanner, in the second of the email', { ...ONE_CLICK, ip: '40.92.1.1' }],
  ])('unsubscribes by one click %s', async (_, call) => {
    expect(await at.unsubscribe(link({ written: now }), call)).toMatchObject({ statusCode: 200 });
    expect(await of.member()).toMatchObject({ status: 'unsubscribed', by: 'one_click' });
    expect(await of.claim()).toMatchObject({ unsubscribed_at: now.toISOString() });
  });

  it.each([
    '',
    'x',
    'List-Unsubscribe=No',
    'do=else',
    '{"List-Unsubscribe":"One-Click"}',
    inParts(PART.replace('List', 'No')).body,
  ])('with the body %j is not understood, and changes nothing', async body => {
    expect(await at.unsubscribe(link(), { method: 'POST', body })).toMatchObject({ statusCode: 400 });
    expect(await status()).toBe('subscribed');
  });
});

describe('A link that is not valid', () => {
  it('is answered by a page without a form, and leaves no trace', async () => {
    const before = await of.rows();
    const sent = { ...of.sent, written };
    const bytes = Buffer.from(link(), 'base64url');
    const flipped = Array.from(bytes, (byte, n) =>
      Buffer.from(bytes.with(n, byte ^ (1 << (n % 8)))).toString('base64url'),
    );
    const others = [
      signed('click', { ...sent, url: 'https://example.com/', part: 'footer' }),
      signed('open', sent),
      signed('unsubscribe', { ...sent, ...PAGE_OF }, 'another key'),
      link().slice(0, -1),
      '',
    ];
    for (const token of [...flipped, ...others]) {
      for (const call of [{}, PAGE, ONE_CLICK, AGAIN]) {
        const { statusCode, body } = await at.unsubscribe(token, call);
        expect(statusCode).toBe(404);
        expect(body).not.toMatch(/<form|<a /);
      }
    }
    expect(await of.rows()).toEqual(before);
  });

  it('of another organization reaches its own people alone', async () => {
    const before = await of.rows();
    const other = await newSent(table, start);
    const token = signed('unsubscribe', { ...other.sent, written, ...PAGE_OF });
    expect(await at.unsubscribe(token, PAGE)).toMatchObject({ statusCode: 200 });
    expect(await of.rows()).toEqual(before);
    expect(await other.member()).toMatchObject({ status: 'unsubscribed' });
  });
});
