const MINUTE = 60 * 1000;
const QUARTER = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const MOST_KNOWN = 300_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const shown = new Map<string, Map<number, string>>();
let known = 0;

/**
 * The local time in a zone at an instant, as text that sorts: `2030-03-31 03:00`. The offset of a zone changes only at full
 * quarters of an hour.
 */
export function clockIn(zone: string, instant: number): string {
  const quarter = Math.floor(instant / QUARTER) * QUARTER;
  const text = atQuarter(zone, quarter);
  const minutes = Math.floor((instant - quarter) / MINUTE);
  return minutes === 0 ? text : `${text.slice(0, 14)}${two(Number(text.slice(14)) + minutes)}`;
}

const two = (part: number) => String(part).padStart(2, '0');

function atQuarter(zone: string, quarter: number): string {
  const ofZone = shown.get(zone) ?? new Map<number, string>();
  shown.set(zone, ofZone);
  const text = ofZone.get(quarter) ?? formatOf(zone).format(quarter);
  if (!ofZone.has(quarter)) known++;
  ofZone.set(quarter, text);
  if (known > MOST_KNOWN) {
    shown.clear();
    known = 0;
  }
  return text;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  return format;
}

export const dateOf = (clock: string) => clock.slice(0, 10);
export const timeOf = (clock: string) => clock.slice(11);
export const dateAfter = (date: string) => new Date(Date.parse(date) + DAY).toISOString().slice(0, 10);

const firsts = new Map<string, number>();
/** No zone is further ahead of UTC. */
const FURTHEST = 15 * 60 * MINUTE;

/** The first minute in which the clock of a zone shows this time on this date, or a later time if the clock skips it. */
export function firstMinuteAt(zone: string, date: string, time: string): number {
  const wanted = `${date} ${time}`;
  const name = `${zone} ${wanted}`;
  const found = firsts.get(name) ?? walkTo(zone, wanted, Date.parse(`${date}T${time}Z`) - FURTHEST);
  if (firsts.size > MOST_KNOWN) firsts.clear();
  firsts.set(name, found);
  return found;
}

function walkTo(zone: string, wanted: string, from: number): number {
  let at = Math.floor(from / QUARTER) * QUARTER;
  while (clockIn(zone, at + QUARTER - MINUTE) < wanted) at += QUARTER;
  while (clockIn(zone, at) < wanted) at += MINUTE;
  return at;
}

/** How far the clock of a zone is ahead of UTC. */
export const offsetOf = (zone: string, instant: number): number =>
  Date.parse(`${clockIn(zone, instant).replace(' ', 'T')}Z`) - Math.floor(instant / MINUTE) * MINUTE;
