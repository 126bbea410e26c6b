import type { Metadata } from '../../../../shared/metadata.ts';
import { dueOccurrences, triggerOf } from '../../automation/due/due.ts';
import { type Source, sourcesIn } from '../../automation/source/source.ts';
import type { Table } from '../../storage/table.store.ts';
import { type Found, minuteOf, type Pack, packsOf } from '../pack/pack.ts';
import { readSwitches } from '../switches/switches.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** A membership that was stored just now, and what it was before. */
export type Stored = {
  organization: number;
  hash: string;
  membership: Subscribed;
  /** Undefined where they were not subscribed. */
  before: Subscribed | undefined;
};
type Subscribed = { list_id: string; metadata: Metadata; created_at: string };

type Needs = {
  table: Table;
  now: Date;
  queue: (packs: Pack[]) => Promise<void>;
  newId: () => string;
};

/**
 * Queues what fell due within the last hour for members whose date was stored after the sweep had passed that minute, or
 * is about to: so an automation that starts immediately does. What the sweep queues too is sent once.
 */
export async function start({ table, now, queue, newId }: Needs, stored: Stored[]): Promise<void> {
  const interval = { from: new Date(now.getTime() - HOUR), until: now };
  const byList = Map.groupBy(
    stored,
    ({ organization, membership }) => `${organization}#${membership.list_id}`,
  );
  for (const [key, some] of byList) {
    const [organization = '', list = ''] = key.split('#');
    const sources = await sourcesIn(table, Number(organization), list);
    if (sources.length === 0) continue;
    const { automations } = await readSwitches(table, Number(organization), sources);
    const found = some.flatMap(one =>
      sources.flatMap(source => {
        const automation = automations.get(source.automation);
        if (!automation?.active || !isNewDate(one, automation)) return [];
        const trigger = triggerOf(one.membership, automation);
        return dueOccurrences(trigger, automation, interval).map(({ at }) =>
          foundBy(source, one, trigger, at),
        );
      }),
    );
    const byMinute = Map.groupBy(found, ({ minute }) => minute);
    const packs = [...byMinute].flatMap(([minute, ofMinute]) =>
      packsOf({ organization: Number(organization), minute, newId }, ofMinute),
    );
    if (packs.length > 0) await queue(packs);
  }
}

/** Whether the change gave the member the date that an automation starts at. */
function isNewDate({ membership, before }: Stored, automation: Parameters<typeof triggerOf>[1]): boolean {
  if (!before) return true;
  return triggerOf(before, automation)?.getTime() !== triggerOf(membership, automation)?.getTime();
}

const foundBy = (
  { list, column, automation }: Source,
  { hash }: Stored,
  trigger: Date | undefined,
  at: Date,
): Found & { minute: string } => ({
  hash,
  list,
  column,
  automation,
  trigger: minuteOf(trigger ?? at),
  minute: minuteOf(at),
});
