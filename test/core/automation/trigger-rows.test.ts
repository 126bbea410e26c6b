import { expect, it } from 'vitest';
import { rowsAroundClock } from '#core/automation/trigger-rows.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import { inSmallPages } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';

const table = freshTable();
const noon = new Date('2026-03-01T12:00:00Z');
const COLUMNS = 20;

const columns = (list: string) =>
  Array.from({ length: COLUMNS }, (_, at) => ({ list, column: `starts_${at}` }));

/** In each of twenty columns two people: one with a date in this hour of the day, and one in another hour. */
async function fill(list: string, hours: (column: number) => [number, number]) {
  const puts = columns(list).flatMap(({ column }, at) =>
    hours(at).map((hour, person) => ({
      PK: `TRG#${list}#${column}`,
      SK: `${String(hour * 60).padStart(4, '0')}#2026-01-01#${`p${at}x${person}`.padEnd(22, '0')}`,
    })),
  );
  for (let from = 0; from < puts.length; from += 25)
    await batchWrite(table, { puts: puts.slice(from, from + 25) });
}

/** How many queries of trigger rows are made, and how many at once; the one of this number fails. */
function counting(of: Table, failing?: number) {
  const queries = { all: 0, now: 0, most: 0 };
  const on = intercepted(of, async (send, { constructor: { name } }) => {
    if (name !== 'QueryCommand') return send();
    const number = ++queries.all;
    queries.now++;
    queries.most = Math.max(queries.most, queries.now);
    try {
      // So that what is begun at once is under way at once.
      await new Promise(setImmediate);
      if (number === failing) throw new Error('No answer');
      return await send();
    } finally {
      queries.now--;
    }
  });
  return { on, queries };
}

it('the rows of many columns are read a few columns at a time, each once and none after what was said to be complete', async () => {
  await fill('many', column => [(13 + column) % 24, (20 + column) % 24]);
  const { on, queries } = counting(inSmallPages(table, 1).on);
  const found: string[] = [];
  const pages: string[] = [];
  let known = noon.getTime();
  for await (const { of, rows, readUntil } of rowsAroundClock(on, columns('many'), noon)) {
    pages.push(of.column);
    for (const { hash, instant } of rows) {
      found.push(hash);
      // It comes next today, or tomorrow in the morning.
      const next = Date.parse(`2026-03-01${instant.toISOString().slice(10)}`);
      expect(next < noon.getTime() ? next + 24 * 3_600_000 : next).toBeGreaterThanOrEqual(known);
    }
    known = readUntil.getTime();
  }
  expect(known).toBe(noon.getTime() + 24 * 3_600_000);
  expect(new Set(found).size).toBe(2 * COLUMNS);
  expect(found).toHaveLength(2 * COLUMNS);
  expect(queries.most).toBe(8);
  // None is read to its end before the others have begun.
  expect(new Set(pages.slice(0, COLUMNS)).size).toBeGreaterThan(COLUMNS / 2);
});

it('who stops has nothing going on behind their back, nor has a failure', async () => {
  await fill('stopped', () => [13, 20]);
  const stopped = counting(table);
  for await (const { rows } of rowsAroundClock(stopped.on, columns('stopped'), noon)) {
    expect(rows).toHaveLength(2);
    break;
  }
  expect(stopped.queries).toEqual({ all: 8, now: 0, most: 8 });
  const failing = counting(table, 3);
  let read = 0;
  const readAll = async () => {
    for await (const { rows } of rowsAroundClock(failing.on, columns('stopped'), noon)) read += rows.length;
  };
  await expect(readAll()).rejects.toThrow('No answer');
  expect([read, failing.queries.now]).toEqual([4, 0]);
});

it('no minute of the day is left out, and what is complete ends with the last row', async () => {
  const list = 'minutes';
  const minutes = [0, 539, 540, 541, 1_439];
  const from = new Date('2026-03-01T09:00:00Z');
  const puts = minutes.map(minute => ({
    PK: `TRG#${list}#starts_0`,
    SK: `${String(minute).padStart(4, '0')}#2026-01-01#${String(minute).padEnd(22, 'x')}`,
  }));
  await batchWrite(table, { puts });
  const { on } = inSmallPages(table, 1);
  const found = [];
  for await (const { rows, readUntil } of rowsAroundClock(on, columns(list).slice(0, 1), from))
    for (const { hash } of rows)
      found.push([Number.parseInt(hash, 10), readUntil.toISOString().slice(8, 16)]);
  expect(found).toEqual([
    [540, '01T09:00'],
    [541, '01T09:01'],
    [1_439, '01T23:59'],
    [0, '02T00:00'],
    [539, '02T08:59'],
  ]);
});
