import type { Item } from '#core/storage/table.store.ts';
import { clockIn, dateOf } from './clocks.ts';
import type { History } from './history.ts';
import {
  type Around,
  EARLIEST,
  hasTimes,
  hoursOf,
  isTimed,
  LONGEST_WAIT,
  memberZoneOf,
  type Slot,
  slotsFor,
  zoneAt,
  zonesEver,
} from './slots.ts';
import type { Change } from './table/store.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The last millisecond of a minute. */
const LAST = MINUTE - 1;
const CLOCKS_APART = 5_000;

/** An email that is due by the design. This is written independently of the code that decides the same. */
export type Owed = {
  organization: number;
  hash: string;
  list: string;
  automation: string;
  /** The minute in which it is due. */
  at: number;
  copy: number;
  /** How many days after the member's date it is due, apart from the time of day, days off and quiet hours. */
  days: number;
  /** When the first copy is sent. */
  first: number;
  /** `<automation>#<day of the first copy>#<copy>` */
  key: string;
  /** When the sweep had passed its minute. */
  sweptAt: number;
  /** When the member was stored, if they were due already at that time. */
  stored?: number;
  /** The day of the member's date, of an automation that mails once for each. */
  once?: string;
  /** Whether nothing it depends on has changed, from before it was due until it could not be sent any more. */
  isQuiet: boolean;
  /** Whether nothing it depends on has changed until the sweep found it. */
  isFound: boolean;
};

export type Due = Omit<Owed, 'isQuiet' | 'isFound' | 'sweptAt'>;
type Swept = Due & { sweptAt: number };

const NTH = ['first', 'second', 'third'];

/** All emails that are due within a span of time. */
export function owed(history: History, from: number, until: number): Owed[] {
  const members = Map.groupBy(history.versionsOf('R#', 'IN#'), ({ list_id }) => String(list_id));
  return history.versionsOf('ORG#', 'AUTO#').flatMap(automation =>
    (automation.email_list_ids as string[]).flatMap(list =>
      zonesEver(history, automation, list).flatMap(zone =>
        (members.get(list) ?? []).flatMap(member =>
          emailsOf(automation, list, member, from, until, aroundIn(history, automation, zone))
            .filter(
              ({ at }) =>
                [automation, member].every(
                  item => history.at(String(item.PK), String(item.SK), at + LAST) === item,
                ) && zoneAt(history, automation, list, at + LAST) === zone,
            )
            .map(one => judged(history, { ...one, sweptAt: sweptAt(history, one.organization, one.at) })),
        ),
      ),
    ),
  );
}

const aroundIn = (history: History, automation: Item, zone: string): Around => ({
  hours: hoursOf(history, Number(automation.organization_id)),
  zone,
});

/** The settings at an instant. Quiet hours have an instant of their own, from which they are in effect. */
export const aroundAt = (history: History, automation: Item, list: string, at: number): Around =>
  aroundIn(history, automation, zoneAt(history, automation, list, at));

/** Emails that had fallen due in the hour before the member got the date that they count from. */
export function newlyOwed(history: History, from: number, until: number): (Owed & { stored: number })[] {
  const changes = Map.groupBy(history.changesWithin('R#', 'IN#'), ({ key }) => key.SK.slice('IN#'.length));
  return history.versionsOf('ORG#', 'AUTO#').flatMap(automation =>
    (automation.email_list_ids as string[]).flatMap(list =>
      (changes.get(list) ?? [])
        .filter(change => change.at >= from && change.at < until && isNewDate(automation, change))
        .flatMap(({ at: stored, after }) =>
          emailsOf(
            ...([automation, list, after as Item, stored - HOUR, stored - LAST] as const),
            aroundAt(history, automation, list, stored),
          )
            .filter(({ at }) => history.at(String(automation.PK), String(automation.SK), at) === automation)
            .map(one => {
              const isLate = (PK: string) => PK === personOf(one);
              return { ...judged(history, { ...one, sweptAt: stored }, { at: stored, isLate }), stored };
            }),
        ),
    ),
  );
}

/** Emails that were due when something was on already, as it says itself, but not stored yet. */
export function owedBySwitched(history: History, from: number, until: number): Owed[] {
  const members = Map.groupBy(history.versionsOf('R#', 'IN#'), ({ list_id }) => String(list_id));
  const automations = history.versionsOf('ORG#', 'AUTO#');
  const switchedOn = ['META', 'LIST#', 'AUTO#']
    .flatMap(kind => history.changesWithin('ORG#', kind))
    .filter(({ before, after }) => after?.active === true && before?.active !== true);
  return switchedOn.flatMap(({ key: { PK, SK }, at: stored, after }) => {
    const since = Math.floor(Date.parse(String(after?.active_since)) / MINUTE) * MINUTE;
    // Leaves out items that were always on.
    if (!(since < stored - LAST)) return [];
    const isOf = (kind: string, id: string) => !SK.startsWith(kind) || SK === `${kind}${id}`;
    const swept = Math.floor((stored + CLOCKS_APART) / MINUTE) * MINUTE;
    return automations
      .filter(one => one.PK === PK && isOf('AUTO#', String(one.id)))
      .filter(one => history.at(PK, String(one.SK), stored) === one)
      .flatMap(automation =>
        (automation.email_list_ids as string[])
          .filter(list => isOf('LIST#', list))
          .flatMap(list => (members.get(list) ?? []).map(member => ({ list, member })))
          .flatMap(({ list, member }) =>
            emailsOf(
              ...([automation, list, member, Math.max(since, from), Math.min(stored - LAST, until)] as const),
              aroundAt(history, automation, list, stored),
            )
              .filter(({ at }) => history.at(String(member.PK), String(member.SK), at + LAST) === member)
              .map(one => ({ ...one, sweptAt: sweptAt(history, one.organization, swept) })),
          ),
      )
      .map(one => {
        const isLate = (...of: [string, string]) => of[0] === PK && of[1] === SK;
        return {
          ...one,
          isQuiet: false,
          isFound: isUnchanged(history, one, UNTIL_FOUND, { at: stored, isLate }),
        };
      });
  });
}

const personOf = ({ organization, hash }: Due) => `R#${organization}#${hash}`;

/** An item that was stored late, after emails that depend on it were due. */
type Stored = { at: number; isLate: (PK: string, SK: string) => boolean };

function judged(history: History, one: Swept, stored?: Stored): Owed {
  const isQuiet = isUnchanged(history, one, UNTIL_STALE, stored);
  return { ...one, isQuiet, isFound: isQuiet || isUnchanged(history, one, UNTIL_FOUND, stored) };
}

function isNewDate(automation: Item, { before, after }: Change): boolean {
  const dateIn = (item: Item | undefined) =>
    item?.status === 'subscribed' ? triggerOf(automation, item) : Number.NaN;
  const zoneIn = (item: Item | undefined) =>
    item && automation.time_zone_of === 'member' ? memberZoneOf(item) : undefined;
  return (
    !Number.isNaN(dateIn(after)) && (dateIn(after) !== dateIn(before) || zoneIn(after) !== zoneIn(before))
  );
}

/** The member's date, rounded to the minute. */
export const triggerOf = (automation: Item, member: Item): number =>
  Math.floor(Date.parse(dateText(automation, member)) / MINUTE) * MINUTE;

const dateText = ({ metadata_trigger: column }: Item, member: Item): string =>
  String(
    (column === null ? member.created_at : (member.metadata as Item | undefined)?.[String(column)]) ?? '',
  );

/** Since when a sequence owes its later steps to a member whose own first email would have been due before. */
export function begunFor(automation: Item, list: string, member: Item): string | undefined {
  const begun = (automation.begun as Record<string, Item> | undefined)?.[list];
  if (!begun) return undefined;
  const since = String(begun.since);
  const first = Number(begun.delay_days) * DAY + Number(begun.delay_minutes) * MINUTE;
  const isBefore = triggerOf(automation, member) + first < Math.floor(Date.parse(since) / MINUTE) * MINUTE;
  const after = (member.added_by as Item | undefined)?.starts_after;
  const isStarted =
    after === undefined || Date.parse(dateText(automation, member)) > Date.parse(String(after));
  return isBefore && isStarted && String(member.created_at) < since ? since : undefined;
}

/** The emails of a step that a sequence owes to a member from when it began, in place of those by their date. */
export function emailsSince(
  since: string,
  ...[automation, list, { added_by: _, ...member }, from, until, around]: Parameters<typeof emailsOf>
): Due[] {
  const { begun: __, ...plain } = automation;
  const begun = { ...member, created_at: since };
  return emailsOf({ ...plain, metadata_trigger: null }, list, begun, from, until, around);
}

/** The emails of an automation that are due for a member within a span of time, by a date of their own. */
export function emailsOf(
  automation: Item,
  list: string,
  member: Item,
  from: number,
  until: number,
  around: Around,
): Due[] {
  const trigger = triggerOf(automation, member);
  if (Number.isNaN(trigger) || begunFor(automation, list, member)) return [];
  const isPlain = !isTimed(automation, around);
  const slots = slotsFor(automation, member, around);
  const isDate = dateText(automation, member).length === 'yyyy-mm-dd'.length;
  const found: Due[] = [];
  const [, organization, hash] = String(member.PK).split('#');
  const id = String(automation.id);
  const once = automation.repeat === 'once' ? { once: dayIn(Date.parse(dateText(automation, member))) } : {};
  const minutes = Number(automation.delay_minutes ?? 0) * MINUTE;
  const earliest = from - minutes - (isPlain ? 12 * HOUR : LONGEST_WAIT);
  // A yearly email with a time of day goes on the local day of the date.
  const isLocal = automation.repeat === 'yearly' && Boolean(automation.send_at);
  const start = isLocal && !isDate ? Date.parse(slots.dateOf(trigger)) : trigger;
  // An import that starts nothing leaves out dates until then, and anniversaries.
  const after = (member.added_by as Item | undefined)?.starts_after;
  const isStarted = (days: number) => {
    const date = Date.parse(dateText(automation, member));
    const years = automation.repeat === 'yearly' ? (days - Number(automation.delay_days)) * DAY : 0;
    const counted = isLocal ? slots.beginOf(dayIn(start + years)) : date + years;
    return after === undefined || counted > Date.parse(String(after));
  };
  for (const { days, copies } of occurrencesOf(automation, start, earliest, until + EARLIEST)) {
    if (!isStarted(days)) continue;
    const due = start + days * DAY;
    const day = dayIn(due);
    const moved = due + minutes;
    const first: Slot = isPlain ? { at: moved, day } : slots.first(moved, isDate || isLocal, day);
    for (let copy = 1; copy <= copies; copy++) {
      const delay = (copy - 1) * 6 * HOUR;
      const at = copy === 1 || isPlain ? first.at + delay : slots.after(first, delay).at;
      const key = `${id}#${first.day}#${copy}`;
      const of = { organization: Number(organization), hash: String(hash), list, automation: id, ...once };
      found.push({ ...of, at, copy, days, first: first.at, key });
    }
  }
  return (isPlain ? found : newestOf(found)).filter(({ at }) => at >= from && at < until);
}

/** The day that an email counts for which goes at an instant. */
export function dayOfEmail(automation: Item, member: Item, { zone }: Around, at: number): string {
  const own = automation.time_zone_of === 'member' ? memberZoneOf(member) : undefined;
  if (hasTimes(automation)) return dateOf(clockIn(own ?? zone, at));
  return dayIn(at - Number(automation.delay_minutes ?? 0) * MINUTE);
}

const dayIn = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** The occurrences of a schedule: the days after the date, and the number of copies. */
function occurrencesOf(automation: Item, trigger: number, from: number, until: number) {
  const { repeat } = automation;
  const [delay, every, stop] = [
    automation.delay_days,
    automation.every_x_days,
    repeat === 'once' ? automation.delay_days : automation.stop_after_days,
  ].map(days => (days === null ? Number.POSITIVE_INFINITY : Number(days))) as [number, number, number];
  const earliest = delay < 0 ? 0 : 1;
  const daysOf = (k: number) =>
    repeat === 'yearly' ? delay + daysToAnniversary(trigger, earliest + k) : delay + k * every;
  const isOver = (days: number) => repeat !== 'yearly' && days > stop;
  const found: { days: number; copies: number }[] = [];
  for (let k = 0, days = daysOf(0); trigger + days * DAY < until && !isOver(days); days = daysOf(++k)) {
    if (trigger + days * DAY < from) continue;
    const nth = NTH[k];
    const copies =
      nth && automation[`triple_send_${nth}`] ? 3 : nth && automation[`double_send_${nth}`] ? 2 : 1;
    found.push({ days, copies });
  }
  return found;
}

/** 29 February counts on the 28th in other years. */
function daysToAnniversary(trigger: number, years: number): number {
  const [year = 0, month = 0, day = 0] = new Date(trigger).toISOString().split(/[-T]/).map(Number);
  const lastOfFebruary = new Date(Date.UTC(year + years, 2, 0)).getUTCDate();
  const onDay = month === 2 ? Math.min(day, lastOfFebruary) : day;
  return Date.UTC(year + years, month - 1, onDay) / DAY - Math.floor(trigger / DAY);
}

/** The newest occurrence of each day, with its copies. If several are in the same minute, only the last one. */
function newestOf(all: Due[]): Due[] {
  const dayOf = ({ key }: Due) => key.split('#')[1] ?? '';
  const newest = new Map(all.map(one => [dayOf(one), one.days]));
  const going = all.filter(one => newest.get(dayOf(one)) === one.days);
  const last = new Map(going.map(one => [one.at, one]));
  return going.filter(one => last.get(one.at) === one);
}

// Fields that do not affect what is due: those that the provider's responses change, and counters.
export const IGNORED =
  `connection paused_until second_paused_until failing sender_name name lists automations active_automations members hours
  hours_revision warm_up`.split(/\s+/);

/** When the sweep had passed a minute in an organization, which may be days later. */
function sweptAt(history: History, organization: number, minute: number): number {
  const known = passes.get(history) ?? new Map<number, Passes>();
  passes.set(history, known);
  const ofIt = known.get(organization) ?? passesOf(history, organization);
  known.set(organization, ofIt);
  const isPassed = ({ swept, from }: Pass) => swept >= minute && !(from <= minute);
  const at = ofIt.found.get(minute) ?? ofIt.all.find(isPassed)?.at ?? Number.MAX_SAFE_INTEGER / 2;
  ofIt.found.set(minute, at);
  return at;
}

/** The minute up to which all is swept, but for an organization that is behind from another one on. */
type Pass = { at: number; swept: number; from: number };
/** There may be a hundred thousand in a run. */
type Passes = { all: Pass[]; found: Map<number, number> };
const passes = new WeakMap<History, Map<number, Passes>>();

function passesOf(history: History, organization: number): Passes {
  const shard = `SWEEP#${String(Math.floor(organization / 1000)).padStart(6, '0')}`;
  const behind = `BEHIND#${organization}`;
  const instants = [...history.changesOf(shard, 'STATE'), ...history.changesOf(shard, behind)].map(
    ({ at }) => at,
  );
  const minuteAt = (SK: string, field: string, at: number) =>
    Date.parse(String(history.at(shard, SK, at)?.[field]));
  const all = [...new Set(instants)]
    .sort((a, b) => a - b)
    .map(at => ({ at, swept: minuteAt('STATE', 'swept_minute', at), from: minuteAt(behind, 'from', at) }));
  return { all, found: new Map() };
}

/** The span around an email in which nothing it depends on may change. A copy also depends on the first email. */
type Window = (one: Swept) => { from: number; to: number };
const UNTIL_STALE: Window = ({ at, first, sweptAt }) => ({
  from: Math.min(at - 12 * HOUR, first) - MINUTE,
  to: Math.max(at + 26 * HOUR, sweptAt + 2 * HOUR),
});
/** The sweep may not see changes of the last seconds before it reads. */
const UNTIL_FOUND: Window = ({ at, sweptAt }) => ({ from: at - MINUTE, to: sweptAt + 5_000 });

/** Whether all items that it depends on were on and did not change. */
function isUnchanged(history: History, one: Swept, window: Window, stored?: Stored): boolean {
  const { organization, list, automation, at } = one;
  const configuration = `ORG#${organization}`;
  const person = personOf(one);
  const { from, to } = window(one);
  const all: [string, string][] = [
    [configuration, 'META'],
    [configuration, `LIST#${list}`],
    [configuration, `AUTO#${automation}`],
    [person, `IN#${list}`],
    [person, 'HEAD'],
  ];
  const since = (PK: string, SK: string) => {
    if (stored?.isLate(PK, SK)) return stored.at + 1;
    const born = history.changesOf(PK, SK)[0]?.at ?? 0;
    // A person who is added in the minute of their date is due.
    return born <= at + LAST ? Math.max(from, born + 1) : from;
  };
  const ignored = (SK: string) => (SK === 'HEAD' ? ['email', 'GSI1PK', 'GSI1SK'] : IGNORED);
  if (all.some(([PK, SK]) => history.isChanged(PK, SK, since(PK, SK), to, ignored(SK)))) return false;
  const [meta, of, sender, member, head] = all.map(([PK, SK]) =>
    history.at(PK, SK, stored?.isLate(PK, SK) ? stored.at : at + LAST),
  );
  const isBefore = (instant: unknown) => instant === undefined || Date.parse(String(instant)) < at + MINUTE;
  return (
    meta?.active === true &&
    isBefore(meta.active_since) &&
    !meta.deleted_at &&
    of?.active === true &&
    isBefore(of.active_since) &&
    sender?.active === true &&
    isBefore(sender.active_since) &&
    member?.status === 'subscribed' &&
    !head?.suppression
  );
}
