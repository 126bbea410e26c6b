import * as rollup from '#core/counters/rollup.store.ts';
import * as organizations from '#core/organization/organization.store.ts';
import * as valueCountersStore from '#core/reporting/value.counters.ts';
import * as valueStore from '#core/reporting/value.store.ts';
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import type { Part } from './part.ts';
import { progressTicker } from './progress.ts';
import { add, type Sums, sumsIn } from './sums.ts';

type Needs = { table: Table; progress: (line: string) => void };

const EVER = { from: '0000-01-01', to: '9999-12-31' };

/** The value in all rollups. Its events are not sorted by day, so all of them are one part. */
export function valuePart(needs: Needs, organization: number): Part {
  return {
    name: 'value',
    async read(among?: Key[]) {
      const wanted = among && new Set(among.map(({ SK }) => SK));
      const isWanted = ({ SK }: Item) => wanted?.has(String(SK)) ?? true;
      const counted = await countsOf(needs, organization);
      const stored: Sums = new Map();
      const days = rollup.pagesOfDays(needs.table, organization, EVER, { consistent: true });
      for await (const items of days) {
        const those = sumsIn(items.filter(isWanted), rollup.isCountOfValue);
        for (const [key, sums] of those) stored.set(key, sums);
      }
      return { stored, counted: wanted ? only(counted, wanted) : counted };
    },
    guardOf: () => [organizations.aliveCheck(needs.table, organization)],
  };
}

const only = (sums: Sums, wanted: Set<string>): Sums =>
  new Map([...sums].filter(([, { key }]) => wanted.has(key.SK)));

async function countsOf({ table, progress }: Needs, organization: number): Promise<Sums> {
  const counted: Sums = new Map();
  const tick = progressTicker(progress, count => `value: ${count} events so far`);
  for await (const some of valueStore.everything(table, organization)) {
    for (const event of some)
      add(counted, valueCountersStore.valueCounters({ organization_id: organization, ...event }));
    tick(some.length);
  }
  return counted;
}
