import { expect, it } from 'vitest';
import type { ExportedMember } from '#shared/export.ts';
import { fileOf, loadPages, nothingLoaded } from '#web/features/list-member/members-export.tsx';
import { linesIn } from '../support/csv-cells.ts';

const exported = (name: string, metadata: ExportedMember['metadata'] = {}): ExportedMember => ({
  email: `${name}@example.com`,
  is_subscribed: true,
  suppression: null,
  metadata,
  created_at: '2026-01-05T08:00:00Z',
});

it('the file of a list has a column for each key that anybody has, whatever page they are on', async () => {
  const ben = exported('ben', { email: 'other', 'metadata.email': 'third', 'a-b': -7, vip: true });
  const pages = [
    [exported('ann', { plan: '=1+1', born: '2000-02-29' })],
    [
      { ...ben, is_subscribed: false },
      { ...exported('cid'), is_subscribed: false, suppression: 'bounce' as const },
    ],
  ];
  const load = async (cursor = '0') => {
    const next = Number(cursor) + 1;
    return { data: pages[next - 1] ?? [], total: 2, next_cursor: next < pages.length ? `${next}` : null };
  };
  const progress: number[] = [];
  const all = await loadPages(load, nothingLoaded(2), ({ count, total }) => progress.push(count, total));
  expect(progress).toEqual([1, 2, 3, 3]);
  expect(linesIn(await (await fileOf(all)).text())).toEqual([
    'email,is_subscribed,suppression,created_at,a-b,born,metadata.email,metadata.metadata.email,plan,vip',
    "ann@example.com,true,,2026-01-05T08:00:00Z,,2000-02-29,,,'=1+1,",
    'ben@example.com,false,,2026-01-05T08:00:00Z,-7,,other,third,,true',
    'cid@example.com,false,bounce,2026-01-05T08:00:00Z,,,,,,',
  ]);
});
