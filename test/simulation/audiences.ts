import type { Item } from '#core/storage/table.store.ts';
import type { Audience, AudienceRule } from '#shared/audience.ts';
import { clockIn, dateAfter, dateOf, firstMinuteAt, timeOf } from './clocks.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import { aroundAt, emailsOf } from './reference.ts';
import { memberZoneOf, zoneFor } from './slots.ts';
import { automationKey, isBroadcast } from './stored.ts';

// Who matches is written here independently of the code that decides it.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Metadata that conditions are about. */
export const traits = (random: Random): Record<string, string> => ({
  ...(random.chance(0.8) && { plan: random.pick(['pro', ' Pro', 'free', 'probation', ' ']) }),
  ...(random.chance(0.8) && { seats: random.pick(['3', '5.0', '10', '-2.5', 'many']) }),
  ...(random.chance(0.3) && { converted_at: random.pick(['yes', '2030-01-01']) }),
});

export const noTraits = { plan: null, seats: null, converted_at: null };

/** `columns`: those with dates. */
export function newAudience(random: Random, lists: string[], columns: string[], now: Date): Audience {
  const day = (days: number) => new Date(now.getTime() + days * DAY).toISOString();
  const date = () => {
    const days = random.between(-3, 1);
    return random.pick([
      day(days).slice(0, 10),
      `${day(days).slice(0, 19)}Z`,
      { days_ago: random.int(4) },
      { days_ahead: random.int(3) },
    ]);
  };
  const rule = (): AudienceRule => {
    const dated = random.pick([...columns, '@added']);
    const [field, op, value] = random.pick<[string, AudienceRule['op'], AudienceRule['value']?]>([
      ['plan', 'is', random.pick(['PRO', 'free'])],
      ['seats', 'is', random.pick([3, '5'])],
      ['plan', 'is_not', random.pick(['pro', 'FREE'])],
      ['seats', 'is_not', random.pick([10, '5'])],
      ['plan', 'contains', random.pick(['RO', 'bat'])],
      ['plan', 'not_contains', random.pick(['ro', 'ee'])],
      ['plan', 'starts_with', random.pick(['Pro', 'f', ' p'])],
      ['seats', 'greater', random.pick([3, '4.5'])],
      ['seats', 'less', random.pick([5, '-1'])],
      [random.pick(['plan', 'converted_at']), 'set'],
      [random.pick(['plan', 'converted_at']), 'not_set'],
      [dated, 'before', date()],
      [dated, 'after', date()],
      [dated, random.pick(['before', 'after'] as const), date()],
      ['seats', random.pick(['greater', 'less'] as const), random.pick([3, 5, 10])],
      ['@email', random.pick(['contains', 'not_contains'] as const), random.pick(['1', '2@'])],
      ['@list', 'on', random.pick(lists)],
      ['@list', 'not_on', random.pick(lists)],
    ]);
    return value === undefined ? { field, op } : { field, op, value };
  };
  const rules = (most: number) => Array.from({ length: random.between(1, most) }, rule);
  const nested = random.chance(0.3) ? [random.chance(0.5) ? { all: rules(2) } : { any: rules(2) }] : [];
  const items = [...rules(2), ...nested];
  return random.chance(0.5) ? { all: items } : { any: items };
}

type Facts = { member: Item; isOn: (list: string) => boolean; zone: string; due: number };

function matches(item: AudienceRule | Audience, facts: Facts): boolean {
  if ('all' in item) return item.all.every(part => matches(part, facts));
  if ('any' in item) return item.any.some(part => matches(part, facts));
  const { field, op, value: to } = item;
  const { member, isOn, zone, due } = facts;
  if (op === 'on' || op === 'not_on') return isOn(String(to)) === (op === 'on');
  const own = { '@email': member.email, '@added': member.created_at }[field];
  const raw = own ?? (member.metadata as Item)[field];
  const [mine, theirs] = [raw ?? '', to].map(text => String(text).toLowerCase().trim()) as [string, string];
  const isMissing = mine === '';
  const numbers = [mine, theirs].map(part => (/^-?\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN));
  const [number, other] = numbers as [number, number];
  const isNumeric = !numbers.some(Number.isNaN);
  switch (op) {
    case 'set':
      return !isMissing;
    case 'not_set':
      return isMissing;
    case 'is':
      return !isMissing && (isNumeric ? number === other : mine === theirs);
    case 'is_not':
      return isMissing || (isNumeric ? number !== other : mine !== theirs);
    case 'contains':
      return !isMissing && mine.includes(theirs);
    case 'not_contains':
      return isMissing || !mine.includes(theirs);
    case 'starts_with':
      return !isMissing && mine.startsWith(theirs);
    case 'greater':
      return isNumeric && number > other;
    case 'less':
      return isNumeric && number < other;
    default: {
      const at = instantOf(String(raw ?? ''), zone);
      const [from, until] = span(to, zone, due);
      return op === 'before' ? at < from : at >= until;
    }
  }
}

const isDate = (text: string) => text.length === 'yyyy-mm-dd'.length;

const instantOf = (text: string, zone: string): number => {
  if (!/^\d{4}-/.test(text)) return Number.NaN;
  return isDate(text) ? firstMinuteAt(zone, text, '00:00') : Math.floor(Date.parse(text) / SECOND) * SECOND;
};

/** What is earlier than the first is before it, and what is not earlier than the second after it. */
function span(to: AudienceRule['value'], zone: string, due: number): [number, number] {
  if (typeof to !== 'object') {
    const from = instantOf(String(to), zone);
    return [from, isDate(String(to)) ? firstMinuteAt(zone, dateAfter(String(to)), '00:00') : from + 1];
  }
  const days = 'days_ago' in to ? -to.days_ago : to.days_ahead;
  const clock = clockIn(zone, due);
  const date = new Date(Date.parse(dateOf(clock)) + days * DAY).toISOString().slice(0, 10);
  const from = firstMinuteAt(zone, date, timeOf(clock));
  return [from, from + 1];
}

const audienceText = (automation: Item | undefined) => JSON.stringify(automation?.audience ?? null);

export type Email = { organization: number; hash: string; list: string; automation: string };

/**
 * Whether a member matched for an email that was due at an instant, whenever it was decided within a span of time; undefined
 * if something changed in this span that matters.
 */
export function decidedAs(
  history: History,
  { organization, hash, list, automation: id }: Email,
  due: number,
  [from, to]: [from: number, to: number],
): boolean | undefined {
  const [configuration, person] = [`ORG#${organization}`, `R#${organization}#${hash}`];
  const versions = history.during(configuration, automationKey(id), from, to);
  const members = history.during(person, `IN#${list}`, from, to);
  // Whether an import has added them that starts nothing, apart from broadcasts.
  const isMarked =
    !isBroadcast(id) && members.some(version => (version?.added_by as Item | undefined)?.starts_after);
  if (!isMarked && versions.every(version => !version?.audience)) return true;
  const [[automation], [member]] = [versions, members];
  const isEdited = isBroadcast(id) ? new Set(versions.map(audienceText)).size > 1 : versions.length > 1;
  if (isEdited || !automation || !member || member.status === 'left') return undefined;
  const audience = (automation.audience ?? { all: [] }) as Audience;
  const named = JSON.stringify(audience).match(/\b[a-z0-9]{12}\b/g) ?? [];
  const isChanged =
    [list, ...named].some(of => history.isChanged(person, `IN#${of}`, from, to)) ||
    ['META', `LIST#${list}`].some(SK => {
      const zones = history.during(configuration, SK, from, to).map(version => version?.time_zone);
      return new Set(zones).size > 1;
    });
  if (isChanged) return undefined;
  const around = aroundAt(history, automation, list, from);
  if (isMarked && emailsOf(automation, list, member, due, due + MINUTE, around).length === 0) return false;
  const isOn = (of: string) =>
    ['subscribed', 'unsubscribed'].includes(String(history.at(person, `IN#${of}`, from)?.status));
  const own = automation.time_zone_of === 'member' ? memberZoneOf(member) : undefined;
  const zone = own ?? zoneFor(history, automation, list, from);
  return matches(audience, { member, isOn, zone, due });
}
