import type { StoredAutomation } from '#core/automation/automation.store.ts';
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
import type { StoredList } from '#core/list/list.store.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import type { Person } from '#core/recipient/claim.ts';
import type { Claim } from '#core/recipient/journal.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { scheduleOf } from '#core/sending/broadcast.ts';
import { decide, dueAlready } from '#core/sending/claim/decide.ts';
import type { State } from '#core/sending/forecast/predict.ts';
import { type Due, minuteOf, type PackSource } from '#core/sending/pack.ts';
import { blockedBy, endOfQuiet } from '#core/sending/state.ts';
import { MINUTE, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { remembered } from '#test/support/remembered.ts';
import type { Decision, Person as ModelPerson, Switches, World } from './model.ts';

const ORIGIN = '2000-01-01T00:00:00.000Z';

/** What the engine decides for a world of the model: of what its due rule finds, minute by minute, as a sender does. */
export function engineDecisions(world: World): Decision[] {
  const [state, sources] = [stateOf(world), sourcesOf(world)];
  const { organization, lists, automations } = state(Date.parse(world.from));
  const rules = sources.map(({ list, automation }) => {
    const stored = { ...(automations.get(automation) as StoredAutomation), active_since: undefined };
    return rulesFor(stored, { organization, list: lists.get(list) });
  });
  const stored = { world, state, sources, rules };
  const people = world.people.map(person => {
    const found = person.memberships.map(
      member => [member.list, membershipOf(person.email, member)] as const,
    );
    const memberships = new Map(found);
    return { person, memberships, packs: packsOf(memberships, stored) };
  });
  const stops = stopsOf(
    people.flatMap(({ packs }) => packs),
    stored,
  );
  const decisions = people.flatMap(({ person, memberships, packs }) => {
    const left = packs.map(({ at, found }) => ({
      at,
      found: found.filter(({ source }) => at < (stops.get(sources[source]?.automation ?? '') ?? at + 1)),
    }));
    return decisionsFor(person, memberships, left, stored);
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

/** A pass or a sender that finds something of a broadcast off stops it, on all its lists. */
function stopsOf(packs: Pack[], { world, state, sources }: Stored): Map<string, number> {
  const stops = new Map<string, number>();
  for (const { at, found } of packs) {
    const now = new Date(at + MINUTE);
    for (const { automation } of found.flatMap(({ source }) => sources[source] ?? [])) {
      const named = world.broadcasts.find(({ id }) => id === automation)?.lists ?? [];
      const lists = named.filter(list => world.lists.some(({ id }) => id === list));
      const isOff = lists.some(list => blockedBy(state(now.getTime()), { list, automation }, now));
      if (isOff) stops.set(automation, Math.min(at, stops.get(automation) ?? at));
    }
  }
  return stops;
}

type Stored = {
  world: World;
  state: (instant: number) => State;
  sources: PackSource[];
  rules: ReturnType<typeof rulesFor>[];
};
type Found = { source: number; trigger: Date; occurrence: Occurrence };

function decisionsFor(
  { email, suppressed }: ModelPerson,
  memberships: Map<string, Membership>,
  packs: Pack[],
  { world, state, sources }: Stored,
): Decision[] {
  const decisions: Decision[] = [];
  const claims = world.claims
    .filter(claim => claim.email === email)
    .map(claimOf)
    .reverse();
  const suppression = suppressed ? ({ reason: 'bounce', at: ORIGIN } as never) : undefined;
  for (const { at, found: ofPack } of packs) {
    const [due, now] = [new Date(at), new Date(at + MINUTE)];
    const pack = { id: String(claims.length), minute: minuteOf(due), sources };
    const last = { seq: claims.length, at: claims[0]?.at ?? '' };
    const person: Person = { hasHead: true, suppression, memberships, last, claims: [...claims] };
    const dues = ofPack.map(({ source, trigger }): Due => [source, trigger.toISOString().slice(0, 16)]);
    const { emails, skips } = decide(state(now.getTime()), pack, { candidate: [email, dues], person }, now);
    claims.unshift(...emails.map(({ claim }) => claim).reverse());
    for (const { source, occurrence } of ofPack) {
      const { list = '', automation = '' } = sources[source] ?? {};
      const skip = skips.find(one => one.source === source);
      const isMailed = emails.some(one => one.claim.list_id === list && one.automation.id === automation);
      const result = skip?.reason ?? (isMailed ? 'mailed' : undefined);
      const [, day = '', copy] = occurrence.key.split('#');
      const key = { email, automation, day, copy: Number(copy) };
      if (result) decisions.push({ minute: due.toISOString(), list, result, ...key });
    }
  }
  return decisions;
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
  ...world.broadcasts.flatMap(({ id, lists, scheduled }) =>
    lists
      .filter(list => world.lists.some(({ id }) => id === list))
      .map(list => ({ list, automation: id, column: '', existing: scheduled })),
  ),
];

type Pack = { at: number; found: Found[] };

/** By the minute, what falls due, whether or not anything was on then; after it, for the people who were there already. */
function packsOf(memberships: Map<string, Membership>, { world, state, sources, rules }: Stored): Pack[] {
  const packs = new Map<number, Pack>();
  const [from, until] = [new Date(world.from), new Date(world.until)];
  const { organization } = state(from.getTime());
  for (const [source, { list, automation, existing }] of sources.entries()) {
    const membership = memberships.get(list);
    const rule = membership && rules[source]?.(timeZoneOf(membership.metadata));
    const trigger = rule && triggerOf(membership, rule);
    if (!trigger) continue;
    if (fixedTrigger(membership, rule)) {
      if (existing === undefined || !hasFixedTrigger(rule, list)) continue;
      const activeSince = (at: number) =>
        state(at + MINUTE).automations.get(automation)?.active_since ?? ORIGIN;
      const [first] = fixedOccurrences(membership, { ...rule, active_since: ORIGIN });
      const at = first?.at.getTime() ?? 0;
      if (at < from.getTime() || at >= until.getTime()) continue;
      const [occurrence] = fixedOccurrences(membership, { ...rule, active_since: activeSince(at) });
      if (!occurrence) continue;
      if (!isBroadcast(automation)) {
        // A pass ends where something is off.
        const isOff = blockedBy(state(at + MINUTE), { list, automation }, occurrence.at)?.endsWith('_off');
        if (isOff || existing !== latestOf(sources, source, activeSince(at))) continue;
      }
      const pack = packs.get(at + 2) ?? { at, found: [] };
      packs.set(at + 2, pack);
      pack.found.push({ source, trigger, occurrence });
      continue;
    }
    if (existing !== undefined && hasFixedTrigger(rule, list)) continue;
    const since = existing === undefined ? from : new Date(startOfMinute(Date.parse(existing)));
    const due =
      existing === undefined
        ? dueOccurrences(trigger, rule, { from, until })
        : dueAlready(trigger, rule, membership, existing);
    for (const occurrence of due) {
      const sent = existing === undefined ? occurrence.at : (endOfQuiet(organization, since) ?? since);
      if (sent < from || sent >= until) continue;
      const at = sent.getTime();
      const order = existing === undefined ? at : at + 1;
      const pack = packs.get(order) ?? { at, found: [] };
      packs.set(order, pack);
      pack.found.push({ source, trigger, occurrence });
    }
  }
  return [...packs].sort(([a], [b]) => a - b).map(([, pack]) => pack);
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

/** One object of equal ones, for which the engine keeps what it has computed. */
const hoursOf = remembered((text: string): NonNullable<StoredOrganization['hours']> => JSON.parse(text));

/** What is stored at an instant. */
function stateOf({ zone: time_zone, quiet, safeguards, ...world }: World): (instant: number) => State {
  const switched = [world, ...world.lists, ...world.automations];
  const instants = switched.flatMap(({ switches }) => switches.map(({ at }) => Date.parse(at)));
  const hours = hoursOf(JSON.stringify([{ since: ORIGIN, time_zone, quiet_hours: quiet }]));
  const template = { template: new Set(['template']) };
  const linked = new Map(
    [...world.automations, ...world.broadcasts].map(({ id, hasContent }) => [id, hasContent ? template : {}]),
  );
  const stateAt = remembered((instant: number): State => {
    const switched = (switches: Switches) => {
      const past = switches.filter(({ at }) => Date.parse(at) <= instant);
      const on = past.findLast(one => one.on);
      return { active: past.at(-1)?.on === true, ...(on ? { active_since: on.at } : {}) };
    };
    const lists = world.lists.map(({ id, zone, hasKey, switches }) => {
      const key = hasKey ? { sending_key: 'key' } : {};
      return { id, organization_id: 1, time_zone: zone, ...key, ...switched(switches) } as StoredList;
    });
    const automations = world.automations.map(
      ({ lists, column, switches, passes: _, begun, ...settings }) => {
        const stored = { organization_id: 1, name: settings.id, created_at: ORIGIN, revision: '' };
        const named = { email_list_ids: lists, metadata_trigger: column };
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
    const broadcasts = world.broadcasts.map(({ id, lists, audience, at, local_at, scheduled }) => {
      const when = local_at === null ? { at: at ?? scheduled } : { local_at };
      const stored = { id, organization_id: 1, name: id, created_at: scheduled, revision: '' };
      const named = { email_list_ids: lists, metadata_trigger: null, audience };
      return { ...scheduleOf(when), ...stored, ...named, active: true, active_since: scheduled };
    }) satisfies StoredAutomation[];
    return {
      stage: {},
      organization: { id: 1, time_zone, hours, ...switched(world.switches) } as StoredOrganization,
      lists: new Map(lists.map(list => [list.id, list])),
      automations: new Map([...automations, ...broadcasts].map(automation => [automation.id, automation])),
      linked,
      safeguards,
    };
  });
  // Nothing changes between two switches.
  return instant => stateAt(Math.max(...instants.filter(at => at <= instant)));
}
