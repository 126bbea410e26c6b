import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { dueOccurrences, type Occurrence, rulesFor, triggerOf } from '#core/automation/due/occurrences.ts';
import type { StoredList } from '#core/list/list.store.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import type { Person } from '#core/recipient/claim.ts';
import type { Claim } from '#core/recipient/journal.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { decide, dueAlready } from '#core/sending/claim/decide.ts';
import type { State } from '#core/sending/forecast/predict.ts';
import { type Due, minuteOf, type PackSource } from '#core/sending/pack.ts';
import { endOfQuiet } from '#core/sending/state.ts';
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
  return world.people.flatMap(person => decisionsFor(person, { world, state, sources, rules }));
}

type Stored = {
  world: World;
  state: (instant: number) => State;
  sources: PackSource[];
  rules: ReturnType<typeof rulesFor>[];
};
type Found = { source: number; trigger: Date; occurrence: Occurrence };

function decisionsFor({ email, suppressed, ...found }: ModelPerson, stored: Stored): Decision[] {
  const { world, state, sources } = stored;
  const decisions: Decision[] = [];
  const memberships = new Map(found.memberships.map(member => [member.list, membershipOf(email, member)]));
  const claims = world.claims
    .filter(claim => claim.email === email)
    .map(claimOf)
    .reverse();
  const suppression = suppressed ? ({ reason: 'bounce', at: ORIGIN } as never) : undefined;
  for (const { at, found: ofPack } of packsOf(memberships, stored)) {
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

/** The ordinary ones, and those for people who were there already. */
const sourcesOf = (world: World): PackSource[] =>
  world.automations.flatMap(({ id, lists, column, passes }) =>
    lists.flatMap(list => {
      if (world.lists.every(({ id }) => id !== list)) return [];
      const source = { list, automation: id, column: column ?? '' };
      return [source, ...passes.map(existing => ({ ...source, existing }))];
    }),
  );

type Pack = { at: number; found: Found[] };

/** By the minute, what falls due, whether or not anything was on then; after it, for the people who were there already. */
function packsOf(memberships: Map<string, Membership>, { world, state, sources, rules }: Stored): Pack[] {
  const packs = new Map<number, Pack>();
  const [from, until] = [new Date(world.from), new Date(world.until)];
  const { organization } = state(from.getTime());
  for (const [source, { list, existing }] of sources.entries()) {
    const membership = memberships.get(list);
    const rule = membership && rules[source]?.(timeZoneOf(membership.metadata));
    const trigger = rule && triggerOf(membership, rule);
    if (!trigger) continue;
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
  const linked = new Map(world.automations.map(({ id, hasContent }) => [id, hasContent ? template : {}]));
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
    const automations = world.automations.map(({ lists, column, switches, passes: _, ...settings }) => {
      const stored = { organization_id: 1, name: settings.id, created_at: ORIGIN, revision: '' };
      const named = { email_list_ids: lists, metadata_trigger: column };
      return { ...settings, ...stored, ...named, ...switched(switches) } satisfies StoredAutomation;
    });
    return {
      stage: {},
      organization: { id: 1, time_zone, hours, ...switched(world.switches) } as StoredOrganization,
      lists: new Map(lists.map(list => [list.id, list])),
      automations: new Map(automations.map(automation => [automation.id, automation])),
      linked,
      safeguards,
    };
  });
  // Nothing changes between two switches.
  return instant => stateAt(Math.max(...instants.filter(at => at <= instant)));
}
