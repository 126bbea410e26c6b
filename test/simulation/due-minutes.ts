import type { Item } from '#core/storage/table.store.ts';
import { offsetOf } from './clocks.ts';
import type { Change, Store } from './table/store.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const MINUTES = 24 * 60;
const QUARTER = 15;
// A sweep looks at the minute that has ended, and at earlier ones that it may have missed.
const LOOKED_BACK = 2;
const COPIES = [0, 6 * 60, 12 * 60];

type Hours = { since: string; time_zone: string; quiet_hours: { until: string }[] };

/** The minutes of the day in which a sweep may find anything: those of trigger rows, and those of emails with a local time. */
export class DueMinutes {
  readonly #store: Store;
  readonly #rows = new Map<number, number>();
  readonly #read: number[] = [];
  /** Time zones that were ever in the table. They are never removed: an unnecessary sweep is only slow. */
  readonly #zones = new Set<string>(['UTC']);
  readonly #sendAts = new Set<string>();
  /** Local times by time zone: `Europe/Berlin 08:00`. */
  readonly #ends = new Set<string>();
  /** The minutes at which changed quiet hours take effect. */
  readonly #changes = new Set<number>();
  #copies = new Set<number>([0]);
  /** The minutes of the delays. */
  readonly #delays = new Set<number>([0]);
  /** Sources with people whom a pass finds, and is not over; with the instant until which it waits. */
  readonly #passes = new Map<string, number>();
  #hasDaysOff = false;
  #times: { minutes: Set<number>; shifts: number[] } | undefined;
  /** Of the times: clocks change. */
  #day = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether something may be due in one of the last minutes. */
  isNear(now: Date): boolean {
    this.#follow();
    if ([...this.#passes.values()].some(until => until <= now.getTime())) return true;
    const day = Math.floor(now.getTime() / DAY);
    if (day !== this.#day) this.#times = undefined;
    this.#day = day;
    this.#times ??= this.#timesAround(now.getTime());
    const { minutes, shifts } = this.#times;
    const closed = Math.floor(now.getTime() / MINUTE) - 1;
    for (let back = 0; back < LOOKED_BACK; back++) {
      if (minutes.has((closed - back) % MINUTES)) return true;
      for (const copy of COPIES) {
        for (const shift of shifts) {
          for (const delay of this.#delays) {
            if ((this.#rows.get((closed - back - copy - shift - delay) % MINUTES) ?? 0) > 0) return true;
          }
        }
      }
    }
    return false;
  }

  #follow(): void {
    for (const [shard, changes] of this.#store.shards.entries()) {
      for (let at = this.#read[shard] ?? 0; at < changes.length; at++) {
        const change = changes[at];
        if (!change) continue;
        if (change.key.PK.startsWith('SWEEP#')) {
          const { existing, due } = change.after ?? {};
          if (existing === undefined) this.#passes.delete(change.key.SK);
          else this.#passes.set(change.key.SK, due === undefined ? 0 : Date.parse(String(due)) + MINUTE);
        }
        if (change.key.PK.startsWith('TRG#')) this.#followRow(change);
        else if (change.key.PK.startsWith('ORG#') && change.after) this.#followTimes(change.after);
      }
      this.#read[shard] = changes.length;
    }
  }

  #followRow({ key, before, after }: Change): void {
    if (Boolean(before) === Boolean(after)) return;
    const minute = Number(key.SK.slice(0, 4));
    this.#rows.set(minute, (this.#rows.get(minute) ?? 0) + (after ? 1 : -1));
    // A time zone, or 00:00 if the date has a time and that is midnight.
    const zone = key.SK.split('#')[3]?.replace('00:00', '');
    if (zone) this.#add(this.#zones, zone);
  }

  #followTimes({ SK, time_zone, hours, send_at, days_off, dates_off, ...item }: Item): void {
    const kind = String(SK).split('#')[0];
    if (['META', 'LIST'].includes(String(kind)) && time_zone) this.#add(this.#zones, String(time_zone));
    if (kind === 'META') {
      for (const { since, time_zone: zone, quiet_hours } of (hours ?? []) as Hours[]) {
        for (const { until } of quiet_hours) this.#add(this.#ends, `${zone} ${until}`);
        this.#add(this.#changes, Date.parse(since) / MINUTE);
      }
    }
    if (kind !== 'AUTO') return;
    if (send_at) this.#add(this.#sendAts, String(send_at));
    this.#add(this.#delays, Number(item.delay_minutes ?? 0));
    const hasDaysOff = [days_off, dates_off].some(off => ((off ?? []) as string[]).length > 0);
    if (hasDaysOff && !this.#hasDaysOff) this.#times = undefined;
    this.#hasDaysOff ||= hasDaysOff;
    const isSet = (name: string) => Object.entries(item).some(([key, on]) => key.startsWith(name) && on);
    if (isSet('double_') || isSet('triple_')) this.#add(this.#copies, 6 * 60);
    if (isSet('triple_')) this.#add(this.#copies, 12 * 60);
  }

  #add<T>(set: Set<T>, value: T): void {
    if (set.has(value)) return;
    set.add(value);
    this.#times = undefined;
  }

  /** Held emails are sent when quiet hours end. On another day, that local time may be another minute of UTC. */
  #timesAround(now: number) {
    const offsets = (zone: string) =>
      [now - 4 * DAY, now, now + 4 * DAY].map(at => offsetOf(zone, at) / MINUTE);
    const found = new Set<number>();
    const add = (zone: string, time: string) => {
      const local = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
      const [first, last] = [Math.max(...offsets(zone)), Math.min(...offsets(zone))];
      // A local time that the clock skips is one of the minutes between both offsets.
      for (let offset = first; offset >= last; offset -= QUARTER) found.add(local - offset);
    };
    for (const time of this.#sendAts) for (const zone of this.#zones) add(zone, time);
    for (const end of this.#ends) add(...(end.split(' ') as [string, string]));
    for (const minute of this.#changes) found.add(minute);
    const changed = [...this.#zones].map(zone => Math.max(...offsets(zone)) - Math.min(...offsets(zone)));
    const shifts = this.#hasDaysOff ? [...new Set(changed.flatMap(by => [by, -by]).concat(0))] : [0];
    const minutes = new Set<number>();
    for (const minute of found) {
      for (const copy of this.#copies) {
        for (const shift of shifts) minutes.add((((minute + copy + shift) % MINUTES) + MINUTES) % MINUTES);
      }
    }
    return { minutes, shifts };
  }
}
