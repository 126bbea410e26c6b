import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#core/id.ts';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as claims from '#core/recipient/claim.ts';
import type { Claim } from '#core/recipient/journal.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as unsubscribe from '#core/recipient/unsubscribe.ts';
import * as log from '#core/sending/log/log.ts';
import * as events from '#core/sending/provider-event.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { mailgun } from '#functions/providers/mailgun/mailgun.ts';
import { readSesEvent } from '#functions/providers/ses/events.ts';
import { newList } from '#test/support/core-list.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { newBatch } from '#test/support/emails.ts';
import { freshTable } from '#test/support/engine.ts';
import { followerOf } from '#test/support/follow.ts';
import { type EventName, eventAbout, signed } from '#test/support/provider-event.ts';
import { openVault } from '#test/support/sending.ts';

const table = freshTable();
const follow = followerOf(table);
const now = new Date('2030-01-01T12:00:00Z');
const needs = { table, now };
const DATE = '2030-06-01T09:00:00Z';
const OWN_KEY = 'key of the list';
const STAGE_KEY = 'key of the stage';

let of: list.CountedList;
let ann: string;
beforeEach(async () => {
  of = await newList(table, now);
  ann = `ann.${newId()}@example.com`;
});

const join = (to = of, email = ann, metadata: Record<string, string> = { trial_ends: DATE }) => {
  const key = recipientKey.keyOf(of.organization_id, email);
  const wanted = { email, metadata };
  const membership = memberships.newMembership(now, to.id, wanted, { head: undefined, left: undefined });
  return recipient.insertMemberships(needs, [{ key, membership }], {
    onInserted: () => {},
    onConflict: async () => {},
  });
};
const upsert = (to = of) => upsertStore.upsertAll(needs, to, [{ email: ann, trial_ends: DATE }]);
async function sent(to = of, email = ann) {
  const batch = await newBatch(table, to, [email], now, follow);
  await batch.end('accepted');
  const [claimed] = batch.claims;
  if (!claimed) throw new Error('There is no claim');
  return { ...claimed, batch };
}
async function joined() {
  await join();
  return sent();
}

type Of = {
  to?: list.CountedList;
  more?: object;
  body?: object;
  key?: string;
  at?: Date;
  on?: Table;
  stageKey?: () => Promise<string | undefined>;
};
const post = (
  send: string,
  name: EventName,
  { to = of, more, body, key = STAGE_KEY, at = now, on = table, stageKey = async () => STAGE_KEY }: Of = {},
) =>
  events.receive(
    { table: on, now, provider: mailgun, vault: openVault, stageKey },
    { organization: String(to.organization_id), list: to.id },
    body ?? { signature: signed(key, at), 'event-data': eventAbout(send, name, more) },
  );

const partition = (email = ann) => `R#${of.organization_id}#${recipientKey.hashOf(email)}`;
const stored = (email = ann) => queryPartition(table, partition(email));
const suppression = async (email = ann) => (await stored(email)).find(({ SK }) => SK === 'HEAD')?.suppression;
const claimOf = async (seq: number) => (await stored()).find(item => item.seq === seq);
const journal = async () =>
  (await stored())
    .filter(({ SK, type }) => String(SK).startsWith('J#') && type !== 'send')
    .map(({ type, by, email }) => [type, by, email].filter(part => part !== undefined).join(' '));
const statuses = async () =>
  (await stored()).filter(({ SK }) => String(SK).startsWith('IN#')).map(({ status, by }) => [status, by]);
const member = () => listMember.find({ table }, of.organization_id, `${of.id}-${recipientKey.hashOf(ann)}`);
const subscribe = async (is_subscribed: boolean) =>
  listMember.change(needs, await member(), { is_subscribed });
const secondList = () => newList(table, now, { organization: of.organization_id });
const rows = async (to = of) => [
  ...(await queryPartition(table, `TRG#${to.id}#`)),
  ...(await queryPartition(table, `TRG#${to.id}#trial_ends`)),
];

describe('an event', () => {
  it('is refused where neither its list nor the stage has a key, also one that is signed with an empty key', async () => {
    const { send } = await joined();
    const stageKey = async () => undefined;
    for (const key of [STAGE_KEY, '', 'undefined'])
      expect(await post(send, 'complained', { key, stageKey })).toBe('refused');
    expect(await post(send, 'complained', { key: '', stageKey: async () => '' })).toBe('refused');
    expect(await suppression()).toBeUndefined();
  });

  const ownKey = () =>
    sendingKey.changeSendingKey({ table, now, vault: openVault }, of, {
      mailgun_webhook_signing_key: OWN_KEY,
    });

  it('counts where it is signed with the key of its list, and with that of the stage where it has none', async () => {
    const { send } = await joined();
    expect(await post(send, 'delivered', { key: OWN_KEY })).toBe('refused');
    expect(await post(send, 'delivered')).toBe('delivered');
    await ownKey();
    expect(await post(send, 'delivered')).toBe('refused');
    expect(await post(send, 'delivered', { key: OWN_KEY })).toBe('delivered');
  });

  it('counts for five minutes, before and after', async () => {
    const { send } = await joined();
    const posted = (seconds: number) =>
      post(send, 'delivered', { at: new Date(now.getTime() + seconds * 1000) });
    for (const seconds of [-300, 0, 300]) expect(await posted(seconds)).toBe('delivered');
    for (const seconds of [-301, 301, -86_400]) expect(await posted(seconds)).toBe('refused');
  });

  it('counts where the account above a subaccount has signed it', async () => {
    const { send } = await joined();
    const above = signed(STAGE_KEY, now);
    const own = signed('key of a subaccount', now, above.token);
    const body = {
      signature: { ...own, 'parent-signature': above.signature },
      'event-data': eventAbout(send, 'delivered'),
    };
    expect(await post(send, 'delivered', { body })).toBe('delivered');
  });

  it('is refused without a trace where its signature is none', async () => {
    const { send } = await joined();
    const right = signed(STAGE_KEY, now);
    const before = await stored();
    const [first = '', ...others] = right.token;
    const forged = [
      undefined,
      null,
      [],
      'signed',
      {},
      { ...right, signature: undefined },
      { ...right, signature: '' },
      { ...right, signature: right.signature.toUpperCase() },
      { ...right, signature: `${right.signature}00` },
      { ...right, signature: [right.signature] },
      { ...right, signature: right.signature.replace(/^./, digit => (digit === '0' ? '1' : '0')) },
      { ...right, token: { toString: () => right.token } },
      signed(STAGE_KEY, now, 'x'.repeat(201)),
      { ...right, timestamp: Number.MAX_VALUE },
      { ...right, timestamp: '' },
      { ...right, timestamp: [right.timestamp] },
      { ...right, timestamp: { toString: null, valueOf: null } },
      { ...right, timestamp: right.timestamp + first, token: others.join('') },
      signed('', now),
    ];
    for (const signature of forged) {
      const body = { signature, 'event-data': eventAbout(send, 'complained') };
      expect(await post(send, 'complained', { body })).toBe('refused');
    }
    for (const body of [[], { 'event-data': eventAbout(send, 'complained') }]) {
      expect(await post(send, 'complained', { body })).toBe('refused');
    }
    expect(await stored()).toEqual(before);
  });

  it('has no key decrypted where the list has none, or where it is not signed within five minutes', async () => {
    const { send } = await joined();
    const ownKey = await secondList();
    const key = { PK: `ORG#${of.organization_id}`, SK: `LIST#${ownKey.id}` };
    await updateItem(table, key, { set: { signing_key: 'sealed' } });
    let opened = 0;
    const vault = {
      async open() {
        opened += 1;
        return 'own key';
      },
    };
    const receive = (to: { id: string }, signature: object) =>
      events.receive(
        { table, now, provider: mailgun, vault, stageKey: async () => STAGE_KEY },
        { organization: String(of.organization_id), list: to.id },
        { signature, 'event-data': eventAbout(send, 'delivered') },
      );
    const old = new Date(now.getTime() - 6 * 60_000);
    expect(await receive(of, signed(STAGE_KEY, now))).toBe('delivered');
    expect(await receive(ownKey, signed('own key', old))).toBe('refused');
    expect(await receive(ownKey, { ...signed('own key', now), signature: 'none' })).toBe('refused');
    expect(opened).toBe(0);
    expect(await receive(ownKey, signed('own key', now))).toBe('ignored');
    expect(opened).toBe(1);
  });

  it('is refused for a list that there is not', async () => {
    const { send } = await joined();
    const known = { organization: String(of.organization_id), list: of.id };
    const addresses = [
      { ...known, list: newId() },
      { ...known, list: '../COUNTS' },
      { ...known, organization: '999999' },
      { ...known, organization: '1e3' },
      { ...known, organization: '9'.repeat(400) },
    ];
    const receiving = { table, now, provider: mailgun, vault: openVault, stageKey: async () => STAGE_KEY };
    const body = { signature: signed(STAGE_KEY, now), 'event-data': eventAbout(send, 'complained') };
    for (const address of addresses) expect(await events.receive(receiving, address, body)).toBe('refused');
  });

  it('says nothing of an email of another list, of another organization, or of none', async () => {
    const { send, key, claim } = await joined();
    const other = await secondList();
    const foreign = await newList(table, now);
    const before = await stored();
    for (const to of [other, foreign]) expect(await post(send, 'complained', { to })).toBe('ignored');
    const foreignSend = recipientKey.sendId({ ...key, organization: foreign.organization_id }, claim.seq);
    for (const name of ['', 'hello', foreignSend, recipientKey.sendId(key, 99), `${send}0`, `${send} `]) {
      expect(await post(name, 'complained')).toBe('ignored');
    }
    expect(await stored()).toEqual(before);
  });

  it('says nothing of an email that was not sent', async () => {
    await join();
    for (const happening of ['refused', 'not_sent'] as const) {
      const batch = await newBatch(table, of, [ann], now, follow);
      await batch.end(happening);
      expect(await post(batch.claims[0]?.send ?? '', 'complained')).toBe('ignored');
    }
    expect(await suppression()).toBeUndefined();
  });

  it('may hold anything in its fields', async () => {
    const { send } = await joined();
    const before = await stored();
    const values = [null, 1e308, -1, [], {}, 'x'.repeat(1_000_000), '__proto__', 'constructor', true];
    for (const event of values) expect(await post(send, 'hard', { more: { event } })).toBe('ignored');
    for (const severity of values) expect(await post(send, 'hard', { more: { severity } })).toBe('ignored');
    for (const more of values.map(send => ({ 'user-variables': { send } }))) {
      expect(await post(send, 'hard', { more })).toBe('ignored');
    }
    for (const data of values) {
      const body = { signature: signed(STAGE_KEY, now), 'event-data': data };
      expect(await post(send, 'hard', { body })).toBe('ignored');
    }
    expect(await stored()).toEqual(before);
    for (const status of values) await post(send, 'hard', { more: { 'delivery-status': status } });
    expect(await suppression()).toBe('bounce');
  });
});

describe('what a mail server says', () => {
  const reasonOf = async (status: object) => {
    const { send, claim } = await joined();
    await post(send, 'hard', { more: { 'delivery-status': status } });
    return (await claimOf(claim.seq))?.bounce_reason;
  };

  it.each([
    [{ code: 550, message: '5.1.1 No such user' }, '550 5.1.1 No such user'],
    [
      { code: 605, message: '', description: 'Not delivering to previously bounced address' },
      '605 Not delivering to previously bounced address',
    ],
    [{ code: 1e99, message: '<script>alert(1)</script>' }, '<script>alert(1)</script>'],
    [{ code: '550', message: 'a\u0000b\r\nc\u202ed\ud800e' }, 'a b c d e'],
    [{ code: 550, message: '<ann@example.com>: unknown' }, '550 <[address]>: unknown'],
    [{ message: 'No "john doe"@example.com, <"a\\" b"@example.com>' }, 'No [address], <[address]>'],
    [{ message: String.raw`No \"a b\"@example.com, o'brien@example.com` }, 'No [address], [address]'],
    [{ message: 'See https://example.com/?to=ann%40example.com' }, 'See https:[address]'],
    [
      { code: 550, 'enhanced-code': '5.7.515', message: 'Access denied, ann@example.com' },
      '550 5.7.515 Access denied, [address]',
    ],
    [
      { code: 550, 'enhanced-code': '5.7.515', message: '5.7.515 Access denied' },
      '550 5.7.515 Access denied',
    ],
    [{ code: 550, 'enhanced-code': 'ann@example.com', message: 'No' }, '550 No'],
    [{ message: '😀'.repeat(1_000_000) }, '😀'.repeat(300)],
    [{}, undefined],
  ])('is stored as text, without addresses (%#)', async (status, reason) => {
    expect(await reasonOf(status)).toBe(reason);
  });
});

describe('a hard bounce', () => {
  it('suppresses the address, and ends its subscriptions with their trigger rows', async () => {
    const other = await secondList();
    await join(other);
    const { send, claim } = await joined();
    expect(await rows()).toHaveLength(2);
    expect(await post(send, 'hard')).toBe('hard');
    expect(await suppression()).toBe('bounce');
    expect(await statuses()).toEqual([
      ['unsubscribed', 'bounce'],
      ['unsubscribed', 'bounce'],
    ]);
    expect([...(await rows()), ...(await rows(other))]).toEqual([]);
    expect(await claimOf(claim.seq)).toMatchObject({
      bounced_at: now.toISOString(),
      bounce: 'hard',
      bounce_reason: '550 5.1.1 No such user',
    });
    expect(await journal()).toEqual(['unsubscribed bounce 1', 'bounced 1']);
  });

  it('suppresses who has left the list, and leaves that as it was', async () => {
    const { send, key } = await joined();
    await recipient.change(needs, key, of.id, state =>
      memberships.membershipChange(now, state, { is_subscribed: false }, 'app'),
    );
    await recipient.leave(needs, key, of.id, 'app');
    await post(send, 'hard');
    expect(await suppression()).toBe('bounce');
    const left = (await stored()).find(({ SK }) => SK === `IN#${of.id}`);
    expect(left).toMatchObject({ status: 'left', unsubscribed: true });
  });

  it('suppresses an erased person', async () => {
    const { send, claim } = await joined();
    const { send: other } = await sent();
    await recipient.erase(needs, of.organization_id, ann);
    await post(other, 'soft');
    await post(send, 'hard');
    expect(await suppression()).toBe('bounce');
    expect(await claimOf(claim.seq)).toMatchObject({ bounce: 'hard' });
    expect(JSON.stringify(await stored())).not.toMatch(/bounce_reason|No such user/);
    expect(JSON.stringify(await stored())).not.toContain('@');
    expect(await upsert()).toMatchObject([
      { status: 'created', warnings: { is_subscribed: [expect.any(String)] } },
    ]);
  });

  it('of somebody on fifty lists, with forty dates, ends all of their subscriptions', async () => {
    const dates = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`date_${n}`, DATE]));
    const others = Array.from({ length: 49 }, () => ({ ...of, id: newId() }));
    const [other = of, ...more] = others;
    await Promise.all(more.map(to => join(to)));
    for (const to of [of, other]) await join(to, ann, dates);
    const { send } = await sent();
    expect(await post(send, 'hard')).toBe('hard');
    expect((await statuses()).map(String)).toEqual(Array(50).fill('unsubscribed,bounce'));
    for (const { id } of [of, ...others]) {
      for (const column of ['', 'date_0', 'date_39']) {
        expect(await queryPartition(table, `TRG#${id}#${column}`)).toEqual([]);
      }
    }
  });
});

describe('a complaint', () => {
  it('is finished by another delivery of its event where a process died', async () => {
    const [other, third] = [await secondList(), await secondList()];
    await crashingAtEachWrite(
      table,
      async () => {
        ann = `ann.${newId()}@example.com`;
        await Promise.all([join(), join(other), join(third)]);
        return sent();
      },
      async (on, { send }) => {
        try {
          await post(send, 'complained', { on });
        } finally {
          await post(send, 'complained');
          expect(await suppression()).toBe('complaint');
          expect(await statuses()).toEqual(Array(3).fill(['unsubscribed', 'complaint']));
          expect((await journal()).toSorted()).toEqual([
            'complained 1',
            ...Array(2).fill('unsubscribed complaint 1'),
          ]);
        }
      },
    );
    expect([...(await rows()), ...(await rows(other)), ...(await rows(third))]).toEqual([]);
  });

  it('wins against somebody who subscribes the member at the same time', async () => {
    for (let n = 0; n < 5; n++) {
      ann = `ann.${newId()}@example.com`;
      const { send } = await joined();
      await subscribe(false);
      const found = await member();
      await Promise.allSettled([
        post(send, 'complained'),
        listMember.change(needs, found, { is_subscribed: true }),
      ]);
      expect(await suppression()).toBe('complaint');
      expect(await statuses()).toMatchObject([['unsubscribed', expect.any(String)]]);
      expect(await rows()).toEqual([]);
    }
  });
});

describe('a suppressed person', () => {
  beforeEach(async () => {
    const { send } = await joined();
    await post(send, 'complained');
  });
  const isEnded = async () => {
    expect((await statuses()).map(([status]) => status)).not.toContain('subscribed');
    expect(await rows()).toEqual([]);
  };

  it('is not subscribed again in the app', async () => {
    await expect(subscribe(true)).rejects.toThrow();
    await isEnded();
  });

  it('is not subscribed again by a program', async () => {
    await upsertStore.upsertAll(needs, of, [{ email: ann, is_subscribed: true, trial_ends: DATE }]);
    await isEnded();
  });

  it('is unsubscribed in a list to which they are added, by whomever', async () => {
    const other = await secondList();
    const added = await listMember.add(needs, of.organization_id, {
      email_list_id: other.id,
      email: ann,
      is_subscribed: true,
      metadata: { trial_ends: DATE },
    });
    expect(added.is_subscribed).toBe(false);
    await upsert(await secondList());
    await isEnded();
    expect(await rows(other)).toEqual([]);
  });

  it('is unsubscribed also where somebody else of the same call cannot be added', async () => {
    const other = await secondList();
    const bo = `bo.${newId()}@example.com`;
    await join(other, bo);
    const unknown = { head: undefined, left: undefined };
    const joining = [ann, bo].map(email => ({
      key: recipientKey.keyOf(of.organization_id, email),
      membership: memberships.newMembership(
        now,
        other.id,
        { email, metadata: { trial_ends: DATE } },
        unknown,
      ),
    }));
    const onConflict = () => Promise.reject(new Error('It was not stored'));
    const all = recipient.insertMemberships(needs, joining, { onInserted: () => {}, onConflict });
    await expect(all).rejects.toThrow('It was not stored');
    await isEnded();
  });

  it('is unsubscribed where they are removed and added again', async () => {
    await listMember.remove(needs, await member());
    await upsert();
    await isEnded();
  });

  it('is not subscribed again by the link of an email', async () => {
    const key = recipientKey.keyOf(of.organization_id, ann);
    expect(await unsubscribe.subscribeAgain(needs, { ...key, seq: 1 })).toBe('complaint');
    await isEnded();
  });
});

describe('a soft bounce', () => {
  const emails = async (count: number) => {
    await join();
    const all = [];
    for (let n = 0; n < count; n++) all.push(await sent());
    return all;
  };

  it('is noted as one, unless there was a hard one', async () => {
    const { send, claim } = await joined();
    await post(send, 'soft');
    expect(await claimOf(claim.seq)).toMatchObject({ bounce: 'soft', bounce_reason: '602' });
    await post(send, 'hard');
    await post(send, 'soft');
    await post(send, 'hard', { more: { 'delivery-status': { code: 554, message: 'Said later' } } });
    expect(await claimOf(claim.seq)).toMatchObject({
      bounce: 'hard',
      bounce_reason: '550 5.1.1 No such user',
    });
  });

  it('counts though later emails have no known outcome', async () => {
    const all = await emails(17);
    for (const { send } of all.slice(0, 5)) await post(send, 'soft');
    expect(await suppression()).toBe('bounce');
  });

  it('is not in a row with those before an email that arrived', async () => {
    const all = await emails(6);
    const mark = { seq: 3, as: 'opened_at', at: now.toISOString() } as const;
    await claims.markClaim(table, recipientKey.keyOf(of.organization_id, ann), mark);
    for (const { send } of all) await post(send, 'soft');
    expect(await suppression()).toBeUndefined();
  });

  it('suppresses when the event comes again that was the last, where a process died', async () => {
    await crashingAtEachWrite(
      table,
      async () => {
        ann = `ann.${newId()}@example.com`;
        const all = await emails(5);
        for (const { send } of all.slice(0, 4)) await post(send, 'soft');
        return all[4]?.send ?? '';
      },
      async (on, send) => {
        try {
          await post(send, 'soft', { on });
        } finally {
          await post(send, 'soft');
          expect(await suppression()).toBe('bounce');
          expect(await journal()).toEqual(['bounced 5']);
        }
      },
    );
  });

  it('is none while Mailgun still tries', async () => {
    const all = await emails(5);
    const before = await stored();
    for (const { send } of all) expect(await post(send, 'delayed')).toBe('accepted');
    expect(await stored()).toEqual(before);
  });
});

describe('an unsubscribe at Mailgun', () => {
  it('ends the subscription of its list alone, once', async () => {
    const other = await secondList();
    await join(other);
    const { send, claim } = await joined();
    await post(send, 'unsubscribed');
    expect(await claimOf(claim.seq)).toMatchObject({ unsubscribed_at: now.toISOString() });
    expect((await statuses()).toSorted()).toEqual([
      ['subscribed', undefined],
      ['unsubscribed', 'provider'],
    ]);
    expect(await journal()).toEqual(['unsubscribed provider 1']);
    expect(await rows()).toEqual([]);
    const email = { ...recipientKey.keyOf(of.organization_id, ann), seq: claim.seq };
    expect(await unsubscribe.recordVisit(needs, email, 'machine')).toBe('unsubscribed');
    // They have changed their mind since.
    await subscribe(true);
    await post(send, 'unsubscribed');
    expect((await statuses()).map(([status]) => status)).toEqual(['subscribed', 'subscribed']);
  });

  it('is noted of who had unsubscribed before, so that another delivery does not undo what follows', async () => {
    const { send, claim } = await joined();
    await subscribe(false);
    await post(send, 'unsubscribed');
    expect(await claimOf(claim.seq)).toMatchObject({ unsubscribed_at: now.toISOString() });
    await subscribe(true);
    await post(send, 'unsubscribed');
    expect(await statuses()).toEqual([['subscribed', 'app']]);
  });

  it.each([
    ['bounce', 'bounce', 'bounce'],
    ['suppress-unsubscribe', undefined, 'provider'],
    ['suppress-complaint', 'complaint', 'complaint'],
  ])('follows from what Mailgun calls %s', async (reason, suppressed, by) => {
    const { send } = await joined();
    await post(send, 'hard', { more: { reason } });
    expect(await suppression()).toBe(suppressed);
    expect(await statuses()).toEqual([['unsubscribed', by]]);
  });

  it('of an earlier bounce is no new one: the email failed, and nothing else follows', async () => {
    const { send, claim } = await joined();
    await post(send, 'hard', { more: { reason: 'suppress-bounce' } });
    expect(await suppression()).toBeUndefined();
    expect(await statuses()).toEqual([['subscribed', undefined]]);
    const stored = await claimOf(claim.seq);
    expect([stored?.bounced_at, stored?.rejected_at]).toEqual([undefined, now.toISOString()]);
    expect(await rows()).toHaveLength(2);
  });
});

describe('an event of SES', () => {
  const apply = (detail: object) => {
    const event = readSesEvent(detail);
    return event ? events.applyEvent(needs, undefined, event) : false;
  };
  const about = (send: string, eventType: string, more = {}) => ({
    eventType,
    mail: { messageId: 'one', tags: { 'ses:configuration-set': ['letterflow-dev'], send: [send] } },
    ...more,
  });
  const shown = async ({ seq, list_id: list, automation_id: automation }: Claim) => {
    const hash = recipientKey.hashOf(ann);
    const position = { key: '0000000001', count: 1 };
    const row = { id: recipientKey.claimId({ hash, seq }), position, hash, seq, list, automation };
    return (await log.shown({ table, now }, of.organization_id, [row]))[0];
  };

  it('is about the email that its tag names, of whichever list', async () => {
    const { send } = await joined();
    const bounce = { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [] };
    expect(await apply(about(`${send}9`, 'Bounce', { bounce }))).toBe(false);
    expect(await apply(about(send, 'Bounce', { bounce }))).toBe(true);
    expect(await suppression()).toBe('bounce');
    expect(await apply(about(send, 'Bounce', { bounce }))).toBe(true);
  });

  it.each([
    [
      'Rendering Failure',
      { failure: { errorMessage: "Attribute 'v1' is not present" } },
      "Attribute 'v1' is not present",
    ],
    ['Reject', { reject: { reason: 'Bad content' } }, 'Bad content'],
    [
      'Bounce',
      {
        bounce: {
          bounceType: 'Permanent',
          bounceSubType: 'OnAccountSuppressionList',
          bouncedRecipients: [{ diagnosticCode: 'on the list' }],
        },
      },
      'on the list',
    ],
  ])(
    '%s of an email that it had taken shows it as failed, with the reason, and suppresses nobody',
    async (type, more, reason) => {
      const { send, claim } = await joined();
      expect(await shown(claim)).toMatchObject({ status: 'sent', reason: null });
      for (let time = 0; time < 2; time++) expect(await apply(about(send, type, more))).toBe(true);
      expect(await shown(claim)).toMatchObject({
        status: 'failed',
        reason: 'refused',
        bounce_reason: reason,
        is_bounced: false,
      });
      expect(await suppression()).toBeUndefined();
    },
  );
});
