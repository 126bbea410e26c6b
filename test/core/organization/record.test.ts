import { expect, it } from 'vitest';
import * as record from '#core/organization/record.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';

const table = freshTable();

it('the first erasures, which name neither a kind nor what was done, are found as those of people', async () => {
  const SK = '2026-01-05T08:00:00.000Z#hash';
  await batchWrite(table, { puts: [{ PK: 'ORG#8#RECORD', SK, by: 'anna' }] });
  const found = { kind: 'person', what: 'erased', by: { id: 'anna' }, means: null };
  for (const filter of [{ kind: 'person' }, { user: 'anna' }] as const)
    expect((await record.page({ table }, 8, { ...filter, per_page: 50 })).data).toMatchObject([found]);
  for (const filter of [{ kind: 'list' }, { user: 'bert' }] as const)
    expect((await record.page({ table }, 8, { ...filter, per_page: 50 })).data).toEqual([]);
});

it('an entry behind thousands that a filter leaves out is found on a later page', async () => {
  const start = Date.parse('2026-03-01T09:00:00Z');
  const puts = Array.from({ length: 3_010 }, (_, at) => ({
    PK: 'ORG#7#RECORD',
    SK: `${new Date(start + at * 1000).toISOString()}#${at}`,
    kind: at === 0 ? 'list' : 'automation',
    what: 'changed',
    changes: {},
  }));
  await batchWrite(table, { puts });
  const filter = { kind: 'list', per_page: 50 } as const;
  const first = await record.page({ table }, 7, filter);
  expect([first.data, typeof first.next_cursor]).toEqual([[], 'string']);
  const second = await record.page({ table }, 7, { ...filter, cursor: first.next_cursor ?? '' });
  expect(second).toMatchObject({ data: [{ kind: 'list' }], next_cursor: null });
});
