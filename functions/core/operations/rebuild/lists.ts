import * as counts from '#core/list/counts.store.ts';
import * as listCountersStore from '#core/list/list.counters.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.store.ts';
import type { Key, Table } from '#core/storage/table.store.ts';
import { conditionCheck, PRESENT } from '#core/storage/write.store.ts';
import type { Part } from './part.ts';
import { progressTicker } from './progress.ts';
import { add, type Sums, sumsIn } from './sums.ts';

type Needs = { table: Table; progress: (line: string) => void };

const COUNTED = ['total', 'subscribed', 'members'];

/** The counts of each list, and of its datetime columns. */
export async function listParts(needs: Needs, organization: number): Promise<Part[]> {
  const lists = await list.listOf(needs, organization);
  return lists.map(({ id, name }) => partOf(needs, { organization, id, name: `list ${name} (${id})` }));
}

type Of = { organization: number; id: string; name: string };

function partOf(needs: Needs, of: Of): Part {
  const guard = counts.countsKey(of.id);
  const isGuard = ({ SK }: Key) => SK === guard.SK;
  return {
    name: of.name,
    async read() {
      const counted = await countsOf(needs, of);
      const items = await counts.readCounters(needs.table, of.id);
      const stored = sumsIn(items, field => COUNTED.includes(field));
      // The counts of a deleted list are gone, and are not created again.
      const isCounted = [...stored.values()].some(({ key }) => isGuard(key));
      return isCounted ? { stored, counted } : { stored: new Map(), counted: new Map() };
    },
    guardOf: key => (isGuard(key) ? [] : [conditionCheck(needs.table, guard, PRESENT)]),
  };
}

async function countsOf({ table, progress }: Needs, { organization, id, name }: Of): Promise<Sums> {
  const counted: Sums = new Map();
  const tick = progressTicker(progress, count => `${name}: ${count} members so far`);
  for await (const some of listMember.everyone(table, organization, id)) {
    for (const after of some)
      add(counted, listCountersStore.listCounters({ list_id: id, before: undefined, after }));
    tick(some.length);
  }
  return counted;
}
