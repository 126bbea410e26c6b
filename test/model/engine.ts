import { resumed, type StoredAutomation } from '#core/automation/automation.store.ts';
import {
  dueOccurrences,
  fixedOccurrences,
  fixedTrigger,
  hasFixedTrigger,
  type Occurrence,
  rulesFor,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import { isBroadcast } from '#core/id.ts';
import { withEvent } from '#core/list/event/event.ts';
import type { StoredList } from '#core/list/list.store.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import type { Person } from '#core/recipient/claim.ts';
import type { Claim } from '#core/recipient/journal.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { Refusal } from '#core/refusal.ts';
import { dueItems } from '#core/sending/backfill.ts';
import { scheduleOf } from '#core/sending/broadcast.ts';
import { decide, dueAlready } from '#core/sending/claim/decide.ts';
import type { State } from '#core/sending/forecast/predict.ts';
import { type Due, instantOf, minuteOf, type PackSource } from '#core/sending/pack.ts';
import { blockedBy, endOfQuiet, quietUntil } from '#core/sending/state.ts';
import { daysLater, heldAt, isUsedUp } from '#core/sending/warm-up-shares.ts';
import { isResumable } from '#shared/broadcast-state.ts';
import { DAY, MINUTE, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { leftOf, type WarmUp, warmUpAt } from '#shared/warm-up.ts';
import { remembered } from '#test/support/remembered.ts';
import { isoOf } from './clocks.ts';
import type { Decision, Event, Person as ModelPerson, Switches, World } from './model.ts';

const ORIGIN = '2000-01-01T00:00:00.000Z';
const DAYS = [0, 1, 2, 3, 4];

/** What the engine decides for a world of the model: of what its due rule finds, minute by minute, as a sender does. */
export function engineDecisions(world: World): Decision[] {
  const [state, sources] = [stateOf(world), sourcesOf(world)];
  const { organization, lists, automations } = state(Date.parse(world.from));
  const rules = sources.map(({ list, automation }) => {
    const stored = { ...(automations.get(automation) as StoredAutomation), active_since: undefined };
    return rulesFor(stored, { organization, list: lists.get(list) });
  });
  const stored = { world, state, sources, rules };
  const packs = world.people.flatMap(person =>
    versionsOf(person).flatMap(version =>
      [...packsOf(version, stored), ...latePacks(person, version, stored)].map(pack => ({ ...pack, person })),
    ),
  );
  const journals = new Map(world.people.map(({ email }) => [email, journalOf(email, world)]));
  const warmUps = warmUpsIn(world);
  const going = goingIn(stored, warmUps);
  const byName = [...Map.groupBy(packs, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  const decisions = byName.flatMap(([, packs]) => {
    packs.forEach(going.look);
    return packs.flatMap(pack => {
      const claims = journals.get(pack.person.email) ?? [];
      const nameOf = ({ source }: Found) => `${sources[source]?.automation}#${sources[source]?.list}`;
      const sorted = pack.found.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
      // What passes find are packs of their own.
      const parts = pack.found[0]?.days === undefined ? [pack.found] : sorted.map(one => [one]);
      return parts.flatMap(part => {
        const found = part.filter(one => going.isGoing(one, pack));
        return decisionsFor({ ...pack, found }, claims, stored, warmUps);
      });
    });
  });
  // A sender that finds no content stops a broadcast.
  const isEmpty = ({ automation, result }: Decision) => isBroadcast(automation) && result === 'no_content';
  const emptied = decisions.filter(isEmpty);
  return decisions.filter(
    one =>
      !isEmpty(one) &&
      !emptied.some(({ automation, minute }) => automation === one.automation && minute < one.minute),
  );
}

/**
 * A pass or a sender that finds something of a broadcast off stops it, on all its lists. Then it may be sent to the rest. It waits
 * where its list has used up a day.
 */
function goingIn({ world, state, sources }: Stored, warmUps: ReturnType<typeof warmUpsIn>) {
  const nameOf = ({ automation, existing }: PackSource) => `${automation} ${existing}`;
  const [stops, waits, begun] = [new Map<string, number>(), new Map<number, number>(), new Set<string>()];
  const broadcastOf = (source: PackSource | undefined) =>
    world.broadcasts.find(({ id }) => id === source?.automation);
  const isNext = ({ source, days = 0 }: Found) => days === (waits.get(source) ?? 0);
  return {
    look({ at, found }: Pack) {
      const now = new Date(at + MINUTE);
      for (const source of found.filter(isNext).flatMap(({ source }) => sources[source] ?? [])) {
        const { automation } = source;
        const named = broadcastOf(source)?.lists ?? [];
        const lists = named.filter(list => world.lists.some(({ id }) => id === list));
        const isOff = lists.some(list => blockedBy(state(now.getTime()), { list, automation }, now));
        if (isOff && !stops.has(nameOf(source))) stops.set(nameOf(source), now.getTime());
      }
    },
    isGoing(found: Found, { at }: Pack): boolean {
      const [source, now] = [sources[found.source], new Date(at + MINUTE)];
      const broadcast = broadcastOf(source);
      if (!source || !broadcast) return true;
      if (stops.has(nameOf(source)) || !isNext(found)) return false;
      if (source.existing === broadcast.rest) {
        const stop = stops.get(nameOf({ ...source, existing: broadcast.scheduled }));
        const rest = new Date(broadcast.rest);
        if (stop === undefined || !broadcast.hasContent || rest.getTime() < stop) return false;
        const stopped = { at: isoOf(stop) };
        const progress = { status: 'stopped', stopped } as Parameters<typeof isResumable>[0];
        if (!isResumable(progress, rest)) return false;
      }
      const warmUp = warmUps.at(source.list, now.getTime());
      const page = `${found.source} ${at}`;
      if (warmUp && (begun.has(page) ? leftOf(warmUp) === 0 : isUsedUp(warmUp, now))) {
        const { days = 0, occurrence } = found;
        waits.set(found.source, days + daysLater(occurrence.at.getTime() + days * DAY, now));
        return false;
      }
      begun.add(page);
      return true;
    },
  };
}

/** What is stored of the lists in warm-up, as reservations and the guard change it. */
function warmUpsIn({ lists, automations }: World) {
  const stored = new Map(
    lists.map(({ id, warmUp }) => [id, warmUp ? { since: ORIGIN, ...warmUp } : undefined]),
  );
  const left = automations
    .flatMap(({ lists, found }) => found.map(at => ({ lists, at })))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  function at(list: string, instant: number): WarmUp | undefined {
    while (left[0] && Date.parse(left[0].at) <= instant) {
      const { lists, at } = left.shift() as (typeof left)[0];
      for (const id of lists) {
        const before = stored.get(id);
        if (before) stored.set(id, heldAt(before, new Date(at)));
      }
    }
    const now = warmUpAt(stored.get(list), new Date(instant));
    stored.set(list, now);
    return now;
  }
  return {
    at,
    use(list: string, instant: number): void {
      const now = at(list, instant);
      if (now) stored.set(list, { ...now, sent: now.sent + 1 });
    },
  };
}

type Stored = {
  world: World;
  state: (instant: number) => State;
  sources: PackSource[];
  rules: ReturnType<typeof rulesFor>[];
};

type Memberships = Map<string, Membership>;
/** What is stored of a person from the minute of an event on. */
type Version = { since: number; until: number; memberships: Memberships; before: Memberships };

function versionsOf({ email, memberships }: ModelPerson): Version[] {
  const cameIn = ({ came }: Event) => startOfMinute(Date.parse(came));
  const minutes = [...new Set(memberships.flatMap(({ events }) => events.map(cameIn)))].sort((a, b) => a - b);
  const storedIn = (minute: number): Memberships =>
    new Map(
      memberships.map(member => {
        const events = member.events.filter(event => cameIn(event) <= minute && member.added < event.came);
        return [member.list, events.reduce(afterEvent, membershipOf(email, member))];
      }),
    );
  let before: Memberships = new Map();
  return [Number.NEGATIVE_INFINITY, ...minutes].map((since, place) => {
    const memberships = storedIn(since);
    const version = { since, until: minutes[place] ?? Number.POSITIVE_INFINITY, memberships, before };
    before = memberships;
    return version;
  });
}

function afterEvent(membership: Membership, { came, column, at, properties }: Event): Membership {
  const event = { event: column, email: membership.email, properties };
  try {
    const after = withEvent(new Date(came), event as Parameters<typeof withEvent>[1], membership, at);
    return after ? { ...after, revision: '' } : membership;
  } catch (error) {
    if (error instanceof Refusal) return membership;
    throw error;
  }
}

/** `days`: of what a pass finds, how many days its list has had nothing left for a broadcast. */
type Found = { source: number; trigger: Date; occurrence: Occurrence; days?: number };
/** In the order of their names; `now`: when it is decided. */
type Pack = { name: string; at: number; now: number; memberships: Memberships; found: Found[] };

const nameOfPack = (now: number, kind: 'late' | 'date' | 'existing' | 'fixed', at: number) =>
  [startOfMinute(now), ['late', 'date', 'existing', 'fixed'].indexOf(kind), at].join(' ');

/** The newest first. */
const journalOf = (email: string, { claims }: World) =>
  claims
    .filter(claim => claim.email === email)
    .map(claimOf)
    .reverse();

function decisionsFor(
  { at, now, memberships, found, person: { email, suppressed } }: Pack & { person: ModelPerson },
  claims: Claim[],
  { state, sources }: Stored,
  warmUps: ReturnType<typeof warmUpsIn>,
): Decision[] {
  if (found.length === 0) return [];
  const suppression = suppressed ? ({ reason: 'bounce', at: ORIGIN } as never) : undefined;
  const [due, decided] = [new Date(at), new Date(now)];
  const pack = { id: String(claims.length), minute: minuteOf(due), sources };
  const last = { seq: claims.length, at: claims[0]?.at ?? '' };
  const person: Person = { hasHead: true, suppression, memberships, last, claims: [...claims] };
  const dues = found.map(({ source, trigger }): Due => [source, trigger.toISOString().slice(0, 16)]);
  for (const { source } of found) warmUps.at(sources[source]?.list ?? '', now);
  // As a sender that has reserved what is left.
  const mayMail: State['mayMail'] = (list, _, __, before) => {
    const warmUp = warmUps.at(list, now);
    return !warmUp || leftOf(warmUp) > before;
  };
  const context = { ...state(now), mayMail };
  const { emails, skips } = decide(context, pack, { candidate: [email, dues], person }, decided);
  claims.unshift(...emails.map(({ claim }) => claim).reverse());
  for (const { claim } of emails) warmUps.use(claim.list_id, now);
  const left = new Set(emails);
  return found.flatMap(({ source, occurrence }): Decision[] => {
    const { list = '', automation = '' } = sources[source] ?? {};
    const skip = skips.find(one => one.source === source);
    const sent = skip
      ? undefined
      : emails.find(one => left.has(one) && one.claim.list_id === list && one.automation.id === automation);
    // Of two passes that find the same person, one has sent the email.
    if (sent) left.delete(sent);
    const result = skip?.reason ?? (sent ? 'mailed' : undefined);
    const [, day = '', copy] = occurrence.key.split('#');
    const key = { email, automation, day, copy: Number(copy) };
    const resumes = sent?.claim.resumes ?? 0;
    return result ? [{ minute: due.toISOString(), list, result, resumes, ...key }] : [];
  });
}

/** The ordinary ones, those for people who were there already, and those of broadcasts and of courses that have begun. */
const sourcesOf = (world: World): PackSource[] => [
  ...world.automations.flatMap(({ id, lists, column, passes, begun = {}, switches }) =>
    lists.flatMap(list => {
      if (world.lists.every(({ id }) => id !== list)) return [];
      const source = { list, automation: id, column: column ?? '' };
      const since = begun[list]?.since;
      // They are stored anew when it is switched on.
      const later = since ? switches.filter(({ at, on }) => on && at > since).map(({ at }) => at) : [];
      return [
        source,
        ...[...passes, ...(since ? [since, ...later] : [])].map(existing => ({ ...source, existing })),
      ];
    }),
  ),
  ...world.broadcasts.flatMap(({ id, lists, scheduled, rest }) =>
    lists
      .filter(list => world.lists.some(({ id }) => id === list))
      .flatMap(list =>
        [scheduled, ...(rest === null ? [] : [rest])].map(existing => ({
          list,
          automation: id,
          column: '',
          existing,
        })),
      ),
  ),
];

/** By the minute, what falls due, whether or not anything was on then; after it, for the people who were there already. */
function packsOf(
  { since, until: end, memberships }: Version,
  { world, state, sources, rules }: Stored,
): Pack[] {
  const packs = new Map<string, Pack>();
  const [from, until] = [new Date(world.from), new Date(world.until)];
  const { organization } = state(from.getTime());
  const add = (kind: 'date' | 'existing' | 'fixed', at: number, found: Found) => {
    if (at < from.getTime() || at >= until.getTime() || at < since || at >= end) return;
    const now = at + MINUTE;
    const name = nameOfPack(at, kind, at);
    const pack = packs.get(name) ?? { name, at, now, memberships, found: [] };
    packs.set(name, pack);
    pack.found.push(found);
  };
  const afterQuiet = (instant: string) => {
    const minute = new Date(startOfMinute(Date.parse(instant)));
    return (endOfQuiet(organization, minute) ?? minute).getTime();
  };
  for (const [source, { list, automation, existing }] of sources.entries()) {
    const membership = memberships.get(list);
    const rule = membership && rules[source]?.(timeZoneOf(membership.metadata));
    const trigger = rule && triggerOf(membership, rule);
    if (!trigger) continue;
    const isFixed = hasFixedTrigger(rule, list) && fixedTrigger(membership, rule) !== undefined;
    if (isFixed !== (existing !== undefined && hasFixedTrigger(rule, list))) continue;
    if (isFixed && existing !== undefined) {
      const [first] = fixedOccurrences(membership, { ...rule, active_since: ORIGIN });
      if (!first) continue;
      const rest = world.broadcasts.find(({ id }) => id === automation)?.rest;
      const isWarm = isBroadcast(automation) && world.lists.find(({ id }) => id === list)?.warmUp;
      for (const days of isWarm ? DAYS : [0]) {
        const goes = days === 0 ? first.at.getTime() : afterQuiet(isoOf(first.at.getTime() + days * DAY));
        const at = Math.max(goes, existing === rest ? afterQuiet(existing) : 0);
        const stored = state(at + MINUTE);
        const { active, active_since = ORIGIN } = stored.automations.get(automation) ?? {};
        const [occurrence] = fixedOccurrences(membership, { ...rule, active_since });
        // A pass ends where something is off.
        const isOver = isBroadcast(automation)
          ? !active
          : blockedBy(stored, { list, automation }, first.at)?.endsWith('_off') ||
            existing !== latestOf(sources, source, active_since);
        if (occurrence && !isOver) add('fixed', at, { source, trigger, occurrence, days });
      }
    } else if (existing === undefined) {
      for (const occurrence of dueOccurrences(trigger, rule, { from, until }))
        add('date', occurrence.at.getTime(), { source, trigger, occurrence });
    } else {
      for (const occurrence of dueAlready(trigger, rule, membership, existing))
        add('existing', afterQuiet(existing), { source, trigger, occurrence });
    }
  }
  return [...packs.values()];
}

/** What the dispatcher queues when an event has come: what was due before. */
function latePacks(person: ModelPerson, version: Version, { world, state, sources, rules }: Stored): Pack[] {
  const packs = new Map<string, Pack>();
  const { memberships, since } = version;
  for (const { list, events } of person.memberships) {
    const came = events.find(event => startOfMinute(Date.parse(event.came)) === since)?.came;
    const [membership, before] = [memberships.get(list), version.before.get(list)];
    if (came === undefined || membership?.status !== 'subscribed') continue;
    const written = new Date(came);
    const stored = state(written.getTime());
    const member = { organization: 1, hash: '', membership, before, written, sequence: '' };
    for (const [source, named] of sources.entries()) {
      const rule = rules[source]?.(timeZoneOf(membership.metadata));
      if (named.list !== list || named.existing !== undefined || !rule) continue;
      for (const { minute } of dueItems(stored, { organization: 1, ...named }, member, written)) {
        const due = instantOf(minute);
        const at = due.getTime();
        const trigger = triggerOf(membership, rule);
        const [occurrence] = dueOccurrences(trigger, rule, { from: due, until: new Date(at + MINUTE) });
        const isWithin = at >= Date.parse(world.from) && at < Math.min(Date.parse(world.until), since);
        if (!occurrence || !trigger || !isWithin) continue;
        const now = (quietUntil(stored.organization, due, written) ?? written).getTime();
        const name = nameOfPack(now, 'late', at);
        const pack = packs.get(name) ?? { name, at, now, memberships, found: [] };
        packs.set(name, pack);
        pack.found.push({ source, trigger, occurrence });
      }
    }
  }
  return [...packs.values()];
}

/** The instant of the newest source of a course, which was stored when its step was last switched on. */
function latestOf(sources: PackSource[], source: number, activeSince = ''): string | undefined {
  const { list, automation } = sources[source] as PackSource;
  const all = sources.flatMap(one =>
    one.list === list && one.automation === automation && one.existing !== undefined ? [one.existing] : [],
  );
  return all.filter(at => at <= activeSince).at(-1) ?? all[0];
}

const membershipOf = (email: string, member: ModelPerson['memberships'][number]): Membership => {
  const { list, subscribed, metadata, added, startNothing } = member;
  const status = subscribed ? 'subscribed' : 'unsubscribed';
  const added_by = startNothing === null ? {} : { added_by: { starts_after: startNothing } as never };
  return {
    ...added_by,
    list_id: list,
    email,
    status,
    metadata,
    created_at: added,
    updated_at: added,
    revision: '',
  };
};

const claimOf = (
  { automation, day, copy, at, date, isForExisting = false }: World['claims'][number],
  place: number,
): Claim => {
  const key = `${automation}#${day}#${copy}`;
  const email = { list_id: '', automation_id: automation, batch: 'before', combination: '' };
  const existing = isForExisting ? ({ existing: true } as const) : {};
  const trigger = date === undefined ? {} : { trigger: `${date}T08:00:00.000Z` };
  return { seq: place + 1, type: 'send', at, key, ...email, ...existing, ...trigger };
};

const PAUSED = { paused: { by: 'guard' } as StoredAutomation['paused'] };

/** One object of equal ones, for which the engine keeps what it has computed. */
const hoursOf = remembered((text: string): NonNullable<StoredOrganization['hours']> => JSON.parse(text));

/** What is stored at an instant. */
function stateOf({
  zone: time_zone,
  quiet,
  safeguards,
  earners,
  holdout: holdout_percent,
  ...world
}: World): (instant: number) => State {
  const switched = [world, ...world.lists, ...world.automations];
  const instants = switched.flatMap(({ switches }) => switches.map(({ at }) => Date.parse(at)));
  instants.push(
    ...world.broadcasts.flatMap(({ cancelled }) => (cancelled === null ? [] : Date.parse(cancelled))),
  );
  const told = new Set(
    world.people.flatMap(({ memberships }) =>
      memberships.flatMap(({ events }) => events.map(({ column }) => column)),
    ),
  );
  const hours = hoursOf(JSON.stringify([{ since: ORIGIN, time_zone, quiet_hours: quiet }]));
  const template = { template: new Set(['template']) };
  const linked = new Map(
    [...world.automations, ...world.broadcasts].map(({ id, hasContent }) => [id, hasContent ? template : {}]),
  );
  const stateAt = remembered((instant: number): State => {
    const switched = (switches: Switches) => {
      const past = switches.filter(({ at }) => Date.parse(at) <= instant);
      const on = past.findLast(one => one.on);
      let guard: Parameters<typeof resumed>[0] = {};
      for (const { on, byGuard } of past)
        guard = { ...guard, ...(byGuard && PAUSED), ...(on && resumed(guard)) };
      return { active: past.at(-1)?.on === true, ...(on ? { active_since: on.at } : {}), ...guard };
    };
    const lists = world.lists.map(({ id, zone, hasKey, switches }) => {
      const key = hasKey ? { sending_key: 'key' } : {};
      return { id, organization_id: 1, time_zone: zone, ...key, ...switched(switches) } as StoredList;
    });
    const automations = world.automations.map(
      ({ lists, column, switches, passes: _, found: __, begun, holdout, ...settings }) => {
        const own = { organization_id: 1, name: settings.id, created_at: ORIGIN, revision: '' };
        const stored = { ...own, holdout_percent: holdout };
        const starts = column !== null && told.has(column) ? { starts_at: 'event' as const } : {};
        const named = { email_list_ids: lists, metadata_trigger: column, ...starts };
        const step = begun && { sequence_id: 'sequence', ...(Object.keys(begun).length > 0 && { begun }) };
        return {
          ...settings,
          ...stored,
          ...named,
          ...step,
          ...switched(switches),
        } satisfies StoredAutomation;
      },
    );
    const broadcasts = world.broadcasts.map(({ id, lists, audience, at, local_at, scheduled, cancelled }) => {
      const when = local_at === null ? { at: at ?? scheduled } : { local_at };
      const stored = { id, organization_id: 1, name: id, created_at: scheduled, revision: '' };
      const named = { email_list_ids: lists, metadata_trigger: null, audience };
      const active = cancelled === null || instant < Date.parse(cancelled);
      return { ...scheduleOf(when), ...stored, ...named, active, active_since: scheduled };
    }) satisfies StoredAutomation[];
    return {
      stage: {},
      organization: {
        id: 1,
        time_zone,
        hours,
        holdout_percent,
        ...switched(world.switches),
      } as StoredOrganization,
      lists: new Map(lists.map(list => [list.id, list])),
      automations: new Map([...automations, ...broadcasts].map(automation => [automation.id, automation])),
      linked,
      safeguards,
      earnersOn: day => earners[day],
    };
  });
  // Nothing changes between two switches.
  return instant => stateAt(Math.max(...instants.filter(at => at <= instant)));
}
