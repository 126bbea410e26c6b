import type { Audience, AudienceRule, Operator } from '#shared/audience.ts';
import { INITIAL_SAFEGUARDS } from '#shared/safeguards.ts';
import { type MultipleSends, OCCURRENCES, WEEKDAYS, ZONES_OF } from '#shared/schedule.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/time.ts';
import { type Random, randomFrom } from '#test/simulation/random.ts';
import { remembered } from '#test/support/remembered.ts';
import type { Automation, Claim, List, Person, Switches, World } from './model.ts';

/** Days near which clocks change, days are missing or years end, and zones in which they do. */
const MOMENTS: [day: string, ...zones: string[]][] = [
  ['2026-03-29', 'Europe/Berlin', 'Asia/Beirut'],
  ['2026-10-25', 'Europe/Berlin', 'Asia/Beirut'],
  ['2026-03-08', 'America/New_York', 'America/Havana'],
  ['2026-11-01', 'America/New_York', 'America/Havana'],
  ['2026-04-05', 'Australia/Lord_Howe', 'Pacific/Auckland'],
  ['2026-10-04', 'Australia/Lord_Howe', 'Australia/Adelaide'],
  ['2026-04-24', 'Africa/Cairo', 'Asia/Kathmandu'],
  ['2026-10-30', 'Africa/Cairo', 'America/St_Johns'],
  ['2026-02-28', 'UTC', 'Pacific/Kiritimati'],
  ['2028-02-29', 'UTC', 'America/Los_Angeles'],
  ['2025-12-31', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'],
  ['2026-06-10', 'UTC', 'Asia/Kolkata'],
];
const TIMES = ['00:00', '00:30', '01:30', '02:00', '02:30', '06:00', '08:00', '12:00', '18:00', '23:59'];
const QUIET = ['22:00-07:00', '00:00-06:00', '02:00-03:00', '01:30-01:45', '12:00-00:30', '23:30-00:00'];
const ALWAYS: Switches = [{ at: '2020-01-01T00:00:00.000Z', on: true }];
const COLUMNS = ['date', 'start'];
/** Of yearly automations: another one would go each day of thirty years. */
const BIRTHDAY = 'birthday';
const LISTS = ['list1', 'list2', 'list3'];
const AUTOMATIONS = ['automation1', 'automation2', 'automation3'];

const isoOf = (instant: number) => new Date(instant).toISOString();
const startOfDay = (instant: number) => Math.floor(instant / DAY) * DAY;
const dayOf = (instant: number) => textOfDay(startOfDay(instant));
const textOfDay = remembered((day: number) => isoOf(day).slice(0, 10));

/** Small on purpose, so that its emails meet each other and the edges of everything. */
export function worldFrom(seed: number): World {
  const random = randomFrom(seed);
  const { between, chance, pick } = random;
  const [day, ...zones] = pick(MOMENTS);
  const zone = () => pick([...zones, 'UTC']);
  const times = Array.from({ length: 3 }, () => pick(TIMES));
  const from = Date.parse(day) - between(0, 2) * DAY + between(0, 3) * 6 * HOUR;
  const until = from + between(1, 3) * DAY;
  const instant = () =>
    startOfDay(from + between(0, 3) * DAY) + timeOf(pick(times)) + pick([0, 0, 30 * SECOND, MINUTE]);
  const some = <T>(least: number, most: number, of: () => T) =>
    Array.from({ length: between(least, most) }, of);
  const switchedAt = () => some(1, 3, instant).sort((a, b) => a - b);
  const switches = (): Switches =>
    chance(0.85)
      ? ALWAYS
      : [...ALWAYS, ...switchedAt().map((at, place) => ({ at: isoOf(at), on: place % 2 === 1 }))];
  const withExisting = (): Switches =>
    switchedAt().map((at, place) => ({
      at: isoOf(at),
      on: place % 2 === 0,
      ...(place === 0 && { withExisting: true }),
    }));

  const lists: List[] = LISTS.slice(0, between(1, 3)).map(id => ({
    id,
    zone: chance(0.4) ? zone() : null,
    hasKey: chance(0.95),
    switches: switches(),
  }));
  const automations = AUTOMATIONS.slice(0, between(1, 3)).map(id => ({
    ...randomAutomation(random, { times, from }),
    id,
    lists: lists.map(({ id }) => id).filter(() => chance(0.8)),
    switches: chance(0.25) ? withExisting() : switches(),
  }));

  const dateFor = (column: string | null) => {
    const starting = automations.filter(automation => automation.column === column);
    return aimedDate(random, pick(starting.length > 0 ? starting : automations.slice(0, 1)), {
      times,
      from,
      until,
    });
  };
  const people = ['ann@example.com', 'bob@example.com'].slice(0, between(1, 2)).map((email): Person => {
    const memberships = lists
      .filter(() => chance(0.8))
      .map(({ id }) => ({
        list: id,
        subscribed: chance(0.93),
        metadata: {
          ...Object.fromEntries(
            [...COLUMNS, BIRTHDAY].filter(() => chance(0.85)).map(column => [column, dateFor(column)]),
          ),
          ...(chance(0.3) ? { zone: pick([zone(), zone().toLowerCase(), 'Japan']) } : {}),
          ...(chance(0.6)
            ? { plan: pick<string | number | boolean>(['pro', ' Free ', '10', '010', 9.5, true, ' ']) }
            : {}),
        },
        added: isoOf(Date.parse(readable(dateFor(null))) || from),
        startNothing: chance(0.2) ? isoOf(from - between(-2, 9) * pick([DAY, 40 * DAY])) : null,
      }));
    return { email, suppressed: chance(0.03), memberships };
  });

  const claims = people.flatMap(({ email }) =>
    some(0, pick([0, 4]), (): Claim => {
      const before = pick([5 * MINUTE, HOUR, DAY, 7 * DAY, 3 * DAY, 0]) + pick([0, MINUTE, -MINUTE]);
      const at = Math.min(from, instant() - before);
      const key = {
        automation: pick(automations).id,
        day: dayOf(at + pick([0, 0, -DAY])),
        copy: pick([1, 1, 2]),
      };
      return { email, ...key, at: isoOf(at) };
    }),
  );

  return {
    zone: zone(),
    quiet: chance(0.4)
      ? some(1, 2, () => pick(QUIET)).map(hours => ({ from: hours.slice(0, 5), until: hours.slice(6) }))
      : [],
    safeguards: {
      ...INITIAL_SAFEGUARDS,
      enabled: chance(0.5),
      max_emails_5_minutes: between(1, 2),
      max_emails_1_hour: between(1, 3),
      max_emails_24_hours: between(1, 4),
      max_emails_1_week: between(1, 8),
    },
    switches: switches(),
    lists,
    automations,
    people,
    claims: claims.sort((a, b) => (a.at < b.at ? -1 : 1)),
    from: isoOf(from),
    until: isoOf(until),
  };
}

type Settings = Omit<Automation, 'id' | 'lists' | 'switches'>;

function randomAutomation(random: Random, { times, from }: { times: string[]; from: number }): Settings {
  const { between, chance, int, pick } = random;
  const repeat = pick(['days', 'days', 'once', 'yearly'] as const);
  const send_at = chance(0.5) ? pick(times) : null;
  const delay_days = repeat === 'yearly' ? pick([-30, -2, -1, 0, 0, 1, 365]) : pick([0, 0, 1, 2, 5]);
  const copies = OCCURRENCES.map(nth => ({ nth, count: pick([1, 1, 2, 3]) }));
  const flags = copies.flatMap(({ nth, count }) => [
    [`double_send_${nth}`, count === 2],
    [`triple_send_${nth}`, count === 3],
  ]);
  return {
    ...(Object.fromEntries(flags) as MultipleSends),
    column: repeat === 'yearly' ? BIRTHDAY : chance(0.8) ? pick(COLUMNS) : null,
    repeat,
    every_x_days: pick([1, 1, 2, 3, 7]),
    delay_days,
    delay_minutes: send_at === null && chance(0.3) ? pick([1, 90, 720, 1439]) : 0,
    stop_after_days: chance(0.25) ? delay_days + int(9) : null,
    send_at,
    time_zone_of: pick(send_at === null ? ['organization', 'list'] : ZONES_OF),
    days_off: chance(0.3) ? WEEKDAYS.filter(weekday => weekday !== 'wednesday' && chance(0.4)) : [],
    dates_off: chance(0.2)
      ? Array.from({ length: between(1, 6) }, () => dayOf(from + between(-2, 5) * DAY))
      : [],
    audience: chance(0.4) ? randomAudience(random, from) : null,
    hasContent: chance(0.97),
  };
}

/** A date by which an automation mails somebody in the stretch of time, or nearly; written in any form, or unreadable. */
function aimedDate(
  random: Random,
  automation: Settings,
  stretch: { times: string[]; from: number; until: number },
): string {
  const { between, chance, pick } = random;
  if (chance(0.04)) return pick(['soon', '10.06.2026']);
  const { repeat, delay_days, every_x_days } = automation;
  const back = delay_days + (repeat === 'days' ? pick([0, 0, 1, 1, 2, 3, 9]) * every_x_days : 0);
  const aimed = new Date(between(stretch.from, stretch.until) + pick([0, 0, -DAY, DAY]) - back * DAY);
  if (repeat === 'yearly') aimed.setUTCFullYear(aimed.getUTCFullYear() - pick([0, 1, 1, 2, 4, 30]));
  const day =
    repeat === 'yearly' && chance(0.2) ? `${aimed.getUTCFullYear() & ~3}-02-29` : dayOf(aimed.getTime());
  if (chance(0.35)) return day;
  return `${day}${pick(['T', ' '])}${pick(stretch.times)}${pick(['', 'Z', ':30Z', '+02:00', '-0930', '+14'])}`;
}

const readable = (date: string) => (date.length > 10 && !/Z|\+|-\d{4}$/.test(date) ? `${date}Z` : date);

function randomAudience(random: Random, from: number): Audience {
  const items = <T>(of: () => T) => Array.from({ length: random.between(1, 3) }, of);
  const group = <T>(of: T[]) => (random.chance(0.5) ? { all: of } : { any: of });
  const rule = () => randomRule(random, from);
  return group(items(() => (random.chance(0.2) ? group(items(rule)) : rule())));
}

function randomRule({ between, chance, pick }: Random, from: number): AudienceRule {
  const text = () => pick<AudienceRule['value']>(['PRO', 'free', 'r', '10.0', ' 9.50', 10, 9, true, '0']);
  const day = dayOf(from + between(-6, 3) * DAY);
  const dates = [day, `${day}T${pick(TIMES)}Z`, { days_ago: between(0, 7) }, { days_ahead: between(0, 3) }];
  const texts: Operator[] = ['is', 'is_not', 'contains', 'not_contains', 'starts_with'];
  const field = pick(['plan', 'plan', ...COLUMNS, 'nobody', '@added', '@email', '@list']);
  if (field === '@list') return { field, op: pick(['on', 'not_on'] as const), value: pick(LISTS) };
  if (field === '@email')
    return { field, op: pick(texts), value: pick(['ann', 'BOB@example.com', '@example']) };
  if (field === '@added' || (['date', 'start'].includes(field) && chance(0.8)))
    return { field, op: pick(['before', 'after'] as const), value: pick(dates) };
  const op = pick<Operator>([...texts, 'greater', 'less', 'set', 'not_set']);
  if (op === 'set' || op === 'not_set') return { field, op };
  return { field, op, value: op === 'greater' || op === 'less' ? pick([10, '9.5', 0]) : text() };
}

const timeOf = (time: string) => Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)) * MINUTE;
