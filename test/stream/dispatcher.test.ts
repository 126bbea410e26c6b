import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, expect, it, vi } from 'vitest';
import * as automations from '#core/automation/automation.ts';
import * as list from '#core/list/list.ts';
import { page } from '#core/sending/log/log.ts';
import type { Pack } from '#core/sending/pack.ts';
import { applyEvent } from '#core/sending/provider-event.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { NewAutomation } from '#shared/automation.ts';
import { newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';
import { newSender } from '../support/sending.ts';
import { forgetShard } from '../support/shard.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:30Z');
const hour = 60 * 60_000;
const STARTED = { table, now: new Date(now.getTime() - 48 * hour) };

let readers: list.CountedList;
let sent: { purges: object[]; packs: Pack[] };
beforeEach(async () => {
  sent = { purges: [], packs: [] };
  await forgetShard(table);
  readers = await newList(table, now);
  const form = NewAutomation.parse({ name: 'welcome', email_list_ids: [readers.id] });
  await automations.create(STARTED, readers.organization_id, form);
});

let sequence = 100;
const record = (PK: string, SK: string, images: object, written = now): DynamoDBRecord => ({
  dynamodb: {
    ...images,
    SequenceNumber: String(sequence++),
    ApproximateCreationDateTime: written.getTime() / 1000,
    Keys: { PK: { S: PK }, SK: { S: SK } },
  },
});

const image = (status: string, added = now) => ({
  email: { S: 'ann@example.com' },
  status: { S: status },
  metadata: { M: {} },
  created_at: { S: added.toISOString() },
});
const HASH = 'a'.repeat(22);
const joined = (images: object, written?: Date) =>
  record(`R#${readers.organization_id}#${HASH}`, `IN#${readers.id}`, images, written);

async function asked(): Promise<DynamoDBRecord> {
  const { organization_id, id } = readers;
  const [job] = await queryPartition(table, 'PURGE', `LIST#${organization_id}#${id}`);
  return record('PURGE', String(job?.SK), {
    NewImage: {
      organization_id: { N: String(organization_id) },
      list_id: { S: id },
      ticket: { S: String(job?.ticket) },
    },
  });
}

type Queues = {
  queuePurge?: (purge: object, seconds: number) => Promise<void>;
  queuePacks?: (packs: Pack[]) => Promise<void>;
};
async function handle(Records: DynamoDBRecord[], queues: Queues = {}): Promise<void> {
  vi.resetModules();
  vi.doMock('#functions/platform/table.ts', () => ({ table }));
  vi.doMock('#functions/platform/runtime.ts', async original => ({
    ...(await original<object>()),
    now: () => now,
  }));
  const queuePurge = async (purge: object, seconds: number) => void sent.purges.push({ ...purge, seconds });
  const queuePacks = async (packs: Pack[]) => void sent.packs.push(...packs);
  vi.doMock('#functions/platform/queue.ts', () => ({ queuePurge, queuePacks, ...queues }));
  const { handler } = await import('#functions/stream/dispatcher.ts');
  await handler({ Records });
}
const fail = () => Promise.reject(new Error('The queue cannot be reached'));

it('a purge that was requested is queued, and delivered when nothing can follow any more', async () => {
  await list.remove({ table, now }, readers);
  const [job] = await queryPartition(table, 'PURGE', `LIST#${readers.organization_id}#${readers.id}`);
  await handle([await asked()]);
  const { organization_id, id: list_id } = readers;
  expect(sent).toEqual({
    purges: [{ organization_id, list_id, ticket: job?.ticket, seconds: 900 }],
    packs: [],
  });
});

it('a member who was stored is sent what is due to them, and nobody who may not be mailed', async () => {
  await handle([
    joined({ NewImage: image('subscribed') }),
    joined({ OldImage: image('subscribed'), NewImage: image('unsubscribed') }),
    joined({ OldImage: image('subscribed'), NewImage: { status: { S: 'left' } } }),
  ]);
  expect(sent.purges).toEqual([]);
  expect(sent.packs).toMatchObject([
    { minute: '2030-01-01T12:00', people: [[HASH, [[0, '2030-01-01T12:00']]]] },
  ]);
});

it('a member who is subscribed again is sent what is due to them, and one who was changed otherwise is not', async () => {
  await handle([
    joined({ OldImage: image('unsubscribed'), NewImage: image('subscribed') }),
    joined({ OldImage: image('subscribed'), NewImage: image('subscribed') }),
  ]);
  expect(sent.packs).toMatchObject([{ people: [[HASH, [[0, '2030-01-01T12:00']]]] }]);
});

it('a member whose record comes hours late is sent what was due when they were stored', async () => {
  const written = new Date(now.getTime() - 5 * hour);
  await handle([joined({ NewImage: image('subscribed', written) }, written)]);
  expect(sent.packs).toMatchObject([{ minute: '2030-01-01T07:00' }]);
});

it.each([
  ['unknown', []],
  ['mixed', ['ben@example.com']],
])(
  'an email about which the provider told before it answered is settled when its batch ends as %s',
  async (state, accepted) => {
    const sender = await newSender(table, now);
    const readersOfIt = await sender.newList();
    for (const email of ['ann@example.com', ...accepted]) await sender.add(readersOfIt, email);
    const { id } = await sender.newAutomation({ email_list_ids: [readersOfIt.id] });
    await sender.newTemplate([id]);
    const to = { organization: sender.organization, id: readersOfIt.id };
    sender.needs.providers.mailgun.post = async (_, emails) => {
      const open = emails.find(({ to: email }) => email === 'ann@example.com');
      const event = { meaning: 'accepted', send: open?.id ?? '', reason: '' } as const;
      await applyEvent({ table, now: sender.now }, to, event);
      return emails.map(email =>
        email === open ? { kind: 'unknown' } : { kind: 'accepted', provider_id: 'an id' },
      );
    };
    sender.at(new Date(now.getTime() + 2 * 60_000));
    await sender.sweep();
    await sender.deliverAll();
    const status = async () =>
      (await page({ table, now: sender.now }, sender.organization, { page: 1, per_page: 10 })).data.map(
        row => row.status,
      );
    expect((await status()).sort()).toEqual([...accepted.map(() => 'sent'), 'unknown']);
    const [head] = await queryPartition(table, `ORG#${sender.organization}#LOG`);
    expect(head?.state).toBe(state);
    const image = { NewImage: { type: { S: 'batch' }, state: { S: String(head?.state) } } };
    await handle([record(String(head?.PK), String(head?.SK), image)]);
    expect(new Set(await status())).toEqual(new Set(['sent']));
  },
);

it('a batch that is delivered again queues the same messages', async () => {
  await list.remove({ table, now }, readers);
  const records = [await asked(), joined({ NewImage: image('subscribed') })];
  await handle(records);
  const first = sent;
  sent = { purges: [], packs: [] };
  await handle(records);
  expect(sent).toEqual(first);
  expect([sent.purges.length, sent.packs.length]).toEqual([1, 1]);
});

it('a queue that fails keeps nothing from the other one, and has the batch delivered again', async () => {
  await list.remove({ table, now }, readers);
  const records = [await asked(), joined({ NewImage: image('subscribed') })];
  await expect(handle(records, { queuePurge: fail })).rejects.toThrow('The queue cannot be reached');
  expect([sent.purges.length, sent.packs.length]).toEqual([0, 1]);
  await expect(handle(records, { queuePacks: fail })).rejects.toThrow('The queue cannot be reached');
  expect([sent.purges.length, sent.packs.length]).toEqual([1, 1]);
});
