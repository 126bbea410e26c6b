import { quietMinutes, type SendingHours } from '#shared/sending-hours.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import { type Zone, zoneNamed } from './zone.ts';

type Hours = SendingHours & { since: string };

export type OrganizationTimes = { time_zone?: string; hours?: Hours[] };

/** Current and past quiet hours. Emails that fall due within them wait until they end. */
export class Quiet {
  readonly #hours: { since: number; zone: Zone; left: number[] }[];

  constructor(hours: Hours[]) {
    this.#hours = hours
      .toReversed()
      .map(({ since, time_zone, quiet_hours }) => ({
        since: Date.parse(since),
        zone: zoneNamed(time_zone),
        left: minutesLeft(quietMinutes(quiet_hours)),
      }));
  }

  isQuiet(minute: number): boolean {
    return this.#leftAt(minute) > 0;
  }

  /** The first minute, from a given one on, that is not quiet. */
  endOf(minute: number): number {
    let end = minute;
    for (let left = this.#leftAt(end); left > 0; left = this.#leftAt(end)) end += left;
    return end;
  }

  /** If clocks or hours change before the end, only a minute is certain. */
  #leftAt(minute: number): number {
    const hoursAt = (instant: number) => this.#hours.find(({ since }) => since <= instant);
    const hours = hoursAt(minute);
    const local = hours?.zone.localTime(minute) ?? 0;
    const left = (hours?.left[Math.floor((local % DAY) / MINUTE)] ?? 0) * MINUTE;
    const isSteady =
      hours === hoursAt(minute + left) && hours?.zone.localTime(minute + left) === local + left;
    return isSteady ? left : Math.min(left, MINUTE);
  }
}

/** How long it is quiet from each minute of the day on. */
function minutesLeft(quiet: boolean[]): number[] {
  const left = quiet.map(() => 0);
  for (let minute = 2 * quiet.length - 1; minute >= 0; minute--) {
    const [at, next] = [minute % quiet.length, (minute + 1) % quiet.length];
    left[at] = quiet[at] ? (left[next] ?? 0) + 1 : 0;
  }
  return left;
}

const quiets = new WeakMap<Hours[], Quiet>();

/** Undefined if the organization never had any. */
export function quietOf(organization: OrganizationTimes | undefined): Quiet | undefined {
  const hours = organization?.hours;
  if (!hours?.some(({ quiet_hours }) => quiet_hours.length > 0)) return undefined;
  const known = quiets.get(hours) ?? new Quiet(hours);
  quiets.set(hours, known);
  return known;
}
