import { expect, it, vi } from 'vitest';
import * as list from '../../functions/core/list/list/list.ts';
import * as listMember from '../../functions/core/list/list-member/list-member.ts';
import { batchWrite, queryPartition } from '../../functions/core/storage/table.store.ts';
import { newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

/** A call as the stream makes it, with so many milliseconds left; answers the messages it delays. */
async function handle({ organization_id, id }: list.Found, remaining: number): Promise<object[]> {
  const messages: object[] = [];
  const later = async (job: object, seconds: number) => void messages.push({ ...job, seconds });
  vi.resetModules();
  vi.doMock('../../functions/platform/table.ts', () => ({ table }));
  vi.doMock('../../functions/platform/later.ts', () => ({ later }));
  vi.doMock('../../functions/platform/clock.ts', () => ({ now: () => now }));
  const { handler } = await import('../../functions/background/purge.ts');
  const NewImage = { organization_id: { N: String(organization_id) }, list_id: { S: id } };
  const context = { getRemainingTimeInMillis: () => remaining };
  await handler({ Records: [{ dynamodb: { NewImage } }] }, context as never);
  return messages;
}

it('a purge calls another round where its time runs out, and waits for its last pass where all is deleted', async () => {
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

  expect(await handle(readers, 10_000)).toEqual([]);
  expect(await jobs()).toMatchObject([{ ...job, rounds: 1 }]);
  expect([await rows(), await others()]).toEqual([[], [stray]]);

  expect(await handle(readers, 200_000)).toEqual([{ ...job, seconds: 120 }]);
  expect(await jobs()).toMatchObject([{ ...job, rounds: 1 }]);
  expect(await others()).toEqual([]);
});
