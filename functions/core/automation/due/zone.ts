import { DAY, MINUTE, SECOND } from '#shared/time.ts';

/** A local date, in days since 1970-01-01. */
export type Day = number;

export const dayOf = (localTime: number): Day => Math.floor(localTime / DAY);

/** The UTC offsets within a UTC day, before and after the instant at which the clocks are changed. */
type Offsets = { before: number; after: number; changed: number };

const MOST_DAYS = 10_000;

/** The local time of a time zone, in milliseconds as if it were UTC. */
export class Zone {
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, Offsets>();

  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  localTime(instant: number): number {
    return instant + this.#offset(instant);
  }

  /** The first instant at which clocks show a time of day. If they skip it, the next time that they show. */
  instantOf(day: Day, minute: number): number {
    const wanted = day * DAY + minute * MINUTE;
    const offsets = [this.#offset(wanted - DAY), this.#offset(wanted + DAY)];
    const earliest = wanted - Math.max(...offsets);
    const latest = wanted - Math.min(...offsets);
    for (const instant of [earliest, latest]) if (this.localTime(instant) === wanted) return instant;
    return firstMinute(earliest, latest, instant => this.localTime(instant) >= wanted);
  }

  #offset(instant: number): number {
    const { before, after, changed } = this.#offsetsOn(Math.floor(instant / DAY));
    return instant < changed ? before : after;
  }

  #offsetsOn(day: number): Offsets {
    const known = this.#offsets.get(day);
    if (known) return known;
    if (this.#offsets.size >= MOST_DAYS) this.#offsets.clear();
    const [begin, end] = [day * DAY, (day + 1) * DAY];
    const [before, after] = [this.#read(begin), this.#read(end)];
    const changed =
      before === after ? end : firstMinute(begin, end, instant => this.#read(instant) === after);
    const offsets = { before, after, changed };
    this.#offsets.set(day, offsets);
    return offsets;
  }

  #read(instant: number): number {
    const parts = new Map(
      this.#format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
    );
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = PARTS.map(part =>
      parts.get(part),
    );
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / SECOND) * SECOND;
  }
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

function firstMinute(from: number, until: number, holds: (instant: number) => boolean): number {
  let [before, after] = [from, until];
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}

const zones = new Map<string, Zone>();

export function zoneNamed(name: string): Zone {
  const zone = zones.get(name) ?? new Zone(name);
  zones.set(name, zone);
  return zone;
}
