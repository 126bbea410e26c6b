import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { dueOccurrences, rulesFor } from '#core/automation/due/occurrences.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import { triggerRow } from '#core/recipient/trigger.ts';
import { batchWrite, type Item, type Key } from '#core/storage/table.store.ts';
import { NewAutomation } from '#shared/automation.ts';
import type { SendTimes } from '#shared/schedule.ts';
import { stillTableOf } from '#test/simulation/client.ts';
import { Store } from '#test/simulation/table/store.ts';
import { extent } from '#test/support/prove.ts';
import { behindIn, sweptBefore } from '#test/support/shard.ts';
import {
  ADDED_LONG_AGO,
  automationId,
  automationItems,
  duesOf,
  listId,
  organizationItems,
  personHash,
  putItems,
  sweeper,
  timeFor,
} from '#test/support/sweeping.ts';
import { unstored } from '#test/support/unstored.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const noon = new Date('2026-03-01T12:00:00Z');

// Of the first 69 rows fit in a read that finds nothing, of the second 33.
const COLUMNS = ['', 'renews'.padEnd(64, '_')];

const schedule = fc.record({
  list: fc.constantFrom(0, 0, 0, 1),
  column: fc.constantFrom(0, 0, 1),
  every_x_days: fc.constantFrom(1, 2, 7, 28, 30, 45),
  repeat: fc.constantFrom('days', 'days', 'days', 'once', 'yearly'),
  delay_days: fc.integer({ min: 0, max: 3 }),
  /** Without a time of day; some of them after midnight. */
  delay_minutes: fc.constantFrom(0, 0, 0, 2, 61, 725),
  stop_after_days: fc.constantFrom(null, null, 0, 3, 60),
  sends: fc.constantFrom('', '', 'double_send_first', 'triple_send_first', 'triple_send_second'),
  /** Switched on a while before the sweep begins, or within what it sweeps. */
  active_since: fc.constantFrom(-90 * DAY, -90 * DAY, -20 * MINUTE, 3 * MINUTE),
  /** Around what is swept: 2026-03-01 is a Sunday. */
  times: fc.oneof(
    fc.constant({}),
    fc.record({
      send_at: fc.constantFrom('12:00', '12:03', '13:01', '14:00', '21:00'),
      time_zone_of: fc.constantFrom('organization', 'list', 'member'),
      days_off: fc.constantFrom([], [], ['saturday']),
    }),
    fc.record({ days_off: fc.constant(['friday', 'saturday']) }),
  ) as fc.Arbitrary<Partial<SendTimes>>,
});
const row = fc.record({
  list: fc.constantFrom(0, 0, 0, 1),
  column: fc.constantFrom(0, 0, 1),
  days: fc.oneof(
    fc.integer({ min: -3, max: 0 }),
    fc.constantFrom(-28, -30, -45, -60, -90, -365, -367, -1_095),
  ),
  minutes: fc.oneof(
    fc.constantFrom(-1, 0, 1, 59, 60, -360, -359, -720),
    fc.integer({ min: 0, max: 6 }),
    fc.integer({ min: -720, max: 720 }),
  ),
  /** So many people in that minute. */
  people: fc.constantFrom(1, 1, 2, 40, 75),
  zone: fc.constantFrom(undefined, undefined, 'Europe/Berlin', 'Asia/Tokyo', 'America/St_Johns'),
});

const hours = (from: string, until: string): Partial<StoredOrganization> => ({
  time_zone: 'Europe/Berlin',
  hours: [{ since: ADDED_LONG_AGO, time_zone: 'Europe/Berlin', quiet_hours: [{ from, until }] }],
});

const scene = fc.record({
  organization: fc.constantFrom({}, {}, hours('22:00', '13:03'), hours('13:02', '14:30')),
  listZone: fc.constantFrom(null, 'Asia/Kolkata'),
  automations: fc.array(schedule, { minLength: 1, maxLength: 5 }),
  rows: fc.array(row, { minLength: 4, maxLength: 12 }),
  /** How many minutes are to be swept when the first run begins, and which part of them is read at once. */
  minutes: fc.constantFrom(1, 2, 7, 90, 400, 800),
  part: fc.constantFrom(undefined, { rows: 20, due: 15 }, { rows: 45, due: 1_000 }, { rows: 300, due: 20 }),
  looks: fc.constantFrom(4, 9, 1_000),
  /** Somebody who joins and somebody who leaves before the second run. */
  joining: fc.array(row, { maxLength: 2 }),
  leaving: fc.array(fc.nat(), { maxLength: 3 }),
});
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;
type Row = Scene['rows'][number];
type Person = { row: Row; hash: string };

const id = 1;

function automationsOf({ automations }: Scene): StoredAutomation[] {
  return automations.map(({ list, column, sends, active_since, times, delay_minutes, ...fields }, nth) =>
    unstored(id, {
      ...NewAutomation.parse({ name: 'sends', ...(sends && { [sends]: true }) }),
      ...fields,
      ...times,
      starts_at: undefined,
      delay_minutes: times.send_at ? 0 : delay_minutes,
      id: automationId(id, nth),
      email_list_ids: [listId(id, list)],
      metadata_trigger: COLUMNS[column] || null,
      active_since: new Date(noon.getTime() + active_since).toISOString(),
    }),
  );
}

const instantOf = ({ days, minutes }: Row) => new Date(noon.getTime() + days * DAY + minutes * MINUTE);

const keyOf = ({ row, hash }: Person): Key =>
  triggerRow(listId(id, row.list), COLUMNS[row.column] ?? '', {
    hash,
    instant: instantOf(row),
    zone: row.zone,
  });

let people = 0;
const peopleOf = (rows: Row[]): Person[] =>
  rows.flatMap(row => Array.from({ length: row.people }, () => ({ row, hash: personHash(people++) })));

/** What is due by the rule, which is held against a model of its own. */
const dueByRule = (made: Scene, automations: StoredAutomation[], all: Person[], from: Date, until: Date) =>
  automations.flatMap(automation =>
    all
      .filter(({ row }) => {
        const isOfList = automation.email_list_ids.includes(listId(id, row.list));
        return isOfList && (automation.metadata_trigger ?? '') === COLUMNS[row.column];
      })
      .flatMap(({ row, hash }) => {
        const of = { organization: made.organization, list: { time_zone: made.listZone } };
        const rule = rulesFor(automation, of)(row.zone);
        return dueOccurrences(instantOf(row), rule, { from, until }).map(
          ({ at }) => `${at.toISOString().slice(0, 16)} ${hash} ${listId(id, row.list)} ${automation.id}`,
        );
      }),
  );

it('what is queued is what is due, once, in whatever parts and runs, and whoever joins and leaves meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async made => {
      // In memory, as thousands of requests are made: a test holds it against a real engine.
      const table = stillTableOf(new Store(() => 0));
      const automations = automationsOf(made);
      const there = peopleOf(made.rows);
      const joining = peopleOf(made.joining);
      const leaving = new Set(made.leaving.map(nth => there[nth % there.length]));
      const items: (Item & Key)[] = [
        ...organizationItems(table, { id, lists: 2, automations: [] }).map(item => ({
          ...item,
          ...(item.SK === 'META' ? made.organization : { time_zone: made.listZone }),
        })),
        ...automations.flatMap(one => automationItems(table, one)),
        ...there.map(person => keyOf(person)),
      ];
      await sweptBefore(table, noon);
      await putItems(table, items);
      const sweeps = sweeper(table);
      let until = new Date(noon.getTime() + made.minutes * MINUTE);
      let outcome: Awaited<ReturnType<typeof sweeps.run>> | undefined;
      for (let run = 0; run === 0 || (await behindIn(table)).size > 0; run++) {
        if (run > 100) throw new Error('It stays behind');
        if (run === 1) {
          await putItems(
            table,
            joining.map(person => keyOf(person)),
          );
          await batchWrite(table, {
            deletes: [...leaving].flatMap(person => (person ? [keyOf(person)] : [])),
          });
        }
        until = new Date(noon.getTime() + (made.minutes + run) * MINUTE);
        outcome = await sweeps.run(new Date(until.getTime() + 5_000), {
          // What falls due in each minute may take more: in the end there is time for all of it.
          hasTimeLeft: timeFor(run < 20 ? made.looks : 10_000),
          ...(made.part && { part: made.part }),
        });
      }
      expect(sweeps.failed).toEqual([]);
      const dueOf = (some: Person[]) => dueByRule(made, automations, some, noon, until);
      const queued = sweeps.packs.flatMap(duesOf);
      const isOf = (some: Person[]) => {
        const hashes = new Set(some.map(({ hash }) => hash));
        return (text: string) => hashes.has(text.split(' ')[1] ?? '');
      };
      const changed = [...joining, ...[...leaving].flatMap(person => person ?? [])];
      const isChanged = isOf(changed);
      const staying = there.filter(person => !leaving.has(person));
      expect(queued.filter(text => !isChanged(text)).sort()).toEqual(dueOf(staying).sort());
      const coming = dueByRule(made, automations, staying, until, new Date(until.getTime() + DAY)).sort();
      if (coming[0]) {
        const first = Date.parse(`${coming[0].slice(0, 16)}Z`);
        expect(outcome?.next?.getTime(), 'the next run').toBeLessThanOrEqual(first + MINUTE);
      }
      // Who came or went may have been in time.
      expect(new Set(queued).size).toBe(queued.length);
      const mayBe = new Set(dueOf(changed));
      for (const text of queued.filter(isChanged)) expect(mayBe).toContain(text);
    }),
    { numRuns: extent(12, 200) },
  );
}, 120_000);
