import { beforeEach, describe, expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import type { Meaning, Outcome } from '#core/provider.ts';
import * as recipient from '#core/recipient/claim.ts';
import * as read from '#core/sending/batch/outcome.ts';
import { deliver, PackHeld } from '#core/sending/delivery/delivery.ts';
import * as pageStore from '#core/sending/log/log.ts';
import * as providerProof from '#core/sending/provider-event.ts';
import { countsIn } from '#core/sending/rollup.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import { newList } from '#test/support/core-list.ts';
import { Crashed, crashingAtEachWrite } from '#test/support/crash.ts';
import { newBatch } from '#test/support/emails.ts';
import { freshTable } from '#test/support/engine.ts';
import { followerOf } from '#test/support/follow.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { newSender } from '#test/support/sending.ts';
import { forgetShard } from '#test/support/shard.ts';

const table = freshTable();
const follow = followerOf(table);
const now = new Date('2030-01-01T12:00:00Z');
const EMAILS = ['ann@example.com', 'ben@example.com', 'cleo@example.com'];

let of: list.CountedList;
beforeEach(async () => {
  of = await newList(table, now);
});

const begun = () => newBatch(table, of, EMAILS, now, follow);
type Batch = Awaited<ReturnType<typeof begun>>;

async function hear({ claims }: Batch, at: number, meaning: Meaning, on: Table = table, time = now) {
  const send = claims[at]?.send ?? '';
  const to = { organization: of.organization_id, id: of.id };
  return providerProof.applyEvent({ table: on, now: time }, to, { meaning, send, reason: '' });
}
const claims = ({ claims }: Batch) =>
  Promise.all(claims.map(({ key, claim }) => recipient.readClaim(table, key, claim.seq)));
const marks = async (batch: Batch, as: 'delivered_at' | 'rejected_at' = 'delivered_at') =>
  (await claims(batch)).map(claim => claim?.[as] !== undefined);
const stored = async ({ head }: Batch) =>
  (await read.readAnswered(table, of.organization_id, [head.batch]))[0]?.head;

describe('an email with unknown outcome', () => {
  const unknown = async () => {
    const batch = await begun();
    await batch.end('unknown');
    return batch;
  };

  it('counts on the day of the email, however late the event comes', async () => {
    const batch = await unknown();
    await hear(batch, 0, 'complaint', table, new Date(now.getTime() + 40 * 24 * 60 * 60 * 1000));
    await follow(now);
    const rollups = (await queryPartition(table, `ORG#${of.organization_id}#REPORT`)).map(countsIn);
    const mine = rollups.filter(({ counts }) => counts.has(batch.combination));
    expect(mine.map(({ day, counts }) => [day, counts.get(batch.combination)])).toEqual([
      ['2030-01-01', { sent: 1, complained: 1 }],
    ]);
  });

  it('is counted once by many events at once, and where processes die', async () => {
    const batch = await unknown();
    // Who has lost too many races is sent the event again.
    await Promise.allSettled([0, 1, 2, 0, 1, 2, 0].map(at => hear(batch, at, 'accepted')));
    for (const at of [0, 1, 2]) await hear(batch, at, 'accepted');
    expect(await batch.counted()).toBe(3);
    await crashingAtEachWrite(table, unknown, async (on, other) => {
      try {
        await hear(other, 0, 'accepted', on);
      } finally {
        await hear(other, 0, 'accepted');
        expect(await other.counted()).toBe(1);
      }
    });
  });

  it('changes nothing of its batch, so that a thousand events cost no more than their claims', async () => {
    const batch = await unknown();
    const before = await stored(batch);
    for (const at of [0, 1, 2]) await hear(batch, at, 'accepted');
    expect(await stored(batch)).toEqual(before);
  });

  it('may be one of a batch whose other emails were sent, or failed', async () => {
    const batch = await begun();
    const [, failed, unknown] = batch.sends;
    if (!failed || !unknown) throw new Error('There are three');
    await batch.endMixed({ failed: [failed], unknown: [unknown] }, 1);
    expect(await batch.outcomes()).toEqual(['sent', 'failed', 'unknown']);
    const heard = [];
    for (const at of [0, 1, 2, 2]) heard.push(await hear(batch, at, 'accepted'));
    expect(heard).toEqual([true, false, true, true]);
    expect(await batch.outcomes()).toEqual(['sent', 'failed', 'sent']);
    expect(await batch.counted()).toBe(2);
    expect(await marks(batch)).toEqual([false, false, true]);
  });

  it('is not read any more by who looks for unknown emails, once all of its batch are settled', async () => {
    const batch = await unknown();
    const page = { page: 1, per_page: 25, status: 'unknown' } as const;
    const rows = async () => (await pageStore.page({ table, now }, of.organization_id, page)).data.length;
    expect(await rows()).toBe(3);
    for (const at of [0, 1]) await hear(batch, at, 'accepted');
    expect(await rows()).toBe(1);
    await hear(batch, 2, 'rejected');
    await follow(now);
    expect(await queryPartition(table, `ORG#${of.organization_id}#LOG#unknown`)).toMatchObject([
      { size: 3, settled: 3 },
    ]);
    expect(await rows()).toBe(0);
  });
});

describe('an email that the provider rejects', () => {
  const listed = (status: 'failed' | 'unknown') =>
    queryPartition(table, `ORG#${of.organization_id}#LOG#${status}`);
  const shown = async (status: 'failed' | 'unknown' | 'sent', recipient?: string) => {
    const page = { page: 1, per_page: 25, status, recipient } as const;
    return (await pageStore.page({ table, now }, of.organization_id, page)).data.map(
      row => row.recipient_email,
    );
  };

  it('is found among those that failed, and no more among the unknown ones if it was one', async () => {
    const batch = await begun();
    await batch.end('unknown');
    for (const at of [0, 1, 1]) await hear(batch, at, 'rejected');
    await follow(now);
    expect(await shown('unknown')).toEqual(['cleo@example.com']);
    expect((await shown('failed')).sort()).toEqual(['ann@example.com', 'ben@example.com']);
    expect(await listed('failed')).toMatchObject([{ SK: batch.head.batch, size: 2 }]);
    // That it was sent outweighs that it failed.
    for (const at of [0, 1]) await hear(batch, at, 'accepted');
    await follow(now);
    expect(await shown('failed')).toEqual([]);
    expect(await listed('failed')).toMatchObject([{ size: 0 }]);
    expect(await listed('unknown')).toMatchObject([{ size: 3, settled: 2 }]);
  });

  it('is added to those of its batch that failed at once', async () => {
    const batch = await begun();
    const [, failed, unknown] = batch.sends;
    if (!failed || !unknown) throw new Error('There are three');
    await batch.endMixed({ failed: [failed], unknown: [unknown] }, 1);
    await hear(batch, 2, 'rejected');
    await follow(now);
    expect((await shown('failed')).sort()).toEqual(['ben@example.com', 'cleo@example.com']);
    expect(await listed('failed')).toMatchObject([{ size: 2 }]);
  });

  it('after it had taken it is found among those that failed, also of its recipient, and among those that were sent', async () => {
    const [ann = '', , cleo = ''] = EMAILS;
    const batch = await begun();
    // While it is being posted.
    await hear(batch, 2, 'rejected');
    await follow(now);
    await batch.endMixed({ failed: batch.sends.slice(1, 2) }, 2);
    for (let time = 0; time < 2; time++) await hear(batch, 0, 'rejected');
    await follow(now);
    expect((await shown('failed')).sort()).toEqual(EMAILS);
    expect([await shown('failed', ann), await shown('sent', ann)]).toEqual([[ann], [ann]]);
    expect((await shown('sent')).sort()).toEqual([ann, cleo]);
    expect(await listed('failed')).toMatchObject([{ size: 3 }]);
  });
});

describe('an event about an email that is being posted', () => {
  it('is kept in its claim alone', async () => {
    const batch = await begun();
    await hear(batch, 0, 'accepted');
    expect(await marks(batch)).toEqual([true, false, false]);
    expect(await stored(batch)).toMatchObject({ state: 'posting' });
    await batch.end('accepted');
    expect(await batch.counted()).toBe(3);
  });

  it('settles it where the batch ends as unknown, however often that is done, whoever dies', async () => {
    const batch = await begun();
    await hear(batch, 0, 'accepted');
    await hear(batch, 1, 'rejected');
    await batch.end('unknown');
    // Nobody but the readers of the stream look after it.
    await follow(now);
    const again = { table, now };
    for (let n = 0; n < 2; n++)
      await providerProof.applyEarlyEvents(again, of.organization_id, batch.head.batch);
    await hear(batch, 0, 'accepted');
    expect(await batch.outcomes()).toEqual(['sent', 'failed', 'unknown']);
    expect(await batch.counted()).toBe(1);
  });

  it('settles it where the batch ends as unknown between its steps', async () => {
    const batch = await begun();
    const meanwhile = beforeFirst(table, 'UpdateCommand', async () => {
      await batch.end('unknown');
      await follow(now);
    });
    await hear(batch, 0, 'accepted', meanwhile);
    expect(await batch.outcomes()).toEqual(['sent', 'unknown', 'unknown']);
    expect(await batch.counted()).toBe(1);
  });

  it('settles it at once where nobody can be posting it any more', async () => {
    const batch = await begun();
    await hear(batch, 0, 'accepted', table, new Date(now.getTime() + 121_000));
    expect(await stored(batch)).toMatchObject({ state: 'unknown' });
    expect(await batch.outcomes()).toEqual(['sent', 'unknown', 'unknown']);
    expect(await batch.counted()).toBe(1);
  });
});

describe('a sender whose email is delivered before the provider answers', () => {
  const MINUTE = 60_000;

  /** A pack with one email, about which an event comes as soon as it is posted. */
  async function pack(answer: () => Outcome) {
    await forgetShard(table);
    const sender = await newSender(table, now);
    const readers = await sender.newList();
    await sender.add(readers, 'ann@example.com');
    const { id } = await sender.newAutomation({ email_list_ids: [readers.id] });
    await sender.newTemplate([id]);
    sender.needs.providers.mailgun.post = async (_, emails) => {
      const event = { meaning: 'accepted', send: emails[0]?.id ?? '', reason: '' } as const;
      const to = { organization: sender.organization, id: readers.id };
      await providerProof.applyEvent({ table, now: sender.now }, to, event);
      return [answer()];
    };
    await sender.sweep();
    sender.at(new Date(now.getTime() + 2 * MINUTE));
    await sender.sweep();
    const [queued] = sender.queue;
    if (!queued) throw new Error('Nothing is due');
    return {
      sender,
      pack: queued.pack,
      log: async () =>
        (await pageStore.page({ table, now: sender.now }, sender.organization, { page: 1, per_page: 25 }))
          .data,
      counted: async () => {
        await follow(now);
        const rollups = await queryPartition(table, `ORG#${sender.organization}#REPORT`);
        return rollups.flatMap(item => [...countsIn(item).counts.values()]);
      },
    };
  }

  it.each([{ kind: 'unknown' }, { kind: 'accepted', provider_id: 'an id' }] as const)(
    'finds that it was sent, where the answer is $kind',
    async answer => {
      const { sender, pack: queued, log, counted } = await pack(() => answer);
      await deliver(sender.needs, queued);
      expect(await counted()).toEqual([{ sent: 1 }]);
      expect(await log()).toMatchObject([{ status: 'sent' }]);
    },
  );

  it('leaves that to the next one, where it dies', async () => {
    const dying = () => {
      throw new Crashed();
    };
    const { sender, pack: queued, log, counted } = await pack(dying);
    await expect(deliver(sender.needs, queued)).rejects.toThrow(Crashed);
    sender.at(new Date(sender.now.getTime() + 6 * MINUTE));
    expect(await log()).toMatchObject([{ status: 'unknown' }]);
    for (let n = 0; n < 2; n++) await deliver(sender.needs, queued);
    expect(await counted()).toEqual([{ sent: 1 }]);
    expect(await log()).toMatchObject([{ status: 'sent' }]);
  });

  it('stores in the claims what it learns after it was taken for dead', async () => {
    const answer = { kind: 'accepted', provider_id: 'an id' } as const;
    const { sender, pack: queued, log, counted } = await pack(() => answer);
    sender.needs.providers.mailgun.post = async () => {
      // It is paused for minutes, while another one gets its pack.
      sender.at(new Date(sender.now.getTime() + 6 * MINUTE));
      await deliver(sender.needs, queued);
      return [answer];
    };
    await expect(deliver(sender.needs, queued)).rejects.toThrow(PackHeld);
    expect(await counted()).toEqual([{ sent: 1 }]);
    expect(await log()).toMatchObject([{ status: 'sent' }]);
  });
});

it('an email that was sent has no mark of that: its events write nothing', async () => {
  const batch = await begun();
  await batch.end('accepted');
  for (const at of [0, 1, 2]) expect(await hear(batch, at, 'accepted')).toBe(true);
  expect(await marks(batch)).toEqual([false, false, false]);
  expect(await batch.counted()).toBe(3);
});
