import { beforeAll, describe, expect, it, vi } from 'vitest';
import { freshTable } from '../support/engine.ts';
import { intercepted } from '../support/intercepted.ts';
import { newSent } from '../support/sent.ts';
import { signed, signedFor, trackingHandlers } from '../support/tracking.ts';

const table = freshTable();
const start = new Date('2030-01-01T09:58:30Z');
const now = new Date('2030-01-01T10:30:00Z');
const written = new Date('2030-01-01T10:00:00Z');
const GIF = {
  statusCode: 200,
  headers: { 'content-type': 'image/gif', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: expect.stringMatching(/^R0lGODlh/),
  isBase64Encoded: true,
};
const url = 'https://shop.example.com/spring?a=1&b=%C3%A4';
const REDIRECT = {
  statusCode: 302,
  headers: { location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
};

let somebody: Awaited<ReturnType<typeof newSent>>;
let at: Awaited<ReturnType<typeof trackingHandlers>>;
beforeAll(async () => {
  somebody = await newSent(table, start);
  at = await trackingHandlers({ table, now });
});
const link = (more: object = {}) =>
  signed('click', { ...somebody.sent, written, url, part: 'cta_url' as const, ...more });
const pixel = (more: object = {}) => signed('open', { ...somebody.sent, written, ...more });

/** Handlers whose table answers nothing, or never. */
const broken = (act: () => Promise<unknown>) => trackingHandlers({ table: intercepted(table, act), now });

describe('The picture', () => {
  it('is a transparent GIF of one pixel, and stores a machine and a person apart', async () => {
    const answer = await at.open(pixel(), { method: 'HEAD' });
    expect(answer).toEqual(GIF);
    const gif = Buffer.from(answer.body ?? '', 'base64');
    expect([gif.toString('latin1', 0, 6), gif.readUInt16LE(6), gif.readUInt16LE(8), gif.at(-1)]).toEqual([
      'GIF89a',
      1,
      1,
      0x3b,
    ]);
    expect(await somebody.claim()).toMatchObject({ machine_opened_at: now.toISOString() });
    expect(await somebody.claim()).not.toHaveProperty('opened_at');
    await at.open(pixel());
    expect(await somebody.claim()).toMatchObject({ opened_at: now.toISOString() });
  });

  it('is the same, byte for byte, whatever the token, and stores nothing then', async () => {
    const before = await somebody.rows();
    const right = await at.open(pixel());
    const tokens = [
      '',
      'x',
      link(),
      `${pixel()}A`,
      pixel({ seq: 99 }),
      signed('open', { ...somebody.sent, written }, 'another key'),
      '%00',
      'A'.repeat(5_000),
    ];
    for (const token of tokens) expect(await at.open(token)).toEqual(right);
    expect(await somebody.rows()).toEqual(before);
  });

  it('is answered while the table or the key fails', async () => {
    const failing = await broken(async () => Promise.reject(new Error('The table is away')));
    expect(await failing.open(pixel())).toEqual(GIF);
    const keyless = await trackingHandlers({
      table,
      now,
      secret: async () => Promise.reject(new Error('No key')),
    });
    expect(await keyless.open(pixel())).toEqual(GIF);
  });
});

describe('A link', () => {
  it('leads to its destination and nowhere else, and is stored as followed by a person', async () => {
    expect(await at.click(link())).toEqual(REDIRECT);
    expect(await somebody.claim()).toMatchObject({ first_clicked_at: now.toISOString() });
    expect(await somebody.rows('T#')).toMatchObject([{ url, part: 'cta_url', by: 'person' }]);
  });

  it('tells who calls by the address that CloudFront has added, not by one that the caller made up', async () => {
    const scanner = '40.92.1.1';
    const destination = (n: number) => ({ url: `https://shop.example.com/${n}` });
    await at.click(link(destination(1)), { ip: `${scanner},198.51.100.7` });
    await at.click(link(destination(2)), { ip: `198.51.100.7, ${scanner}` });
    const by = (await somebody.rows('T#')).map(click => [click.url, click.by]);
    expect(Object.fromEntries(by)).toMatchObject({
      'https://shop.example.com/1': 'person',
      'https://shop.example.com/2': 'machine',
    });
  });

  it('leads a machine there too', async () => {
    expect(await at.click(link(), { method: 'HEAD' })).toEqual(REDIRECT);
    expect(await somebody.claim()).toMatchObject({ machine_clicked_at: now.toISOString() });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    '//evil.test',
    'https://a:b@evil.test',
    '',
  ])('leads to the web alone, not to %s', async destination => {
    expect(await at.click(link({ url: destination }))).toMatchObject({ statusCode: 404 });
  });

  it('that is forged, or of another purpose, is answered by a page without a link, and stores nothing', async () => {
    const before = await somebody.rows();
    for (const token of [
      '',
      'https://evil.test',
      pixel(),
      `${link()}A`,
      link().slice(1),
      signed('click', { ...somebody.sent, written, url, part: 'footer' }, 'another key'),
    ]) {
      const { statusCode, headers, body } = await at.click(token);
      expect([statusCode, headers?.['cache-control'], headers?.location]).toEqual([
        404,
        'no-store',
        undefined,
      ]);
      expect(body).toContain('This link is not valid');
      expect(body).not.toMatch(/<a |href|evil/);
    }
    expect(await somebody.rows()).toEqual(before);
  });

  it('leads on while the table fails, and never leads anywhere unchecked', async () => {
    const failing = await broken(async () => Promise.reject(new Error('The table is away')));
    expect(await failing.click(link())).toEqual(REDIRECT);
    const keyless = await trackingHandlers({
      table,
      now,
      secret: async () => Promise.reject(new Error('No key')),
    });
    expect(await keyless.click(link())).toMatchObject({ statusCode: 503 });
  });

  it('leads on while the table does not answer', async () => {
    vi.useFakeTimers();
    try {
      const silent = await broken(() => new Promise(() => {}));
      const answer = silent.click(link());
      await vi.advanceTimersByTimeAsync(3_000);
      expect(await answer).toEqual(REDIRECT);
      // Who comes next waits less, for the picture too.
      const next = [silent.click(link()), silent.open(pixel())];
      await vi.advanceTimersByTimeAsync(300);
      expect(await Promise.all(next)).toEqual([REDIRECT, GIF]);
      await vi.advanceTimersByTimeAsync(10_000);
      const later = silent.click(link());
      await vi.advanceTimersByTimeAsync(300);
      expect(await Promise.race([later, 'waits'])).toBe('waits');
      await vi.advanceTimersByTimeAsync(2_700);
      expect(await later).toEqual(REDIRECT);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('On a domain of a list', () => {
  const domain = 'link.example.com';
  const on = (name: string) => ({ headers: { 'x-tracking-domain': name } });
  const token = () =>
    signedFor(domain, 'click', { ...somebody.sent, written, url, part: 'cta_url' as const });

  it('its own links are redirected and stored, however its name is written', async () => {
    for (const name of [domain, 'Link.Example.COM', `${domain}.`, `${domain}:443`]) {
      expect(await at.click(token(), on(name))).toEqual(REDIRECT);
    }
    await at.open(signedFor(domain, 'open', { ...somebody.sent, written }), on(domain));
    expect(await somebody.claim()).toMatchObject({ opened_at: now.toISOString() });
  });

  it('links of another domain, and those of the stage, lead nowhere and store nothing; a picture is the same', async () => {
    const before = await somebody.rows();
    const invalid = await at.click('x');
    expect(invalid.statusCode).toBe(404);
    for (const name of [
      'other.example.com',
      'link.example.com.evil.example',
      'xlink.example.com',
      'example.com',
      ' ',
    ]) {
      expect(await at.click(token(), on(name)), name).toEqual(invalid);
      const opened = signedFor(domain, 'open', { ...somebody.sent, written });
      expect(await at.open(opened, on(name))).toEqual(GIF);
    }
    expect(await at.click(token())).toEqual(invalid);
    expect(await at.click(link(), on(domain))).toEqual(invalid);
    expect(await somebody.rows()).toEqual(before);
    expect(await at.click(link())).toEqual(REDIRECT);
  });
});
