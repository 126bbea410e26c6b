import type { Interval } from '../due/due.ts';
import * as recipient from '../recipient/recipient.ts';
import type { Table } from '../table.store.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** A list and the column in which an automation finds the dates of its members. */
export type Dates = { list: string; column: string };

export type Page<D extends Dates> = { of: D; hour: Interval; rows: recipient.Trigger[] };

/**
 * All trigger rows of some columns, each once: in the order of the 24 hours from an instant on, of which the first and
 * the last are parts of one hour. Each minute of the day is in one of them.
 */
export async function* rowsByHour<D extends Dates>(
  table: Table,
  columns: D[],
  from: Date,
): AsyncGenerator<Page<D>> {
  for (const hour of hoursFrom(from)) {
    for (const of of columns) {
      const pages = recipient.triggersBetween(table, of.list, of.column, minutesOf(hour));
      for await (const rows of pages) yield { of, hour, rows };
    }
  }
}

/** The hours of one day, the first and the last of them cut off at the minute of the instant. */
export function hoursFrom(from: Date): Interval[] {
  const start = Math.floor(from.getTime() / MINUTE) * MINUTE;
  const hours: Interval[] = [];
  for (let at = start; at < start + 24 * HOUR; ) {
    const next = Math.min((Math.floor(at / HOUR) + 1) * HOUR, start + 24 * HOUR);
    hours.push({ from: new Date(at), until: new Date(next) });
    at = next;
  }
  return hours;
}

function minutesOf({ from, until }: Interval): [from: number, until: number] {
  const first = from.getUTCHours() * 60 + from.getUTCMinutes();
  return [first, first + (until.getTime() - from.getTime()) / MINUTE];
}
