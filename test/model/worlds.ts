import type { Audience, AudienceRule, Operator } from '#shared/audience.ts';
import { INITIAL_SAFEGUARDS } from '#shared/safeguards.ts';
import { type MultipleSends, OCCURRENCES, WEEKDAYS, ZONES_OF } from '#shared/schedule.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/time.ts';
import { type Random, randomFrom } from '#test/simulation/random.ts';
import { dayText as dayOf, isoOf, minuteOf, startOfDay, timeOf } from './clocks.ts';
import type { Automation, Begun, Broadcast, Claim, Event, List, Person, Switches, World } from './model.ts';
import { STEPS } from './warm-ups.ts';

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
const ZONES = [...new Set(MOMENTS.flatMap(([, ...zones]) => zones))];
const TIMES = '00:00 00:30 01:30 02:00 02:30 06:00 08:00 12:00 18:00 22:30 23:59'.split(' ');
const QUIET = ['22:00-07:00', '00:00-06:00', '02:00-03:00', '01:30-01:45', '12:00-00:30', '23:30-00:00'];
const ALWAYS: Switches = [{ at: '2020-01-01T00:00:00.000Z', on: true }];
const COLUMNS = ['date', 'start'];
/** Of yearly automations: another one would go each day of thirty years. */
const BIRTHDAY = 'birthday';
/** What happens to people by events. */
const ORDERED = 'ordered';
const AT_ONCE = { delay_days: 0, send_at: null, time_zone_of: 'list' };
const LISTS = ['list1', 'list2', 'list3'];
const BROADCASTS = ['B2broadcast1', 'B2broadcast2'];
const AUTOMATIONS = ['automation1', 'automation2', 'automation3'];
const TEXTS = ['pro', ' Free ', 'PRO', 'r', true, 'TRUE'];
const SEATS = ['9007199254740993', '9007199254740992', 10, '010', ' 10.0', 9.5, '9.50', '-3', -3, '-3.0', 0];

/** Small on purpose, so that its emails meet each other and the edges of everything. */
export function worldFrom(seed: number): World {
  const random = randomFrom(seed);
  const world = plainWorldFrom(random);
  if (random.chance(0.4)) beginSequence(world, random);
  if (random.chance(0.5)) addBroadcasts(world, random);
  if (random.chance(0.3)) addEvents(world, random);
  if (random.chance(0.35)) addWarmUps(world, random);
  if (random.chance(0.25)) addPauses(world, random);
  if (world.safeguards.order === 'value' && random.chance(0.5)) bringTogether(world, random);
  return world;
}

function plainWorldFrom(random: Random): World {
  const { between, chance, pick } = random;
  const [day, ...zones] = pick(MOMENTS);
  const zone = () => pick([...zones, 'UTC']);
  const times = Array.from({ length: 3 }, () => pick(TIMES));
  const from = Date.parse(day) - between(0, 2) * DAY + pick([between(0, 3) * 6 * HOUR, timeOf(pick(times))]);
  const until = from + between(1, 3) * DAY + pick([0, 0, MINUTE, -7 * HOUR]);
  const instant = () =>
    startOfDay(from + between(0, 3) * DAY) + timeOf(pick(times)) + pick([0, 0, 30 * SECOND, MINUTE]);
  const some = <T>(least: number, most: number, of: () => T) =>
    Array.from({ length: between(least, most) }, of);
  const flips = (first: boolean): Switches =>
    some(1, 3, instant)
      .sort((a, b) => a - b)
      .map((at, place) => ({ at: isoOf(at), on: (place % 2 === 0) === first }));
  const switches = () => (chance(0.85) ? ALWAYS : [...ALWAYS, ...flips(false)]);

  const lists: List[] = LISTS.slice(0, between(1, 3)).map(id => ({
    id,
    zone: chance(0.4) ? zone() : null,
    hasKey: chance(0.95),
    switches: switches(),
    warmUp: null,
  }));
  const automations = AUTOMATIONS.slice(0, between(1, 3)).map(id => {
    const switched = chance(0.15) ? flips(true) : switches();
    const passes = [...switched.slice(-3).map(({ at }) => at), isoOf(instant())].filter(() => chance(0.6));
    const isOn = (pass: string) => switched.findLast(({ at }) => at <= pass)?.on;
    return {
      ...randomAutomation(random, { times, from }),
      id,
      lists: lists.map(({ id }) => id).filter(() => chance(0.9)),
      switches: switched,
      passes: chance(0.5) ? passes.filter(isOn) : [],
      found: [],
      holdout: chance(0.15) ? 50 : 0,
    };
  });

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
      .map(({ id }) => {
        const added = isoOf(Date.parse(readable(dateFor(null))) || from);
        const imported = pick([
          added,
          isoOf(from - between(-2, 9) * pick([DAY, 40 * DAY])),
          isoOf(instant()),
        ]);
        const columns = [...COLUMNS, BIRTHDAY].map(column => [column, dateFor(column)]);
        const others = [
          ['zone', pick([zone(), zone().toLowerCase(), 'Japan'])],
          ['area', zone()],
          ['plan', pick([...TEXTS, ' ', ' '])],
          ['seats', pick([...SEATS, '1e1'])],
        ].filter(() => chance(0.5));
        return {
          list: id,
          subscribed: chance(0.93),
          metadata: Object.fromEntries([...columns.filter(() => chance(0.85)), ...others]),
          added,
          startNothing: chance(0.25) ? imported : null,
          events: [],
        };
      });
    return { email, suppressed: chance(0.03), memberships };
  });

  const order = chance(0.3) ? 'value' : 'least_recent';
  const shuffled = () => AUTOMATIONS.toSorted(() => (chance(0.5) ? 1 : -1));
  const claims = people.flatMap(({ email, memberships }) =>
    some(0, pick([0, 5]), (): Claim => {
      const before =
        pick([5 * MINUTE, HOUR, DAY, 7 * DAY, 8 * DAY, 3 * DAY, 0, 20 * MINUTE]) + pick([0, MINUTE, -MINUTE]);
      const at = Math.min(from, instant() - before);
      const automation = pick(automations);
      const [member] = memberships;
      const start = automation.column === null ? member?.added : member?.metadata[automation.column];
      const key = { automation: automation.id, day: dayOf(at + pick([0, 0, -DAY])), copy: pick([1, 1, 2]) };
      return {
        email,
        ...key,
        at: isoOf(at),
        isForExisting: chance(0.2),
        ...(chance(0.5) && { date: String(start).slice(0, 10) }),
      };
    }),
  );

  return {
    zone: zone(),
    quiet: chance(0.4)
      ? some(1, 2, () => pick(QUIET)).map(hours => ({ from: hours.slice(0, 5), until: hours.slice(6) }))
      : [],
    holdout: chance(0.1) ? 35 : 0,
    safeguards: {
      ...INITIAL_SAFEGUARDS,
      enabled: chance(0.5),
      max_emails_5_minutes: between(1, 2),
      max_emails_1_hour: between(1, 3),
      max_emails_24_hours: between(1, 4),
      max_emails_1_week: between(1, 8),
      order,
    },
    earners: Object.fromEntries(
      // Of some days there is nothing.
      [0, 1, 2, 3, 4].flatMap(days =>
        order === 'value' && chance(0.8)
          ? [[dayOf(from + days * DAY), shuffled().slice(0, between(0, 3))]]
          : [],
      ),
    ),
    switches: switches(),
    lists,
    automations,
    broadcasts: [],
    people,
    claims: claims.sort((a, b) => (a.at < b.at ? -1 : 1)),
    from: isoOf(from),
    until: isoOf(until),
  };
}

/** Their instants are near those of a switch, of a new member, or of the two ends of the world: there most can go wrong. */
function addBroadcasts(world: World, random: Random) {
  const { between, chance, pick } = random;
  const automation = pick(world.automations);
  const switches = [world, ...world.lists]
    .flatMap(one => one.switches)
    .filter(({ at }) => !ALWAYS.some(always => always.at === at));
  const added = world.people.flatMap(({ memberships }) => memberships.map(one => one.added));
  const near = [...switches.map(({ at }) => at), ...added].filter(
    at => Math.abs(Date.parse(at) - Date.parse(world.from)) < 4 * DAY,
  );
  const [from, until] = [Date.parse(world.from), Date.parse(world.until)];
  const within = () => startOfDay(between(from, until)) + timeOf(pick(TIMES));
  const instant = () =>
    pick([within, () => Date.parse(pick(near.length > 0 ? near : [world.from]))])() +
    pick([0, 0, MINUTE, -MINUTE, 30 * SECOND]);
  world.broadcasts = BROADCASTS.slice(0, between(1, 2)).map((id): Broadcast => {
    const at = instant();
    const kind = pick(['at', 'local_at', 'now'] as const);
    return {
      id,
      lists: world.lists.map(list => list.id).filter(() => chance(0.9)),
      audience: chance(0.4) ? randomAudience(random, { ...automation, column: null, from }) : null,
      hasContent: chance(0.95),
      at: kind === 'at' ? isoOf(at) : null,
      local_at: kind === 'local_at' ? isoOf(at).slice(0, 16) : null,
      // Ahead in every zone.
      scheduled: isoOf(kind === 'now' ? at : at - 2 * DAY - between(0, 3) * HOUR),
      rest: chance(0.6) ? isoOf(at + pick([1, 2, 20, 90, 540, 1_440, 2_879, 2_882]) * MINUTE) : null,
      cancelled: chance(0.15) ? isoOf(at + pick([0, 1, 2, 60, 600]) * MINUTE) : null,
    };
  });
  for (const { at, local_at, scheduled, rest } of world.broadcasts) {
    const switched = pick([world, ...world.lists]);
    if (rest === null || switched.switches !== ALWAYS || !chance(0.7)) continue;
    // Something is off in between.
    const instant = Date.parse(at ?? (local_at === null ? scheduled : `${local_at}Z`));
    const off = { at: isoOf(instant - pick([0, 1, 60, 600]) * MINUTE), on: false };
    const on = { at: isoOf(Date.parse(rest) - pick([0, 0, 1, -1]) * MINUTE), on: true };
    if (off.at < on.at) switched.switches = [...ALWAYS, off, on];
  }
  for (const { email } of world.people) {
    if (!chance(0.1)) continue;
    const { id, at, local_at, scheduled } = pick(world.broadcasts);
    const day = (local_at ?? at ?? scheduled).slice(0, 10);
    const before = isoOf(Math.min(from - HOUR, Date.parse(at ?? scheduled)));
    world.claims.push({ email, automation: id, day, copy: 1, at: before });
  }
  world.claims.sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** All automations become the steps of one sequence, which begins now for who was there, on some of its lists. */
function beginSequence(world: World, { between, chance, pick }: Random) {
  const [first, ...later] = world.automations;
  if (!first) return;
  const from = Date.parse(world.from);
  const none = Object.fromEntries(
    Object.keys(first)
      .filter(key => /_send_/.test(key))
      .map(key => [key, false]),
  );
  const { lists, column, audience, send_at, time_zone_of, days_off, holdout } = first;
  const shared = {
    holdout,
    lists,
    column,
    audience,
    send_at,
    time_zone_of,
    days_off,
    dates_off: [],
    ...none,
  };
  const delays = { delay_days: pick([0, 0, 1, 3]), delay_minutes: send_at === null ? pick([0, 0, 90]) : 0 };
  const began = (delay: number) =>
    isoOf(
      startOfDay(from + between(0, 2) * DAY - pick([0, delay]) * DAY) +
        timeOf(pick(TIMES)) +
        pick([0, 0, 20 * SECOND]),
    );
  const delayOf = (place: number) => delays.delay_days + place * pick([1, 1, 2, 5]);
  const steps = [first, ...later].map((step, place) => ({
    ...step,
    ...shared,
    ...(place === 0 ? delays : { delay_days: delayOf(place), delay_minutes: 0 }),
    repeat: 'once' as const,
    stop_after_days: null,
  }));
  // At one instant on all lists, or on each at its own: then the first step went before.
  const [since, isOne] = [began(pick(steps).delay_days), chance(0.7)];
  const begun: Record<string, Begun> = Object.fromEntries(
    lists.map(list => [list, { since: isOne ? since : began(pick(steps).delay_days), ...delays }]),
  );
  // Many begin around that instant, by a date or as they join.
  for (const member of world.people.flatMap(({ memberships }) => memberships)) {
    const before = between(0, 4) * DAY + pick([0, 0, MINUTE, HOUR, 12 * HOUR]);
    const date = isoOf(Date.parse(since) - before);
    if (column === null ? chance(0.4) : chance(0.1)) member.added = date;
    if (column !== null && chance(0.4)) member.metadata[column] = date;
    if (chance(0.1)) member.added = since;
  }
  const isOn = ({ switches }: Automation) => switches.findLast(({ at }) => at <= since)?.on === true;
  world.automations = steps.map((step, place) => {
    const passes = place === 0 && isOne && isOn(step) ? [since] : [];
    return { ...step, passes, begun: place === 0 ? {} : begun };
  });
}

/** So much of a day is used that what is left of it, or of half of it, meets the few people of a world. */
function addWarmUps(world: World, { between, chance, pick }: Random) {
  for (const list of world.lists) {
    if (chance(0.3)) continue;
    const steps = chance(0.5) ? [...STEPS] : pick([[1], [1, 2, 3], [2, 1, 9], [1, 1, 1], [3, 20]]);
    const step = between(0, steps.length - 1);
    const allowed = steps[step] ?? 0;
    const near = [
      allowed / 2 - between(0, 2),
      allowed * 0.95 - between(0, 2),
      allowed - between(0, 1),
      allowed - 1,
    ];
    const day = dayOf(Date.parse(world.from) - pick([0, 0, 0, DAY, 4 * DAY]));
    list.warmUp = { steps, step, day, sent: Math.max(0, Math.ceil(pick([0, ...near]))) };
  }
  // Many are due on each day, also at once.
  const [{ column, delay_days, delay_minutes, send_at, time_zone_of }] = [pick(world.automations)];
  if (chance(0.5)) world.safeguards.enabled = false;
  for (const automation of world.automations) {
    if (automation.begun || column === BIRTHDAY || delay_days < 0 || chance(0.4)) continue;
    const often = { repeat: 'days', every_x_days: 1, stop_after_days: null, audience: null };
    Object.assign(automation, often, { column, delay_days, delay_minutes, send_at, time_zone_of });
  }
  // Mostly early in the day, before its first pack.
  for (const { found } of world.automations) {
    const at = between(Date.parse(world.from), Date.parse(world.until));
    if (chance(0.3)) found.push(isoOf(pick([at, startOfDay(at), startOfDay(at) + DAY])));
  }
}

/** All go at the same minutes, and a limit leaves room for one. */
function bringTogether({ safeguards, automations: [first, ...others] }: World, { pick }: Random) {
  if (!first || first.begun) return;
  Object.assign(safeguards, { enabled: true, max_emails_5_minutes: pick([1, 1, 2]) });
  const { column, repeat, every_x_days, delay_days, delay_minutes, send_at, time_zone_of } = first;
  for (const one of others)
    Object.assign(one, { column, repeat, every_x_days, delay_days, delay_minutes, send_at, time_zone_of });
}

/** The guard pauses some, near to when something of them is due; mostly they are switched on again. */
function addPauses(world: World, { between, chance, pick }: Random) {
  const [from, until] = [Date.parse(world.from), Date.parse(world.until)];
  const instant = () =>
    startOfDay(between(from, until)) +
    timeOf(pick(TIMES)) +
    pick([0, MINUTE, 20 * SECOND, between(0, 9) * HOUR]);
  for (const automation of world.automations) {
    const at = isoOf(Math.max(from, instant()));
    const { switches } = automation;
    if (!chance(0.6) || switches.at(-1)?.on !== true || (switches.at(-1)?.at ?? '') >= at) continue;
    const again = isoOf(Date.parse(at) + pick([10 * SECOND, MINUTE, HOUR, 12 * HOUR, DAY, 9 * DAY]));
    automation.switches = [...switches, { at, on: false, byGuard: true }, { at: again, on: true }];
    if (chance(0.3)) automation.passes.push(again);
    automation.found.push(at);
  }
}

/** Half of the people have ordered before. What they order starts automations, mostly in the stretch of time. */
function addEvents(world: World, { between, chance, pick }: Random) {
  const [{ column: ofOne } = { column: null }] = [pick(world.automations)];
  const starting = world.automations.filter(({ column }) => column === ofOne);
  for (const automation of starting) {
    automation.column = ORDERED;
    if (chance(0.6)) automation.audience = null;
    if (!automation.begun && chance(0.7)) Object.assign(automation, AT_ONCE);
  }
  const [from, until] = [Date.parse(world.from), Date.parse(world.until)];
  for (const { memberships } of world.people) {
    for (const { metadata } of memberships) {
      const before = isoOf(from - between(0, (2 * DAY) / MINUTE) * MINUTE);
      if (chance(0.5))
        metadata[ORDERED] = pick([before, before.slice(0, 10), isoOf(between(from, until)), 'soon', '']);
    }
    // In quiet hours emails wait, and another event would come meanwhile.
    const count = world.quiet.length > 0 ? 1 : between(1, 3);
    const within = () => pick([from + pick([1, 3, 4, 6, 31, 61]) * MINUTE, between(from - HOUR, until)]);
    const calls = new Set(Array.from({ length: count }, () => minuteOf(within())));
    for (const minute of [...calls].sort((a, b) => a - b)) {
      const { delay_days, delay_minutes } = pick(starting);
      const came = minute + pick([0, 20 * SECOND, 40 * SECOND]);
      const delay = pick([0, 0, 0, delay_days * DAY + delay_minutes * MINUTE]);
      const at =
        came -
        delay -
        pick([0, 0, 1, 3, 4, 30, 30, 59, 60, 61, 90, -10, 1_500]) * MINUTE -
        pick([0, 0, 15 * SECOND]);
      const properties = pick<Event['properties']>([
        {},
        {},
        { zone: pick(ZONES) },
        { zone: pick(ZONES) },
        { plan: 'pro' },
      ]);
      const told = chance(0.7) ? memberships : memberships.slice(0, 1);
      for (const { events } of told)
        events.push({ came: isoOf(came), column: ORDERED, at: isoOf(at), properties });
    }
  }
}

type Settings = Omit<Automation, 'id' | 'lists' | 'switches' | 'passes' | 'found' | 'holdout'>;

function randomAutomation(random: Random, { times, from }: { times: string[]; from: number }): Settings {
  const { between, chance, pick } = random;
  const repeat = pick(['days', 'days', 'once', 'yearly'] as const);
  const send_at = chance(0.5) ? pick(times) : null;
  const delay_days = repeat === 'yearly' ? pick([-30, -2, -1, 0, 0, 1, 365]) : pick([0, 0, 1, 2, 5, 28, 366]);
  const column = repeat === 'yearly' && chance(0.7) ? BIRTHDAY : chance(0.8) ? pick(COLUMNS) : null;
  const copies = OCCURRENCES.map(nth => ({ nth, count: pick([1, 1, 2, 3]) }));
  const flags = copies.flatMap(({ nth, count }) => [
    [`double_send_${nth}`, count === 2],
    [`triple_send_${nth}`, count === 3],
  ]);
  return {
    ...(Object.fromEntries(flags) as MultipleSends),
    column,
    repeat,
    every_x_days: pick([1, 1, 2, 3, 7, 365]),
    delay_days,
    delay_minutes: send_at === null && chance(0.3) ? pick([1, 90, 720, 1439]) : 0,
    stop_after_days: chance(0.25) ? delay_days + between(-1, 8) : null,
    send_at,
    time_zone_of: pick(send_at === null ? ['organization', 'list'] : ZONES_OF),
    days_off: chance(0.3) ? WEEKDAYS.filter(weekday => weekday !== 'wednesday' && chance(0.4)) : [],
    dates_off: chance(0.2)
      ? Array.from({ length: between(1, 6) }, () => dayOf(from + between(-2, 5) * DAY))
      : [],
    audience: chance(0.5) ? randomAudience(random, { column, delay_days, from }) : null,
    hasContent: chance(0.95),
  };
}

/** A date by which an automation mails somebody in the stretch of time, or nearly; written in any form, or unreadable. */
function aimedDate(
  random: Random,
  automation: Settings,
  stretch: { times: string[]; from: number; until: number },
): string {
  const { between, chance, pick } = random;
  const { repeat, delay_days, every_x_days, column } = automation;
  const back = delay_days + (repeat === 'days' ? pick([0, 0, 1, 1, 2, 3, 9]) * every_x_days : 0);
  const aimed = new Date(between(stretch.from, stretch.until) + pick([0, 0, -DAY, DAY]) - back * DAY);
  if (repeat === 'yearly')
    aimed.setUTCFullYear(
      aimed.getUTCFullYear() - pick([0, 1, 1, ...(column === BIRTHDAY ? [2, 4, 30] : [])]),
    );
  const day =
    repeat === 'yearly' && chance(0.2) ? `${aimed.getUTCFullYear() & ~3}-02-29` : dayOf(aimed.getTime());
  if (chance(0.05))
    return pick(['soon', '10.06.2026', '2026-02-29', ` ${day}`, `${day}T24:00`, `${day}T06:00+15`]);
  if (chance(0.35)) return day;
  return `${day}${pick(['T', ' '])}${pick(stretch.times)}${pick(['', 'z', ':30.5Z', '+02:00', '-0930', '+14'])}`;
}

const readable = (date: string) => (date.length > 10 && !/z|\+|-\d{4}$/i.test(date) ? `${date}Z` : date);

/** What is known of an automation when its audience is drawn. */
type Known = Pick<Settings, 'column' | 'delay_days'> & { from: number };

function randomAudience(random: Random, known: Known): Audience {
  const items = <T>(of: () => T) => Array.from({ length: random.pick([1, 1, 2, 3]) }, of);
  const group = <T>(of: T[]) => (random.chance(0.5) ? { all: of } : { any: of });
  const rule = () => randomRule(random, known);
  return group(items(() => (random.chance(0.2) ? group(items(rule)) : rule())));
}

function randomRule({ between, chance, pick }: Random, known: Known): AudienceRule {
  const day = dayOf(known.from + between(-6, 3) * DAY);
  const time = `${day}${pick(['T', ' '])}${pick(TIMES)}${pick(['', ':30Z', '+02:00'])}`;
  const ago = pick([known.delay_days, known.delay_days, between(-3, 7)]);
  const dates = [day, time, ago < 0 ? { days_ahead: -ago } : { days_ago: ago }];
  const texts: Operator[] = ['is', 'is_not', 'contains', 'not_contains', 'starts_with'];
  const dated: Operator[] = ['before', 'after'];
  const own = known.column ?? '@added';
  const field = pick([
    'plan',
    'seats',
    own,
    own,
    ...COLUMNS,
    BIRTHDAY,
    'nobody',
    '@added',
    '@email',
    '@list',
  ]);
  if (field === '@list') return { field, op: pick(['on', 'not_on'] as const), value: pick(LISTS) };
  if (field === '@email')
    return { field, op: pick(texts), value: pick(['ann', 'BOB@example.com ', '@example', 'B']) };
  const isDate = field === '@added' || ([...COLUMNS, BIRTHDAY].includes(field) && chance(0.8));
  const op = pick<Operator>(isDate ? dated : [...texts, ...dated, 'greater', 'less', 'set', 'not_set']);
  if (op === 'set' || op === 'not_set') return { field, op };
  if (dated.includes(op)) return { field, op, value: pick(dates) };
  const isNumber = op === 'greater' || op === 'less' || field === 'seats';
  return { field, op, value: pick<AudienceRule['value']>(isNumber ? SEATS : [...TEXTS, day]) };
}
