import { beforeEach, describe, expect, it } from 'vitest';
import type * as list from '../../../functions/core/list/list/list.ts';
import * as recipient from '../../../functions/core/recipient/recipient/recipient.ts';
import { countsIn } from '../../../functions/core/reporting/rollup/rollup.ts';
import * as batches from '../../../functions/core/sending/batch/batch.ts';
import { type Answer, deliver } from '../../../functions/core/sending/delivery/delivery.ts';
import * as events from '../../../functions/core/sending/provider-event/provider-event.ts';
import * as sends from '../../../functions/core/sending/send/send.ts';
import { batchWrite, queryPartition, type Table } from '../../../functions/core/storage/table.store.ts';
import { between } from '../../support/between.ts';
import { newList } from '../../support/core-list.ts';
import { Died, dyingAtEachWrite } from '../../support/cut.ts';
import { newBatch } from '../../support/emails.ts';
import { freshTable } from '../../support/engine.ts';
import { newSender } from '../../support/sending.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const EMAILS = ['ann@example.com', 'ben@example.com', 'cleo@example.com'];

let of: list.Found;
beforeEach(async () => {
  of = await newList(table, now);
});

const begun = () => newBatch(table, of, EMAILS, now);
type Batch = Awaited<ReturnType<typeof begun>>;

/** Events about an email of the batch, by its place. */
async function hear({ claims }: Batch, at: number, meaning: events.Meaning, on: Table = table, time = now) {
  const send = claims[at]?.send ?? '';
  const to = { organization: of.organization_id, id: of.id };
  return events.note({ table: on, now: time }, to, { meaning, send, reason: '' });
}
const marks = async ({ claims }: Batch, as: 'delivered_at' | 'rejected_at' = 'delivered_at') =>
  (await Promise.all(claims.map(({ key, claim }) => recipient.readClaim(table, key, claim.seq)))).map(
    claim => claim?.[as] !== undefined,
  );
const settleKept = ({ head }: Batch) =>
  batches.settleKept({ table, now: () => now }, of.organization_id, head.batch);
const stored = ({ head }: Batch) => batches.readHead(table, of.organization_id, head.batch);

describe('an email of which nobody knows whether it was sent', () => {
  const unknown = async () => {
    const batch = await begun();
    await batch.end({ state: 'unknown' }, 0);
    return batch;
  };

  it.each(['accepted', 'soft', 'hard', 'complaint', 'unsubscribed'] as const)(
    'was sent where an event says %s, and counts once',
    async meaning => {
      const batch = await unknown();
      for (let n = 0; n < 3; n++) expect(await hear(batch, 1, meaning)).toBe(true);
      expect(await batch.outcomes()).toEqual(['unknown', 'sent', 'unknown']);
      expect(await batch.counted()).toBe(1);
      expect(await marks(batch)).toEqual([false, true, false]);
      expect(await stored(batch)).toMatchObject({ state: 'unknown', sent: 1 });
    },
  );

  it('failed where Mailgun rejected it, unless another event shows that it did not', async () => {
    const batch = await unknown();
    await hear(batch, 0, 'rejected');
    await hear(batch, 1, 'rejected');
    await hear(batch, 1, 'accepted');
    await hear(batch, 2, 'accepted');
    await hear(batch, 2, 'rejected');
    expect(await batch.outcomes()).toEqual(['failed', 'sent', 'sent']);
    expect(await batch.counted()).toBe(2);
    expect(await marks(batch, 'rejected_at')).toEqual([true, true, true]);
  });

  it('counts on the day of the email, however late the event comes', async () => {
    const batch = await unknown();
    await hear(batch, 0, 'complaint', table, new Date(now.getTime() + 40 * 24 * 60 * 60 * 1000));
    const rollups = await queryPartition(table, `ORG#${of.organization_id}#REPORT`);
    const mine = rollups.filter(({ SK }) => String(SK).endsWith(`#${batch.head.combination}`));
    expect(mine.flatMap(item => [...countsIn(item)])).toEqual([['2030-01-01', { sent: 1 }]]);
  });

  it('is counted once by many events at once', async () => {
    const batch = await unknown();
    const heard = [0, 1, 2, 0, 1, 2, 0].map(at => hear(batch, at, 'accepted'));
    // Who has lost too many races is sent the event again.
    await Promise.allSettled(heard);
    for (const at of [0, 1, 2]) await hear(batch, at, 'accepted');
    expect(await batch.counted()).toBe(3);
    expect(await stored(batch)).toMatchObject({ sent: 3 });
  });

  it('is counted once where processes die', async () => {
    await dyingAtEachWrite(table, unknown, async (on, batch) => {
      try {
        await hear(batch, 0, 'accepted', on);
      } finally {
        await hear(batch, 0, 'accepted');
        expect(await batch.counted()).toBe(1);
        expect(await marks(batch)).toEqual([true, false, false]);
      }
    });
  });

  it('is not counted again where its batch ends as sent after all', async () => {
    const batch = await unknown();
    await hear(batch, 0, 'accepted');
    expect(await batch.end({ state: 'sent' })).toBe(true);
    await hear(batch, 1, 'accepted');
    expect(await batch.counted()).toBe(3);
    expect(await stored(batch)).toMatchObject({ state: 'sent', sent: 3 });
    expect(await batch.outcomes()).toEqual(['sent', 'sent', 'sent']);
    expect(await batch.end({ state: 'sent' })).toBe(false);
  });

  it('is not counted again where its event arrives while the batch ends', async () => {
    const batch = await unknown();
    const [{ key }] = batch.claims as [Batch['claims'][0]];
    const meanwhile = between(table, 'TransactWriteCommand', () => hear(batch, 0, 'accepted'));
    const dated = batch.sends.map(send => ({ ...send, day: now.toISOString().slice(0, 10) }));
    await batches.end(meanwhile, key.organization, batch.head, { state: 'sent' }, dated);
    expect(await batch.counted()).toBe(3);
    const ended = await unknown();
    await hear(
      ended,
      0,
      'accepted',
      between(table, 'TransactWriteCommand', () => ended.end({ state: 'sent' })),
    );
    expect(await ended.counted()).toBe(3);
    expect(await marks(ended)).toEqual([false, false, false]);
  });

  it('may be one of a batch of which the rest was sent, or failed', async () => {
    const batch = await begun();
    const [sent, failed, unknown] = batch.sends.map(send => batches.packed([send]));
    if (!sent || !failed || !unknown) throw new Error('There are three');
    await batch.end({ state: 'mixed', failed, unknown }, 1);
    expect(await batch.outcomes()).toEqual(['sent', 'failed', 'unknown']);
    const heard = [];
    for (const at of [0, 1, 2, 2]) heard.push(await hear(batch, at, 'accepted'));
    expect(heard).toEqual([true, false, true, true]);
    expect(await batch.outcomes()).toEqual(['sent', 'failed', 'sent']);
    expect(await batch.counted()).toBe(2);
    expect(await marks(batch)).toEqual([false, false, true]);
  });
});

describe('an event about an email that is being posted', () => {
  it('is kept in its claim alone', async () => {
    const batch = await begun();
    await hear(batch, 0, 'accepted');
    expect(await marks(batch)).toEqual([true, false, false]);
    expect(await stored(batch)).toMatchObject({ state: 'posting', sent: 0 });
    await batch.end({ state: 'sent' });
    await settleKept(batch);
    expect(await batch.counted()).toBe(3);
  });

  it('settles it where the batch ends as unknown, however often that is done', async () => {
    const batch = await begun();
    await hear(batch, 0, 'accepted');
    await hear(batch, 1, 'rejected');
    await batch.end({ state: 'unknown' }, 0);
    for (let n = 0; n < 2; n++) await settleKept(batch);
    await hear(batch, 0, 'accepted');
    expect(await batch.outcomes()).toEqual(['sent', 'failed', 'unknown']);
    expect(await batch.counted()).toBe(1);
  });

  it('settles it once where it comes again while the batch is looked through', async () => {
    const batch = await begun();
    await hear(batch, 0, 'accepted');
    await batch.end({ state: 'unknown' }, 0);
    await hear(
      batch,
      0,
      'accepted',
      between(table, 'TransactWriteCommand', () => settleKept(batch)),
    );
    expect(await batch.counted()).toBe(1);
    expect(await stored(batch)).toMatchObject({ sent: 1 });
  });

  it('settles it where the batch ends as unknown between its steps', async () => {
    const batch = await begun();
    const meanwhile = between(table, 'UpdateCommand', async () => {
      await batch.end({ state: 'unknown' }, 0);
      await settleKept(batch);
    });
    await hear(batch, 0, 'accepted', meanwhile);
    expect(await batch.outcomes()).toEqual(['sent', 'unknown', 'unknown']);
    expect(await batch.counted()).toBe(1);
  });

  it('settles it at once where nobody can be posting it any more', async () => {
    const batch = await begun();
    await hear(batch, 0, 'accepted', table, new Date(now.getTime() + 121_000));
    expect(await stored(batch)).toMatchObject({ state: 'unknown', sent: 1 });
    expect(await batch.outcomes()).toEqual(['sent', 'unknown', 'unknown']);
  });
});

describe('a sender whose email is delivered before the provider answers', () => {
  const MINUTE = 60_000;

  /** A pack with one email, about which an event comes as soon as it is posted. */
  async function pack(answer: () => Answer) {
    // The sweep begins anew.
    const swept = await queryPartition(table, 'SWEEP');
    await batchWrite(table, { deletes: swept.map(({ SK }) => ({ PK: 'SWEEP', SK: String(SK) })) });
    const sender = await newSender(table, now);
    const readers = await sender.newList();
    await sender.add(readers, 'ann@example.com');
    const { id } = await sender.newAutomation({ email_list_ids: [readers.id] });
    await sender.newTemplate([id]);
    sender.needs.post = async (_, { recipients }) => {
      const event = { meaning: 'accepted', send: recipients[0]?.variables.send ?? '', reason: '' } as const;
      await events.note(
        { table, now: sender.now },
        { organization: sender.organization, id: readers.id },
        event,
      );
      return answer();
    };
    await sender.sweep();
    sender.at(new Date(now.getTime() + 2 * MINUTE));
    await sender.sweep();
    const [queued] = sender.queue;
    if (!queued) throw new Error('Nothing is due');
    const log = async () =>
      (await sends.page({ table, now: sender.now }, sender.organization, { page: 1, per_page: 25 })).data;
    const counted = async () =>
      (await queryPartition(table, `ORG#${sender.organization}#REPORT`)).flatMap(item => [
        ...countsIn(item).values(),
      ]);
    return { sender, log, counted, pack: queued.pack };
  }

  it.each(['unknown', 'accepted'] as const)('finds that it was sent, where the answer is %s', async kind => {
    const { sender, pack: queued, log, counted } = await pack(() => ({ kind, id: 'an id' }));
    await deliver(sender.needs, queued, false);
    expect(await log()).toMatchObject([{ status: 'sent' }]);
    expect(await counted()).toEqual([{ sent: 1 }]);
  });

  it('leaves that to the next one, where it dies', async () => {
    const {
      sender,
      pack: queued,
      log,
      counted,
    } = await pack(() => {
      throw new Died();
    });
    await expect(deliver(sender.needs, queued, false)).rejects.toThrow(Died);
    sender.at(new Date(sender.now.getTime() + 6 * MINUTE));
    expect(await log()).toMatchObject([{ status: 'unknown' }]);
    for (let n = 0; n < 2; n++) await deliver(sender.needs, queued, true);
    expect(await log()).toMatchObject([{ status: 'sent' }]);
    expect(await counted()).toEqual([{ sent: 1 }]);
  });
});

it('an email that was sent has no mark of that: its events write nothing', async () => {
  const batch = await begun();
  await batch.end({ state: 'sent' });
  for (const at of [0, 1, 2]) expect(await hear(batch, at, 'accepted')).toBe(true);
  expect(await marks(batch)).toEqual([false, false, false]);
  expect(await batch.counted()).toBe(3);
});
