import type { StoredOrganization } from '#core/organization/organization.store.ts';
import { triggerRow } from '#core/recipient/trigger.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { SendTimes } from '#shared/schedule.ts';
import { TIME_ZONES } from '#shared/time-zone.ts';
import { stillTableOf } from '../simulation/client.ts';
import { Store } from '../simulation/table/store.ts';
import { intercepted } from '../support/intercepted.ts';
import { sweptBefore } from '../support/shard.ts';
import {
  ADDED_LONG_AGO,
  listId,
  organizationItems,
  personHash,
  putItems,
  sweeper,
} from '../support/sweeping.ts';
import type { Section } from './report.ts';

const HOUR = 60 * 60_000;
const start = new Date('2030-03-04T00:00:00Z');

const night: Partial<StoredOrganization> = {
  hours: [
    { since: ADDED_LONG_AGO, time_zone: 'Europe/Berlin', quiet_hours: [{ from: '22:00', until: '08:00' }] },
  ],
};
const weekend: Partial<SendTimes> = { days_off: ['saturday', 'sunday'] };
const at = (time_zone_of: SendTimes['time_zone_of']): Partial<SendTimes> => ({
  send_at: '09:00',
  time_zone_of,
});

/** How many rows of a column are read for an email; half of the members have a time zone. */
const TIMES: [
  what: string,
  times: Partial<SendTimes>,
  organization: Partial<StoredOrganization>,
  budget: number,
][] = [
  ['at the time of the date', {}, {}, 1.2],
  ['the same, with quiet hours', {}, night, 1.2],
  ['the same, not at weekends', weekend, {}, 1.2],
  ['at a time of day', at('organization'), {}, 1],
  ['at a time of day of each member', at('member'), {}, 1.6],
  // At the end of the hours, one more pass for all time zones at once.
  ['the same, with quiet hours, not at weekends', { ...at('member'), ...weekend }, night, 2.5],
];

/** What the sweep reads in a day of a list all of whose members are due once on it, whatever decides when. */
export async function sweepingAllDay(members: number): Promise<Section> {
  const lines = [];
  for (const [what, times, organization, budget] of TIMES) {
    const { rows, emails } = await sweptInADay(members, times, organization);
    lines.push({ what: `rows read for an email ${what}`, measured: rows / emails, budget });
    if (emails < members) throw new Error(`${emails} emails were queued for ${members} members`);
  }
  return { title: `A day of sweeps of a list of ${members.toLocaleString('en-US')} members`, lines };
}

async function sweptInADay(
  members: number,
  times: Partial<SendTimes>,
  organization: Partial<StoredOrganization>,
) {
  const store = stillTableOf(new Store(() => 0));
  let rows = 0;
  const table: Table = intercepted(store, async (send, command) => {
    const answer = (await send()) as { Items?: { SK?: unknown }[] };
    if (command.constructor.name === 'QueryCommand') {
      rows += (answer.Items ?? []).filter(({ SK }) => /^\d{4}#/.test(String(SK))).length;
    }
    return answer;
  });
  const automation = { ...times, active_since: ADDED_LONG_AGO };
  const items = organizationItems(store, { id: 1, automations: [automation] });
  await putItems(store, [
    ...items.map(item => (item.SK === 'META' ? { ...item, ...organization } : item)),
    ...Array.from({ length: members }, (_, nth) => {
      const instant = new Date(start.getTime() - 30 * 24 * HOUR + ((nth * 7919) % 1440) * 60_000);
      const zone = nth % 2 === 0 ? TIME_ZONES[(nth * 31) % TIME_ZONES.length] : undefined;
      return triggerRow(listId(1), '', { hash: personHash(nth), instant, zone });
    }),
  ]);
  await sweptBefore(store, start);
  const { packs, run } = sweeper(table);
  for (let hour = 1; hour <= 48; hour++) {
    await run(new Date(start.getTime() + hour * HOUR + 10_000));
  }
  const emails = packs.reduce((sum, { people }) => sum + people.length, 0);
  return { rows, emails };
}
