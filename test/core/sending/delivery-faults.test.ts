import { describe, expect, it } from 'vitest';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/sending-key.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { deliver, PackHeld } from '#core/sending/delivery/delivery.ts';
import type { Pack } from '#core/sending/pack.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { LEASE } from '#core/timeouts.ts';
import { insertOf } from '#local/access/requests.ts';
import { found } from '#test/support/core-list.ts';
import { crashing as crashingTable, survives } from '#test/support/crash.ts';
import {
  ANN,
  deliveries,
  HOUR,
  MINUTE,
  mailed,
  type Sender,
  start,
  sweptPack,
  timeAfter,
} from '#test/support/deliveries.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { NOT_SENT, openVault, throttled } from '#test/support/sending.ts';
import { forgetShard } from '#test/support/shard.ts';

const { table, follow, ready, states, reasons, sentOn, shown, changeAutomation, changeMember, atClaims } =
  deliveries();

describe('A process that does not end', () => {
  /** Delivers the pack in a process that dies at its n-th write, and then again until nothing is queued. */
  async function crashing(at: number, how: 'before' | 'after') {
    await forgetShard(table);
    const { sender } = await ready(['ann@example.com', 'ben@example.com']);
    const pack = await sweptPack(sender);
    const on = crashingTable(table, { at, how });
    const isDone = await survives(deliver({ ...sender.needs, table: on }, pack));
    for (let minutes = 7; minutes < 60; minutes += 2) {
      sender.at(timeAfter(minutes * MINUTE));
      await survives(deliver(sender.needs, pack)).catch(() => {});
      await sender.deliverAll();
    }
    await follow(sender.now);
    return { sender, isDone };
  }

  it.each(['before', 'after'] as const)(
    'loses no email and doubles none, wherever it dies (%s a write)',
    async how => {
      for (let at = 1, isDone = false; !isDone; at++) {
        const { sender, isDone: done } = await crashing(at, how);
        isDone = done;
        const rows = await shown(sender);
        const mails = sender.mailedTo();
        expect(new Set(mails).size, `write ${at}`).toBe(mails.length);
        expect(rows.map(row => row.recipient_email).sort(), `write ${at}`).toEqual([ANN, 'ben@example.com']);
        for (const row of rows)
          expect(row.status).toBe(mails.includes(row.recipient_email) ? row.status : 'unknown');
        expect(await sentOn(sender, '2030-01-01')).toBe(rows.filter(row => row.status === 'sent').length);
      }
    },
  );

  it('has its message taken by nobody else, while it may be alive', async () => {
    const { sender } = await ready();
    const pack = await sweptPack(sender);
    const twin = beforeFirst(table, 'TransactWriteCommand', () =>
      expect(deliver(sender.needs, pack)).rejects.toThrow(PackHeld),
    );
    await deliver({ ...sender.needs, table: twin }, pack);
    expect(sender.mails()).toHaveLength(1);
    await deliver(sender.needs, pack);
    expect(sender.mails()).toHaveLength(1);
  });

  it('leaves its message, when it goes on after another one took the pack over, which died', async () => {
    const { sender } = await ready();
    const pack = await sweptPack(sender);
    const later = () => sender.at(new Date(sender.now.getTime() + LEASE + MINUTE));
    const paused = beforeFirst(table, 'TransactWriteCommand', async () => {
      later();
      // Its lease, the batch as released, and then the claim.
      const on = crashingTable(table, { at: 3, how: 'before' });
      expect(await survives(deliver({ ...sender.needs, table: on }, pack))).toBe(false);
    });
    await expect(deliver({ ...sender.needs, table: paused }, pack)).rejects.toThrow(PackHeld);
    expect(sender.mails()).toEqual([]);
    // It is claimed still, so what was queued for it does nothing.
    later();
    await sender.deliverAll();
    expect(sender.mails()).toEqual([]);

    await deliver(sender.needs, pack);
    later();
    await sender.deliverAll();
    expect(sender.mails()).toHaveLength(1);
  });

  it('posts what it has claimed where its time runs out, and leaves the others to packs of half the size', async () => {
    const emails = Array.from({ length: 100 }, (_, n) => `reader${n}@example.com`);
    const { sender } = await ready(emails);
    const pack = await sweptPack(sender);
    let requests = 0;
    const slow = atClaims(send => {
      // So slow that time is over when the first ones are claimed.
      if (++requests === 1) sender.at(new Date(sender.now.getTime() + 20_000));
      return send();
    });
    await deliver({ ...sender.needs, table: slow }, pack);
    const sent = sender.mails().length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(100);
    const left = sender.queue.map(({ pack: { people }, at }) => [people.length, at - sender.now.getTime()]);
    expect(left.map(([people]) => people)).toEqual([
      Math.ceil((100 - sent) / 2),
      Math.floor((100 - sent) / 2),
    ]);
    expect(left.every(([, delay]) => delay === 0)).toBe(true);
    await sender.deliverAll();
    expect(sender.mailedTo()).toEqual(emails.sort());
  });

  it('waits with those who could not be claimed with one request, and sends to the others', async () => {
    const emails = Array.from({ length: 30 }, (_, n) => `reader${n}@example.com`);
    const { sender } = await ready(emails);
    const pack = await sweptPack(sender);
    const broken = `R#${sender.organization}#${hashOf('reader3@example.com')}`;
    const failing = atClaims(async (send, people) => {
      const answer = await send();
      // They are stored, and nobody learns it.
      if (people.includes(broken)) throw new Error('Timeout');
      return answer;
    });
    const failures: string[] = [];
    const failed = (what: string) => void failures.push(what);
    await deliver({ ...sender.needs, table: failing, failed }, pack);
    expect([5, 25]).toContain(sender.mails().length);
    expect(failures).toEqual(Array(30 - sender.mails().length).fill('a recipient could not be claimed'));
    await sender.run(timeAfter(30 * MINUTE));
    expect(sender.mailedTo()).toEqual(emails.sort());
  });

  it('releases a claim later whose answer was lost while the table failed', async () => {
    const { sender } = await ready(['ann@example.com', 'ben@example.com']);
    const pack = await sweptPack(sender);
    const ann = `R#${sender.organization}#${hashOf('ann@example.com')}`;
    let isDown = false;
    const failing = intercepted(table, async (send, { input }) => {
      const isOfAnn = JSON.stringify(input).includes(ann);
      if (isDown && isOfAnn) throw new Error('Throttled');
      const answer = await send();
      isDown ||= isOfAnn && JSON.stringify(input.Statements ?? []).includes('"J#');
      if (isDown && isOfAnn) throw new Error('Timeout');
      return answer;
    });
    const failures: string[] = [];
    const failed = (what: string) => void failures.push(what);
    await deliver({ ...sender.needs, table: failing, failed }, pack);
    expect(failures).toEqual([
      'a recipient could not be claimed',
      'a recipient could not be claimed',
      'claims could not be released',
    ]);
    const claims = async () =>
      (await queryPartition(table, ann, 'J#')).map(({ seq, released = false }) => [seq, released]);
    expect(await claims()).toEqual([[1, false]]);
    expect(sender.mails()).toEqual([]);

    await sender.run(timeAfter(60 * MINUTE));
    expect(await claims()).toEqual([
      [2, false],
      [1, true],
    ]);
    expect(sender.mailedTo()).toEqual(['ann@example.com', 'ben@example.com']);
  });
});

describe('An update whose answer is lost, and which the SDK repeats', () => {
  /** The end of a batch, as it is stored by one update. */
  const repeatingEnd = intercepted(table, async (send, { constructor: { name }, input }) => {
    const { Key, ExpressionAttributeValues: values = {} } = input as {
      Key?: { PK: string };
      ExpressionAttributeValues?: Record<string, unknown>;
    };
    const isEnd = name === 'UpdateCommand' && Key?.PK.endsWith('#LOG') && ':new_state' in values;
    const answer = await send();
    return isEnd ? send() : answer;
  });

  async function delivered(...answers: Parameters<Sender['answers']>) {
    const { sender } = await ready();
    const pack = await sweptPack(sender);
    sender.answers(...answers);
    await deliver({ ...sender.needs, table: repeatingEnd }, pack);
    return sender;
  }

  const claimsOf = async (sender: Sender) =>
    (await queryPartition(table, `R#${sender.organization}#${hashOf(ANN)}`, 'J#')).filter(
      ({ type }) => type === 'send',
    );

  it('leaves no claim behind of somebody who is owed nothing any more', async () => {
    const { sender, readers } = await ready();
    const pack = await sweptPack(sender);
    const repeating = atClaims(async send => {
      await send();
      await changeMember(sender, readers, { is_subscribed: false });
      return send();
    });
    await deliver({ ...sender.needs, table: repeating }, pack);
    expect(sender.mails()).toEqual([]);
    expect(await reasons(sender)).toEqual(['not_subscribed']);
    expect(await claimsOf(sender)).toMatchObject([{ released: true }]);
  });

  /** One person, two lists, and an automation of each that is due. */
  async function twoDue() {
    const { sender, readers } = await ready();
    const others = await sender.newList({ name: 'Others' });
    await sender.add(others, ANN, { trial_ends: '2029-12-30T10:00:20Z' });
    const { id } = await sender.newAutomation({
      email_list_ids: [others.id],
      metadata_trigger: 'trial_ends',
    });
    await sender.newTemplate([id]);
    await safeguards.change({ table, now: start }, sender.organization, { enabled: false });
    const lists = [readers.id, others.id];
    return { sender, lists, pack: await sweptPack(sender), claims: () => claimsOf(sender) };
  }

  it('sends each email of a person once', async () => {
    const { sender, pack, lists, claims } = await twoDue();
    const repeating = atClaims(async send => {
      await send();
      return send();
    });
    await deliver({ ...sender.needs, table: repeating }, pack);
    expect(sender.mails()).toHaveLength(2);
    const found = await claims();
    expect(found.map(({ list_id }) => list_id).sort()).toEqual(lists.sort());
    expect(found.map(({ released }) => released)).toEqual([undefined, undefined]);
  });

  /** Somebody leaves the list of their first claim before that is repeated. Returns the list. */
  async function deliverLeaving(sender: Sender, pack: Pack): Promise<string> {
    let left = '';
    const repeating = atClaims(async (send, _, { input }) => {
      await send();
      if (!left) {
        left = String(insertOf(input.Statements?.[0] as Parameters<typeof insertOf>[0]).item.list_id);
        await changeMember(sender, { id: left }, { is_subscribed: false });
      }
      return send();
    });
    await deliver({ ...sender.needs, table: repeating }, pack);
    return left;
  }

  it('leaves no claim behind of what somebody is owed no more beside another email', async () => {
    const { sender, pack, claims } = await twoDue();
    const left = await deliverLeaving(sender, pack);
    expect(sender.mails()).toHaveLength(1);
    const found = (await claims()).map(({ list_id, released = false }) => [list_id === left, released]);
    expect(found).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('mails somebody by their other list who leaves the one whose claim was repeated', async () => {
    const { sender, readers, automation } = await ready();
    const others = await sender.newList({ name: 'Others' });
    await sender.add(others, ANN, { trial_ends: '2029-12-30T10:00:20Z' });
    await changeAutomation(sender, automation, { email_list_ids: [readers.id, others.id] });
    const pack = await sweptPack(sender);
    const left = await deliverLeaving(sender, pack);
    expect(sender.mails()).toHaveLength(1);
    const found = (await claimsOf(sender)).map(({ list_id, released = false }) => [
      list_id === left,
      released,
    ]);
    expect(found).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('counts an email that was sent, once', async () => {
    const sender = await delivered();
    expect(await states(sender)).toEqual(['sent']);
    expect(await sentOn(sender, '2030-01-01')).toBe(1);
  });

  it.each([
    ['throttled', throttled(60)],
    ['unreachable', NOT_SENT],
  ])('leaves no email behind that was certainly not sent (%s)', async (_, answer) => {
    const sender = await delivered(answer);
    expect(await states(sender)).toEqual(['released']);
    await sender.run(timeAfter(90 * MINUTE));
    expect(sender.mails()).toHaveLength(2);
    expect((await states(sender)).sort()).toEqual(['released', 'sent']);
    expect((await shown(sender)).map(({ status }) => status)).toEqual(['sent']);
    expect(await sentOn(sender, '2030-01-01')).toBe(1);
  });
});

it('people who wait are in one pack, however often the process that queued it dies', async () => {
  const { sender, readers } = await ready();
  const pack = await sweptPack(sender);
  const paused = await found(table, sender.organization, readers.id);
  await listStore.pause(table, paused, timeAfter(10 * HOUR));
  const failing = intercepted(table, (send, { constructor: { name }, input }) => {
    const { ExpressionAttributeValues: values = {} } = input as { ExpressionAttributeValues?: object };
    if (name === 'UpdateCommand' && Object.values(values).includes('done')) throw new Error('Throttled');
    return send();
  });
  const queued = new Set<string>();
  const queue = async ({ id, isRecheck }: Pack) => void (!isRecheck && queued.add(id));
  for (let run = 1; run <= 4; run++) {
    sender.at(timeAfter((3 + run * 2) * MINUTE));
    await expect(deliver({ ...sender.needs, table: failing, queue }, pack)).rejects.toThrow('Throttled');
  }
  expect(queued.size).toBe(1);
});

it('people whom the sweep leaves to an early pack are mailed though the provider refuses that pack', async () => {
  const { sender, readers } = await ready();
  const pack = await sweptPack(sender);
  const mailgun: typeof sender.needs.providers.mailgun = {
    post: async (...call) => {
      // It finds them claimed, and is done.
      await deliver(sender.needs, pack);
      return sender.needs.providers.mailgun.post(...call);
    },
  };
  sender.answers(throttled(60));
  await deliver(
    { ...sender.needs, providers: { ...sender.needs.providers, mailgun } },
    { ...pack, id: 'early0000000', isEarly: true },
  );
  const stored = () => found(table, sender.organization, readers.id);
  await list.markDenied({ table, now: sender.now }, await stored());
  await sender.run(timeAfter(20 * MINUTE));
  await list.changeSendingKey({ table, now: sender.now, vault: openVault }, await stored(), {
    mailgun_sending_key: 'key-2',
  });
  await sender.run(timeAfter(60 * MINUTE));
  expect(mailed(sender)).toHaveLength(2);
  expect(sender.posts.map(({ access }) => access.key)).toEqual(['key-1', 'key-2']);
});

it('an email that an early pack and that of the sweep both skip is in the log once', async () => {
  const { sender, readers } = await ready();
  const pack = await sweptPack(sender);
  const stored = await found(table, sender.organization, readers.id);
  await list.changeSendingKey({ table, now: sender.now, vault: openVault }, stored, {
    mailgun_sending_key: null,
  });
  await deliver(sender.needs, { ...pack, id: 'early0000000', isEarly: true });
  await deliver(sender.needs, pack);
  expect(await reasons(sender)).toEqual(['no_key']);
});
