import { beforeAll, expect, it } from 'vitest';
import * as sendingLog from '#core/sending/log/log.ts';
import { addSkips } from '#core/sending/skip.store.ts';
import { EmailSendsQuery } from '#shared/send.ts';
import { freshTable } from '#test/support/engine.ts';
import { metered, type WrittenBatch, type WrittenSend, writeLog } from '#test/support/written-log.ts';

// Batches of a week with emails of 243 combinations in each; what is rare happened at its beginning, in one batch. With 300
// batches of a month instead, a page costs the same.
const table = freshTable({ anyItems: true });
const now = new Date('2030-01-31T12:00:00Z');
const COMBINATIONS = Array.from({ length: 243 }, (_, nth) => `combinatn${String(nth).padStart(3, '0')}`);
const ORGANIZATION = 7;
const [BATCHES, WITH_CLAIMS, SENDS, RARE, SKIPS] = [60, 4, 243, 50, 20];

function batchOf(nth: number): WrittenBatch {
  const day = 30 - Math.floor(nth / 10);
  const minute = `2030-01-${String(day).padStart(2, '0')}T${String(19 - (nth % 10)).padStart(2, '0')}:00`;
  const isRare = nth === RARE;
  const at = `${minute}:00.000Z`;
  const sends = Array.from({ length: SENDS }, (_, place): WrittenSend => {
    const isMarked = place % 5 === 0;
    return {
      to: `reader${place}@example.com`,
      seq: BATCHES - nth,
      at,
      combination: isRare ? 'rarecontent0' : (COMBINATIONS[place] ?? ''),
      ...(isMarked && (nth < WITH_CLAIMS || isRare) && { marks: { opened_at: at, first_clicked_at: at } }),
    };
  });
  return {
    minute,
    pack: `pack${nth}`,
    at: `${minute}:30.000Z`,
    sends,
    end: 'sent',
    list: isRare ? 'rarelist' : 'list',
    automation: isRare ? 'rareautomation' : 'automation',
    ...(nth >= WITH_CLAIMS && !isRare && { bare: true }),
  };
}

beforeAll(async () => {
  const all = Array.from({ length: BATCHES }, (_, nth) => batchOf(nth));
  await writeLog(table, ORGANIZATION, all);
  const sources = [{ list: 'list', automation: 'automation' }];
  for (let nth = 0; nth < SKIPS; nth++) {
    const skips = Array.from({ length: 1_000 }, (_, of) => ({
      hash: Buffer.from(`${of}`.padStart(16, '0')).toString('base64url'),
      source: 0,
      reason: nth === 0 ? ('stale' as const) : ('suppressed' as const),
    }));
    const minute = `2030-01-30T1${Math.floor(nth / 60)}:${String(nth % 60).padStart(2, '0')}`;
    await addSkips(table, { organization: ORGANIZATION, minute, id: `pack${nth}`, sources }, skips);
  }
}, 300_000);

it.each([
  ['everything', {}, 25, 100],
  ['a list', { list: 'list' }, 25, 100],
  ['a rare list', { list: 'rarelist' }, 25, 100],
  ['a rare automation', { automation: 'rareautomation' }, 25, 100],
  ['a list and an automation', { automation: 'automation', list: 'list' }, 25, 100],
  ['a day', { from: '2030-01-26', to: '2030-01-26' }, 25, 100],
  ['what was opened', { status: 'opened' }, 25, 250],
  ['what was opened of a rare automation', { status: 'opened', automation: 'rareautomation' }, 25, 350],
  ['what was opened of a combination', { status: 'opened', combination: COMBINATIONS[5] }, 4, 150],
  ['what was opened of a rare combination', { status: 'opened', combination: 'rarecontent0' }, 25, 350],
  ['what was clicked', { status: 'clicked' }, 25, 100],
  ['what was clicked of a rare combination', { status: 'clicked', combination: 'rarecontent0' }, 25, 100],
  ['what was sent of a combination', { status: 'sent', combination: COMBINATIONS[7] }, 25, 200],
  ['what was sent of a rare combination', { status: 'sent', combination: 'rarecontent0' }, 25, 150],
  ['a recipient', { recipient: 'reader5@example.com' }, 5, 25],
  ['nobody', { recipient: 'nobody@example.com' }, 0, 2],
  ['what failed', { status: 'failed' }, 0, 2],
  ['what was skipped', { status: 'skipped' }, 25, 150],
  // A thousand skips are an item of five units.
  ['what was skipped for a rare reason', { status: 'skipped', reason: 'stale' }, 25, 200],
  ['what was skipped of nobody', { status: 'skipped', recipient: 'nobody@example.com' }, 0, 100],
] as const)('a page of %s costs what it shows', async (_, query, rows, units) => {
  const { table: on, used } = metered(table);
  const read = (more = {}) =>
    sendingLog.page({ table: on, now }, ORGANIZATION, EmailSendsQuery.parse({ ...query, ...more }));
  const { data, meta } = await read();
  expect(data).toHaveLength(rows);
  expect(meta.searched_since).toBeNull();
  expect(used.units).toBeLessThanOrEqual(units);
  const first = used.units;
  if (meta.next) await read({ page: 2, after: meta.next });
  expect(used.units - first).toBeLessThanOrEqual(1.4 * units);
});
