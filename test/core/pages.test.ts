import { beforeAll, expect, it } from 'vitest';
import type * as list from '../../functions/core/list/list.ts';
import * as listMember from '../../functions/core/list-member/list-member.ts';
import { newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

let many: list.Found;
beforeAll(async () => {
  const readers = await newList(table, now);
  many = { ...readers, counts: { total: 1_000_000, subscribed: 1_000_000 } };
});
const page = (page: number) => listMember.page({ table }, many, { page, per_page: 10 });

it('a page is counted to from the nearer end, as far as that is bearable', async () => {
  await expect(page(10_001)).resolves.toMatchObject({ current_page: 10_001 });
  await expect(page(90_000)).resolves.toMatchObject({ current_page: 90_000 });
  for (const far of [10_002, 50_000, 89_999]) {
    await expect(page(far)).rejects.toMatchObject({ errors: { page: [expect.stringContaining('Search')] } });
  }
});
