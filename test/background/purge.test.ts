import { expect, it, vi } from 'vitest';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import type { Asked } from '#core/storage/purge-request.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import { newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

/** The delivery of a message, with so many milliseconds left; answers the messages that it queues. */
async function handle(asked: Asked, remaining: number): Promise<object[]> {
  const messages: object[] = [];
  const queuePurge = async (another: object, seconds: number) => void messages.push({ ...another, seconds });
  vi.resetModules();
  vi.doMock('#functions/platform/table.ts', () => ({ table }));
  vi.doMock('#functions/platform/queue.ts', () => ({ queuePurge }));
  vi.doMock('#functions/platform/runtime.ts', async original => ({
    ...(await original<object>()),
    now: () => now,
  }));
  const { handler } = await import('#functions/background/purge.ts');
  const context = { getRemainingTimeInMillis: () => remaining };
  await handler({ Records: [{ body: JSON.stringify(asked) }] } as never, context as never);
  return messages;
}

it('a purge queues another round where its time runs out, and ends where all is deleted', async () => {
  const readers = await newList(table, now);
  const job = { organization_id: readers.organization_id, list_id: readers.id };
  const members = ['ann', 'ben'].map(name => ({ email: `${name}@example.com`, signed_up: '2030-03-01' }));
  await listMember.upsertAll({ table, now }, readers, members);
  const stray = { PK: `TRG#${readers.id}#`, SK: '0720#2030-01-01#stray' };
  await batchWrite(table, { puts: [stray] });
  await list.remove({ table, now }, readers);
  const [jobs, rows, others] = [
    () => queryPartition(table, 'PURGE'),
    () => queryPartition(table, `TRG#${readers.id}#signed_up`),
    () => queryPartition(table, stray.PK),
  ];
  const [requested] = await jobs();
  const asked = { ...job, ticket: String(requested?.ticket) };

  expect(await handle({ ...job, ticket: 'of a request before' }, 200_000)).toEqual([]);
  expect(await rows()).toHaveLength(2);

  expect(await handle(asked, 10_000)).toEqual([{ ...asked, seconds: 0 }]);
  expect(await jobs()).toEqual([requested]);
  expect([await rows(), await others()]).toEqual([[], [stray]]);

  expect(await handle(asked, 200_000)).toEqual([]);
  expect(await jobs()).toEqual([]);
  expect(await others()).toEqual([]);

  expect(await handle(asked, 200_000)).toEqual([]);
});
