import { beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '#core/recipient/recipient.key.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { needsOf } from '../support/items.ts';
import { newMail, visitLink } from '../support/mail.ts';
import { newMailing } from '../support/mailing.ts';
import { proof } from '../support/proof.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();

let mailing: Awaited<ReturnType<typeof newMailing>>;
let mail: Awaited<ReturnType<typeof newMail>>;
beforeAll(async () => {
  mailing = await newMailing(stack);
  mail = await newMail(stack, mailing);
});

const claim = async () => {
  const { organization, hash } = keyOf(mailing.owner.home.id, mail.email);
  const { table } = await needsOf(stack);
  return (await queryPartition(table, `R#${organization}#${hash}`, 'J#')).find(({ type }) => type === 'send');
};
const isSubscribed = async () => {
  const params = { listMember: mail.id };
  return (await stack.call('GET /api/list-members/{listMember}', { ...mailing.as, params })).body
    .is_subscribed;
};

/** What the functions of tracking asked the table for. */
async function metered(work: () => Promise<unknown>) {
  await stack.fetchJson('POST', '/_local/drain');
  await stack.fetchJson('DELETE', '/_local/meter');
  await work();
  const { body } = await stack.fetchJson('GET', '/_local/meter');
  const used = Object.entries<Record<string, number>>(body.functions).filter(([name]) =>
    /-tracking-/.test(name),
  );
  return used.map(([, { requests, read_units, write_units }]) => ({ requests, read_units, write_units }));
}

const SAFE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

describe('The links of an email', () => {
  it('are answered with the headers that keep them private, and without a cookie', async () => {
    for (const url of [
      mail.pixel,
      mail.click,
      mail.unsubscribe,
      `${stack.url()}/t/c/x`,
      `${stack.url()}/t/u/x`,
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await visitLink(url, { method });
        expect(Object.fromEntries(headers), `${method} ${url}`).toMatchObject(SAFE);
        expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!.*(script|unsafe))/);
        expect(headers.has('set-cookie')).toBe(false);
      }
    }
  });

  proof(
    'cost one write and no read where they are followed, and what was known before changes nothing',
    async () => {
      mail = await newMail(stack, mailing);
      expect(await metered(() => visitLink(mail.pixel))).toEqual([
        { requests: 1, read_units: 0, write_units: 1 },
      ]);
      const opened = await claim();
      expect(opened).toMatchObject({ opened_at: expect.any(String) });
      expect(await metered(() => visitLink(mail.pixel))).toEqual([
        { requests: 1, read_units: 0, write_units: 1 },
      ]);
      expect(await claim()).toEqual(opened);
      expect(await metered(() => visitLink(mail.click))).toEqual([
        { requests: 1, read_units: 0, write_units: 4 },
      ]);
      expect(await claim()).toMatchObject({ first_clicked_at: expect.any(String) });
    },
  );

  proof('lead where the email says, whatever is added to them', async () => {
    for (const more of ['', '?url=https://evil.test', '?&url=https%3A%2F%2Fevil.test&redirect=//evil.test']) {
      const { status, headers } = await visitLink(`${mail.click}${more}`);
      expect([status, headers.get('location')]).toEqual([302, 'https://shop.example.com/start']);
    }
  });

  it('unsubscribe by a post alone, at once', async () => {
    for (const method of ['GET', 'HEAD'])
      expect((await visitLink(mail.unsubscribe, { method })).status).toBe(200);
    expect(await isSubscribed()).toBe(true);
    const url = /^<(.*)>$/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
    const answered = await visitLink(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: mail.headers['List-Unsubscribe-Post'] ?? '',
    });
    expect(answered.status).toBe(200);
    expect(await isSubscribed()).toBe(false);
  });
});
