import { type Metadata, readDatetime } from '../../../../shared/metadata.ts';
import { OCCURRENCES, type Schedule } from '../../../../shared/schedule.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The first email of an occurrence, and those of a double and a triple send. */
export type Copy = 1 | 2 | 3;
const DELAYS: Record<Copy, number> = { 1: 0, 2: 6 * HOUR, 3: 12 * HOUR };
export const LAST_COPY_DELAY = DELAYS[3];

/** One email that an automation owes to a list member. */
export type Occurrence = {
  /** One person gets one email per key, also when they are on two lists or their date was edited during the day. */
  key: string;
  /** 0 for the first. */
  k: number;
  copy: Copy;
  /** A whole minute. */
  at: Date;
};

/** What of an automation decides who is due, and when. */
export type DueRule = Schedule & {
  id: string;
  metadata_trigger: string | null;
  /** When it was last switched on: what was due before is not sent. */
  active_since?: string | undefined;
};

/** The later of two activations, as what was due before either is not sent. */
export const laterOf = (a = '', b = ''): string | undefined => (a > b ? a : b) || undefined;

/** From the first instant until before the second. */
export type Interval = { from: Date; until: Date };

type Dated = { metadata: Metadata; created_at: string };

/** The date of a list member at which an automation starts; undefined where they have none that can be read. */
export function triggerOf(
  { metadata, created_at }: Dated,
  { metadata_trigger }: Pick<DueRule, 'metadata_trigger'>,
): Date | undefined {
  const value = metadata_trigger === null ? created_at : metadata[metadata_trigger];
  const instant = typeof value === 'string' ? readDatetime(value) : undefined;
  return instant instanceof Date ? instant : undefined;
}

/**
 * What an automation owes to a list member within an interval, in order: the sweep, the sender, the simulation and the
 * forecast all ask here. A member is due whole days after their date, at its minute of the day in UTC.
 */
export function dueOccurrences(
  trigger: Date | undefined,
  automation: DueRule,
  { from, until }: Interval,
): Occurrence[] {
  if (!trigger) return [];
  const { every_x_days: every, delay_days: delay, stop_after_days: stop, active_since } = automation;
  const start = floorMinute(trigger.getTime());
  // The minute in which it was switched on is swept when it has ended.
  const active = active_since === undefined ? -Infinity : floorMinute(Date.parse(active_since));
  const dayOf = (k: number) => delay + k * every;
  const dueAt = (k: number) => start + dayOf(k) * DAY;
  const isBeforeStop = (k: number) => stop === null || dayOf(k) <= stop;
  const earliest = Math.max(from.getTime(), active);
  const firstDay = Math.ceil((earliest - LAST_COPY_DELAY - start) / DAY);
  const found: Occurrence[] = [];
  let k = Math.max(0, Math.ceil((firstDay - delay) / every));
  for (let due = dueAt(k); due < until.getTime() && isBeforeStop(k); due = dueAt(++k)) {
    for (const copy of copiesOf(automation, k)) {
      const at = due + DELAYS[copy];
      if (at >= earliest && at < until.getTime()) {
        found.push({ key: keyOf(automation.id, due, copy), k, copy, at: new Date(at) });
      }
    }
  }
  return found;
}

const floorMinute = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;

const keyOf = (automationId: string, due: number, copy: Copy) =>
  `${automationId}#${new Date(due).toISOString().slice(0, 10)}#${copy}`;

/** How many days after a date an occurrence was due; undefined where there is no date any more. */
export const daysAfter = (trigger: Date | undefined, key: string): number | undefined =>
  trigger &&
  Math.max(0, Math.round((Date.parse(key.split('#')[1] ?? '') - floorDay(trigger.getTime())) / DAY));

const floorDay = (instant: number) => Math.floor(instant / DAY) * DAY;

/** How long after the first email of an occurrence the others go, in milliseconds; 0 among them. */
export const copyDelays = (automation: Schedule): number[] => {
  const copies = OCCURRENCES.flatMap((_, k) => copiesOf(automation, k));
  return [...new Set<Copy>([1, ...copies])].map(copy => DELAYS[copy]);
};

/** Of the k-th occurrence: the first three may have a second and a third email. */
export function copiesOf(automation: Schedule, k: number): Copy[] {
  const nth = OCCURRENCES[k];
  if (nth && automation[`triple_send_${nth}`]) return [1, 2, 3];
  return nth && automation[`double_send_${nth}`] ? [1, 2] : [1];
}
