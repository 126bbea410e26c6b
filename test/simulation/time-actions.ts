import * as automation from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as list from '#core/list/list.ts';
import type { Table } from '#core/storage/table.store.ts';
import { type Model, type Organization, setHours } from './organizations.ts';
import type { Random } from './random.ts';
import { listZone, quietHoursOf, sendTimes, type Times } from './sending-times.ts';

type Needs = { table: Table; now: Date };
type Context = { model: Model; of: Organization; random: Random };
type Change = (context: Context & { needs: Needs; times: Times }) => Promise<unknown>;

/** The changes of sending times that users make, with weights. */
const CHANGES: [number, Change][] = [
  [
    5,
    function changeHours({ needs, of, random, model, times }) {
      const zone = random.chance(0.2) ? { time_zone: random.pick(times.zones) } : {};
      const quiet_hours = random.chance(0.9)
        ? { quiet_hours: quietHoursOf(random, times, model, needs.now) }
        : {};
      return setHours(needs, of, { ...zone, ...quiet_hours });
    },
  ],
  [
    2,
    async function changeSendTimes({ needs, of, random, model, times }) {
      const [found] = await automation.readThese(needs.table, of.id, [random.pick(of.automations)]);
      return found && automations.change(needs, found, sendTimes(random, times, model, needs.now));
    },
  ],
  [
    1,
    async function changeListZone({ needs, of, random, times }) {
      const found = await list.lookUp(needs, of.id, random.pick(of.lists));
      return found && list.change(needs, found, { time_zone: listZone(random, times) });
    },
  ],
];

/** A change of an organization that has sending times, with its name. */
export function timeChange(context: Context): [name: string, change: (needs: Needs) => Promise<unknown>] {
  const { times } = context.of;
  const change = context.random.fork('kind').weighted(CHANGES);
  return [change.name, async needs => times && change({ ...context, needs, times })];
}
