import { expect, it, vi } from 'vitest';
import type { ExportedMember, ListExportPage } from '#shared/export.ts';
import { type Answers, DOWN, held } from '../support/components/api.ts';
import { profile } from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import { answer, dialog, isGone, press, pressInDialog, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';

const EXPORT = 'GET /api/email-lists/{list}/export';

const saved = watchSavedFile();

const exported = (name: string, metadata: ExportedMember['metadata'] = {}): ExportedMember => ({
  email: `${name}@example.com`,
  is_subscribed: true,
  suppression: null,
  metadata,
  created_at: '2026-01-05T08:00:00Z',
});

const openList = (answers: Answers) =>
  open('/email-lists/l1', { ...fakeMembers(people(3)).answers, ...profile, ...answers });
const linesOf = async (file: Blob) => (await file.text()).trimEnd().split('\r\n');

it('the file has a column for each key that anybody has, whatever page they are on', async () => {
  openList({
    [EXPORT]: ({ query }) =>
      query.get('cursor') === null
        ? { data: [exported('ann', { plan: '=1+1', born: '2000-02-29' })], total: 3, next_cursor: 'next' }
        : {
            data: [
              {
                ...exported('ben', { email: 'other', 'metadata.email': 'third', 'a-b': -7, vip: true }),
                is_subscribed: false,
              },
              { ...exported('cid'), is_subscribed: false, suppression: 'bounce' },
            ],
            total: 3,
            next_cursor: null,
          },
  });
  await press('Export to CSV');
  await says('The file has 3 members.');
  await isGone(dialog());
  expect(saved()?.name).toMatch(/^Customers_\d{4}-\d\d-\d\d\.csv$/);
  expect(await linesOf(saved()?.content ?? new Blob())).toEqual([
    'email,is_subscribed,suppression,created_at,a-b,born,metadata.email,metadata.metadata.email,plan,vip',
    "ann@example.com,true,,2026-01-05T08:00:00Z,,2000-02-29,,,'=1+1,",
    'ben@example.com,false,,2026-01-05T08:00:00Z,-7,,other,third,,true',
    'cid@example.com,false,bounce,2026-01-05T08:00:00Z,,,,,,',
  ]);
});

it('it says how far it is, and after a failure it goes on from where it was', async () => {
  const asked: (string | null)[] = [];
  const { answer: waiting, release } = held<void>();
  let isDown = true;
  openList({
    [EXPORT]: async ({ query }) => {
      const cursor = query.get('cursor');
      asked.push(cursor);
      if (cursor === null) return { data: [exported('ann')], total: 3_000, next_cursor: 'second' };
      if (cursor === 'second') {
        await waiting();
        return isDown ? DOWN : { data: [exported('ben')], total: 3_000, next_cursor: null };
      }
      return DOWN;
    },
  });
  await press('Export to CSV');
  await says('1 of 3,000 members');
  release();
  await expect
    .element(
      dialog()
        .getByRole('alert')
        .getByText(/not answering/),
    )
    .toBeVisible();
  expect(saved()).toBeUndefined();
  isDown = false;
  await pressInDialog('Continue');
  await says('The file has 2 members.');
  expect(asked).toEqual([null, 'second', 'second']);
  expect(await linesOf(saved()?.content ?? new Blob())).toHaveLength(3);
});

it('it is cancelled', async () => {
  const { answer: waiting, release } = held<ListExportPage>();
  openList({ [EXPORT]: waiting });
  await press('Export to CSV');
  await answer('Cancel');
  release({ data: [exported('ann')], total: 1, next_cursor: null });
  await press('Columns');
  await says(/^No metadata yet\./);
  expect(saved()).toBeUndefined();
});

/** At each page that is loaded or written: how many turns the browser has had for other work. */
function countTurns() {
  let turn = 0;
  const turns: number[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    turn++;
    port2.postMessage(undefined);
  };
  port2.postMessage(undefined);
  const { text } = Blob.prototype;
  const written = vi.spyOn(Blob.prototype, 'text').mockImplementation(function (this: Blob) {
    turns.push(turn);
    return text.call(this);
  });
  const end = () => {
    port1.close();
    written.mockRestore();
    return turns;
  };
  return { onLoad: () => turns.push(turn), end };
}

it('a hundred thousand members are written without the page standing still', async () => {
  const PAGES = 100;
  const { onLoad, end } = countTurns();
  const metadata = { plan: 'gold', born: '2000-02-29', city: 'Berlin', points: 17 };
  openList({
    [EXPORT]: ({ query }) => {
      onLoad();
      const number = Number(query.get('cursor') ?? 0);
      const data = Array.from({ length: 1_000 }, (_, at) => exported(`m${number}-${at}`, metadata));
      return { data, total: 100_000, next_cursor: number + 1 < PAGES ? String(number + 1) : null };
    },
  });
  await press('Export to CSV');
  await expect.poll(() => saved()).toBeDefined();
  const turns = end();
  expect(await linesOf(saved()?.content ?? new Blob())).toHaveLength(100_001);
  expect(turns).toHaveLength(2 * PAGES);
  expect(turns.filter((turn, nth) => turn === turns[nth - 5])).toEqual([]);
});
