import type { Tried } from '#core/list/member-import/member-import.ts';
import { BACKFILL } from '#core/timeouts.ts';
import type { ImportForecast, ImportSample } from '#shared/member-import.ts';
import { datetimesOf } from '#shared/metadata.ts';
import type { Sampled } from '#shared/simulation.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { isSent, type Needs, nameOf, predict, readState, sourcesOf } from './predict.ts';

const DAYS = 30;

/** The emails that would not be sent without an import, by a sample of its rows; as if all were stored now. */
export async function ofImport(
  needs: Needs,
  organizationId: number,
  tried: Tried[],
  { rows, of: ofAll }: Pick<ImportSample, 'rows' | 'of'>,
): Promise<ImportForecast> {
  const before = await readState(needs.table, organizationId);
  const isMailed = sourcesOf(before).some(({ list }) => list === tried[0]?.after.list_id);
  const members = new Map(tried.map(({ hash, after }) => [hash, after]));
  const dated = new Set(tried.filter(isNewlyDated).map(({ hash }) => hash));
  // The minute that has begun is swept when it has ended. With a new date, a member also gets what was due within the last hour.
  const from = startOfMinute(needs.now.getTime());
  const interval = { from: new Date(from - BACKFILL), until: new Date(from + DAYS * DAY) };
  const byAutomation = new Map<string, { day: number; all: number }>();
  const people = new Set(members.keys());
  // Rows that change nothing by now lead to nothing.
  const of = Math.round((ofAll * people.size) / rows.length);
  const question = { states: [before, { ...before, members }], interval, people, of };
  const { scaled, sampled } = await predict(needs, question, ([without = [], having = []], { hash }) => {
    const known = new Set(without.filter(isSent).map(nameOf));
    const more = having
      .filter(isSent)
      .filter(email => !known.has(nameOf(email)) && (email.due >= from || dated.has(hash)));
    for (const { automation, due } of more) {
      const count = byAutomation.get(automation) ?? { day: 0, all: 0 };
      byAutomation.set(automation, count);
      count.all++;
      if (due < from + DAY) count.day++;
    }
    return more.length;
  });
  const automations = [...byAutomation].map(([id, { day, all }]) => ({
    id,
    name: before.automations.get(id)?.name ?? '',
    next_24_hours: scaled(day),
    next_30_days: scaled(all),
  }));
  const sum = (field: 'next_24_hours' | 'next_30_days') =>
    automations.reduce((total, automation) => total + automation[field], 0);
  return {
    next_24_hours: sum('next_24_hours'),
    next_30_days: sum('next_30_days'),
    automations: automations.sort((a, b) => b.next_30_days - a.next_30_days || (a.name < b.name ? -1 : 1)),
    sampled: isMailed ? withLeastMargin(sampled, sum('next_30_days')) : null,
  };
}

/** Where nobody of a sample gets an email, up to three of as many people may (95 percent). */
const withLeastMargin = (sampled: Sampled | null, emails: number): Sampled | null =>
  sampled && emails === 0
    ? { ...sampled, margin: Math.ceil((3 * sampled.of) / Math.max(1, sampled.people)) }
    : sampled;

/** As those that the stream gives to the backfill. */
function isNewlyDated({ before, after }: Tried): boolean {
  const dates = ({ metadata }: Pick<Tried['after'], 'metadata'>) =>
    JSON.stringify([timeZoneOf(metadata), datetimesOf(metadata)]);
  return before?.status !== 'subscribed' || dates(before) !== dates(after);
}
