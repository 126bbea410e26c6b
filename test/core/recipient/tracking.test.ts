import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { storeAll } from '#core/list/event/event.ts';
import * as claims from '#core/recipient/claim.ts';
import type * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { readToken, recordClick, recordOpen, sign } from '#core/recipient/tracking.ts';
import { KINDS, kindsOf } from '#core/storage/items/items.ts';
import type { Key, Table } from '#core/storage/table.store.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { failingOnce, intercepted } from '#test/support/intercepted.ts';
import { allItems } from '#test/support/scan.ts';
import { newSent } from '#test/support/sent.ts';

const KEY = 'a key that signs';
const written = new Date('2030-01-01T10:00:07Z');
const sent = { organization: 281_474_976_710_655, hash: `${'B'.repeat(21)}A`, seq: 4_294_967_295, written };
const click = { ...sent, url: 'https://example.com/a?b=ä', part: 'footer' as const };
const page = {
  ...sent,
  language: 'zh-TW',
  list: 'Gärten & Höfe',
  sender: { name: 'Die Redaktion', address: 'post@example.com' },
  logo: '/files/7/0123456789abcdef0123456789abcdef.png',
};

describe('A token', () => {
  it('says what was signed, for each purpose', () => {
    expect(readToken(KEY, 'open', sign(KEY, 'open', sent))).toEqual(sent);
    expect(readToken(KEY, 'unsubscribe', sign(KEY, 'unsubscribe', page))).toEqual(page);
    for (const part of Object.keys(PARTS) as Part[]) {
      expect(readToken(KEY, 'click', sign(KEY, 'click', { ...click, part }))).toEqual({ ...click, part });
    }
  });

  it('of one purpose is none of another, nor with another key', () => {
    const tokens = {
      open: sign(KEY, 'open', sent),
      click: sign(KEY, 'click', click),
      unsubscribe: sign(KEY, 'unsubscribe', page),
    };
    for (const [purpose, token] of Object.entries(tokens)) {
      for (const other of Object.keys(tokens) as (keyof typeof tokens)[]) {
        if (other !== purpose) expect(readToken(KEY, other, token), `${purpose} as ${other}`).toBeUndefined();
        expect(readToken('another key', other, token)).toBeUndefined();
      }
    }
  });

  it('of another version is none, though it is signed', () => {
    const body = Buffer.from(sign(KEY, 'open', sent), 'base64url').subarray(16);
    const signedAs = (version: number) => {
      const bytes = body.with(0, version);
      const signature = createHmac('sha256', KEY).update(bytes).digest().subarray(0, 16);
      return readToken(KEY, 'open', Buffer.concat([signature, bytes]).toString('base64url'));
    };
    expect(signedAs(body[0] ?? 0)).toEqual(sent);
    for (const version of [0, 1, 3]) expect(signedAs(version)).toBeUndefined();
  });

  it('is refused with any flipped bit, and with any character more, less or other', () => {
    for (const token of [
      sign(KEY, 'open', sent),
      sign(KEY, 'click', click),
      sign(KEY, 'unsubscribe', page),
    ]) {
      const purposes = ['open', 'click', 'unsubscribe'] as const;
      const isRefused = (text: string) => purposes.every(purpose => !readToken(KEY, purpose, text));
      const bytes = Buffer.from(token, 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(isRefused(flipped.toString('base64url')), `bit ${bit}`).toBe(true);
      }
      for (let length = 0; length < token.length; length++)
        expect(isRefused(token.slice(0, length))).toBe(true);
      for (const more of ['A', '=', ' ', '\n', '%00', '/', 'AAAA']) {
        expect(isRefused(`${token}${more}`), more).toBe(true);
        expect(isRefused(`${more}${token}`), more).toBe(true);
      }
    }
  });

  it('stays short enough for a header where the name of a list is long, and never cuts a character', () => {
    const long = '😀'.repeat(255);
    const sender = { name: `${long}!`, address: `${'a'.repeat(64)}@${'b'.repeat(189)}` };
    const token = sign(KEY, 'unsubscribe', { ...page, list: long, sender });
    expect(token.length).toBeLessThan(900);
    const short = `${'😀'.repeat(30)}…`;
    const read = readToken(KEY, 'unsubscribe', token);
    expect(read).toMatchObject({ list: short, sender: { ...sender, name: short }, logo: page.logo });
  });

  it('of before lists had public names keep what their users call a list to themselves', () => {
    const token = Buffer.from(sign(KEY, 'unsubscribe', { ...page, list: '' }), 'base64url');
    const old = Buffer.concat([token.subarray(16, 16 + 32), Buffer.from('zh-TW Unpaid 2024')]);
    const signature = createHmac('sha256', KEY).update(old).digest().subarray(0, 16);
    const read = readToken(KEY, 'unsubscribe', Buffer.concat([signature, old]).toString('base64url'));
    expect(read).toMatchObject({ ...sent, language: 'zh-TW', list: '' });
    expect(JSON.stringify(read)).not.toContain('Unpaid');
  });
});

const table = freshTable();
const start = new Date('2030-01-01T09:58:30Z');
const now = new Date('2030-01-01T10:30:00Z');
const later = new Date('2030-01-02T10:30:00Z');

function counting() {
  const commands: string[] = [];
  const counted = intercepted(table, (send, { constructor: { name } }) => {
    commands.push(name);
    return send();
  });
  return { counted, commands };
}

describe('An open', () => {
  it('is stored once, by a single write without a read, however often it happens', async () => {
    const { sent, claim } = await newSent(table, start);
    const { counted, commands } = counting();
    await recordOpen({ table: counted, now }, { ...sent, written }, 'person');
    expect(commands).toEqual(['UpdateCommand']);
    const first = await claim();
    expect(first).toMatchObject({ opened_at: now.toISOString() });
    const replay = () => recordOpen({ table, now: later }, { ...sent, written }, 'person');
    await Promise.all(Array.from({ length: 1_000 }, replay));
    expect(await claim()).toEqual(first);
  });

  it('is stored while a click of the same email is', async () => {
    const { sent, claim } = await newSent(table, start);
    const busy = failingOnce(table, 'UpdateCommand', 'TransactionConflictException');
    await recordOpen({ table: busy, now }, { ...sent, written }, 'person');
    expect(await claim()).toMatchObject({ opened_at: now.toISOString() });
  });

  it('by a machine is stored apart', async () => {
    const { sent, claim } = await newSent(table, start);
    await recordOpen({ table, now }, { ...sent, written }, 'machine');
    await recordOpen({ table, now: later }, { ...sent, written }, 'person');
    expect(await claim()).toMatchObject({
      machine_opened_at: now.toISOString(),
      opened_at: later.toISOString(),
    });
  });

  it('of an email that does not exist, of another organization, and of what is no email, stores nothing', async () => {
    const [{ sent, rows }, other] = [await newSent(table, start), await newSent(table, start)];
    const before = [await rows(), await other.rows()];
    await recordOpen({ table, now }, { ...sent, written, seq: 2 }, 'person');
    await recordOpen({ table, now }, { ...sent, written, organization: 999_999 }, 'person');
    await recordClick({ table, now }, { ...click, ...sent, seq: 2 }, 'person');
    expect([await rows(), await other.rows()]).toEqual(before);
  });
});

describe('A click', () => {
  const clicked = (sent: { organization: number; hash: string; seq: number }, more: object = {}) => ({
    ...click,
    ...sent,
    ...more,
  });

  it('that is repeated costs nothing where the process knows it, also of an email that is not there', async () => {
    const { sent, claim } = await newSent(table, start);
    const { counted, commands } = counting();
    for (const email of [sent, { ...sent, seq: 77 }]) {
      for (const at of [now, later]) await recordClick({ table: counted, now: at }, clicked(email), 'person');
    }
    expect(commands).toEqual(['TransactWriteCommand', 'TransactWriteCommand']);
    expect(await claim()).toMatchObject({ first_clicked_at: now.toISOString() });
  });

  it('is stored with the first one of the email, by a single write without a read', async () => {
    const { sent, claim, rows } = await newSent(table, start);
    const { counted, commands } = counting();
    await recordClick({ table: counted, now }, clicked(sent), 'person');
    expect(commands).toEqual(['TransactWriteCommand']);
    expect(await claim()).toMatchObject({ first_clicked_at: now.toISOString() });
    expect(await rows('T#')).toMatchObject([
      {
        SK: expect.stringMatching(/^T#0000000001#[\w-]{11}$/),
        at: now.toISOString(),
        url: click.url,
        part: 'footer',
        by: 'person',
      },
    ]);
  });

  it('of each link counts once, and the first of all stays the first', async () => {
    const { sent, claim, rows } = await newSent(table, start);
    await recordClick({ table, now }, clicked(sent), 'person');
    for (const part of ['footer', 'cta_url']) {
      await recordClick({ table, now: later }, clicked(sent, { part }), 'person');
    }
    expect(await claim()).toMatchObject({ first_clicked_at: now.toISOString() });
    expect((await rows('T#')).map(({ part, at }) => [part, at]).sort()).toEqual([
      ['cta_url', later.toISOString()],
      ['footer', now.toISOString()],
    ]);
  });

  it('by a machine is stored apart', async () => {
    const { sent, claim, rows } = await newSent(table, start);
    await recordClick({ table, now }, clicked(sent), 'machine');
    expect(await claim()).toMatchObject({ machine_clicked_at: now.toISOString() });
    expect(await claim()).not.toHaveProperty('first_clicked_at');
    expect(await rows('T#')).toMatchObject([{ SK: expect.stringMatching(/#m$/), by: 'machine' }]);
    await recordClick({ table, now: later }, clicked(sent), 'person');
    expect(await claim()).toMatchObject({ first_clicked_at: later.toISOString() });
    expect(await rows('T#')).toHaveLength(2);
  });

  it('that happens several times at once is stored once', async () => {
    const { sent, rows } = await newSent(table, start);
    const twice = [now, later, now, later].map(at =>
      recordClick({ table, now: at }, clicked(sent), 'person'),
    );
    await Promise.all(twice);
    expect(await rows('T#')).toHaveLength(1);
  });
});

const PURGED_WITH_PERSON = KINDS.flatMap(([name, { purged }]) =>
  purged.includes('person') ? [name] : [],
).sort();

async function withPerson(
  { organization, hash }: recipientKey.RecipientKey,
  list: string,
): Promise<string[]> {
  const items = (await allItems(table)) as Key[];
  return items
    .filter(({ PK }) => PK === `R#${organization}#${hash}` || PK.startsWith(`TRG#${list}#`))
    .flatMap(kindsOf)
    .filter(name => PURGED_WITH_PERSON.includes(name));
}

describe('An erased person', () => {
  const named = { ...click, url: 'https://example.com/?for=ann%40example.com' };
  const reason = '550 5.1.1 <ann@example.com>: no such user';

  it('leaves neither where their clicks led nor what was said of their address, and is not followed any more', async () => {
    const { sent, key, email, rows, sender, claim, list } = await newSent(table, start);
    await recordClick({ table, now }, { ...named, ...sent }, 'person');
    const mark = {
      seq: 1,
      as: 'bounced_at',
      at: now.toISOString(),
      with: { bounce_reason: reason },
    } as const;
    await claims.markClaim(table, key, mark);
    const event = { event: 'ordered', email, idempotency_key: 'order-1' };
    await storeAll({ table, now }, sender.organization, [event]);
    expect([...new Set(await withPerson(key, list.id))].sort()).toEqual(PURGED_WITH_PERSON);
    const erase = (on: Table) => recipient.erase({ table: on, now }, sender.organization, email);
    await crashingAtEachWrite(table, async () => {}, erase);
    const erased = await rows();
    expect(JSON.stringify(erased)).not.toMatch(/example\.com/);
    expect(await withPerson(key, list.id)).toEqual([]);
    expect(await claim()).toMatchObject({
      first_clicked_at: now.toISOString(),
      bounced_at: now.toISOString(),
    });
    await recordClick({ table, now: later }, { ...named, ...sent, part: 'cta_url' }, 'person');
    expect(await rows()).toEqual(erased);
  });

  it('leaves none of the clicks that come while they are erased', async () => {
    const { sent, email, rows, sender } = await newSent(table, start);
    let clicks = 0;
    const clicked = intercepted(table, async send => {
      const url = `${named.url}&link=${++clicks}`;
      await recordClick({ table, now }, { ...named, ...sent, url }, 'person');
      return send();
    });
    await recipient.erase({ table: clicked, now }, sender.organization, email);
    expect(clicks).toBeGreaterThan(3);
    expect(JSON.stringify(await rows())).not.toMatch(/example\.com/);
  });
});

describe('The links of an email', () => {
  it.each([
    ['Abbestellen', 'fr', 'de'],
    ['Abbestellen', 'ar', 'ar'],
    ['Unsubscribe', 'he', 'he'],
  ] as const)(
    'of a list with the word %s, in %s, lead to a page in %s',
    async (word, language_code, language) => {
      const { sender } = await newSent(table, start, { word, content: { language_code } });
      const [mail] = sender.mails();
      const link = mail?.headers['List-Unsubscribe']?.slice(1, -1) ?? '';
      const token = readToken(KEY, 'unsubscribe', link.split('/').at(-1) ?? '');
      expect(token).toMatchObject({ language, list: 'The editors', seq: 1 });
      expect(token?.sender).toEqual({ name: 'The editors', address: 'letters@example.com' });
      expect(Buffer.from(link.split('/').at(-1) ?? '', 'base64url').toString()).not.toContain('Readers');
      expect(token?.written).toEqual(mail?.at);
    },
  );

  it('are not tracked where no redirect can lead there', async () => {
    const content = { after_cta_content: '[Write](mailto:us@example.com) or [call](tel:+49123)' };
    const { sender } = await newSent(table, start, { content });
    const { html } = sender.mails()[0] ?? {};
    expect(html).toContain('href="mailto:us@example.com"');
    expect(html).toContain('href="tel:+49123"');
  });
});
