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
import type { Decision, Person as ModelPerson, Switches, World } from './model.ts';

const ORIGIN = '2000-01-01T00:00:00.000Z';

/** What the engine decides for a world of the model: of what its due rule finds, minute by minute, as a sender does. */
export const engineDecisions = (world: World): Decision[] =>
  world.people.flatMap(person => decisionsFor(person, world));

type Found = { source: number; trigger: Date; occurrence: Occurrence };

function decisionsFor({ email, suppressed, ...found }: ModelPerson, world: World): Decision[] {
  const decisions: Decision[] = [];
  const memberships = new Map(found.memberships.map(member => [member.list, membershipOf(email, member)]));
  const claims = world.claims
    .filter(claim => claim.email === email)
    .map(claimOf)
    .reverse();
  const suppression = suppressed ? ({ reason: 'bounce', at: ORIGIN } as never) : undefined;
  const state = stateOf(world);
  const sources = sourcesOf(world);
  for (const { id, minute, found: ofMinute } of packsOf(
    memberships,
    sources,
    world,
    state(Date.parse(world.from)),
  )) {
    const now = new Date(minute + MINUTE);
    const pack = { id, minute: minuteOf(new Date(minute)), sources };
    const last = { seq: claims.length, at: claims[0]?.at ?? '' };
    const person: Person = { hasHead: true, suppression, memberships, last, claims: [...claims] };
    const dues = ofMinute.map(({ source, trigger }): Due => [source, trigger.toISOString().slice(0, 16)]);
    const { emails, skips } = decide(state(now.getTime()), pack, { candidate: [email, dues], person }, now);
    claims.unshift(...emails.map(({ claim }) => claim).reverse());
    const mailed = emails.map(({ claim }) => [claim.list_id, claim.automation_id].join());
    for (const { source, occurrence } of ofMinute) {
      const { list = '', automation = '' } = sources[source] ?? {};
      const skip = skips.find(one => one.source === source);
      const result = skip?.reason ?? (mailed.includes([list, automation].join()) ? 'mailed' : undefined);
      const [, day = '', copy] = occurrence.key.split('#');
      const key = { email, automation, day, copy: Number(copy) };
      if (result) decisions.push({ minute: new Date(minute).toISOString(), list, result, ...key });
    }
  }
  return decisions;
}

/** The ordinary ones, and those for people who were there already, for each switch that includes them. */
const sourcesOf = (world: World): PackSource[] =>
  world.automations.flatMap(({ id, lists, column, switches }) =>
    lists.flatMap(list => {
      const source = { list, automation: id, column: column ?? '' };
      const passes = switches.filter(({ withExisting }) => withExisting);
      return [source, ...passes.map(({ at }) => ({ ...source, existing: at }))];
    }),
  );

type Pack = { id: string; minute: number; found: Found[] };

/** By the minute, what falls due, whether or not anything was on then; after it, for the people who were there already. */
function packsOf(
  memberships: Map<string, Membership>,
  sources: PackSource[],
  { from, until }: World,
  { organization, lists, automations }: State,
): Pack[] {
  const packs = new Map<string, Pack>();
  for (const [source, { list: id, automation, existing }] of sources.entries()) {
    const [membership, list, stored] = [memberships.get(id), lists.get(id), automations.get(automation)];
    if (!membership || !list || !stored) continue;
    const rules = rulesFor({ ...stored, active_since: undefined }, { organization, list });
    const rule = rules(timeZoneOf(membership.metadata));
    const trigger = triggerOf(membership, rule);
    const since = new Date(startOfMinute(Date.parse(existing ?? from)));
    const due =
      existing === undefined
        ? dueOccurrences(trigger, rule, { from: since, until: new Date(until) })
        : dueAlready(trigger, rule, membership, existing);
    for (const occurrence of trigger ? due : []) {
      const at = existing === undefined ? occurrence.at : (endOfQuiet(organization, since) ?? since);
      if (at < new Date(from) || at >= new Date(until)) continue;
      const name = `${at.toISOString()} ${existing === undefined ? 'due' : 'existing'}`;
      const pack = packs.get(name) ?? { id: name, minute: at.getTime(), found: [] };
      packs.set(name, pack);
      pack.found.push({ source, trigger: trigger as Date, occurrence });
    }
  }
  return [...packs.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
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

const claimOf = ({ automation, day, copy, at }: World['claims'][number], place: number): Claim => {
  const key = `${automation}#${day}#${copy}`;
  const email = { list_id: '', automation_id: automation, batch: 'before', combination: '' };
  return { seq: place + 1, type: 'send', at, key, ...email };
};

/** What is stored at an instant. */
function stateOf({ zone: time_zone, quiet, safeguards, ...world }: World): (instant: number) => State {
  const hours = [{ since: ORIGIN, time_zone, quiet_hours: quiet }];
  return instant => {
    const switched = (switches: Switches) => {
      const past = switches.filter(({ at }) => Date.parse(at) <= instant);
      const on = past.findLast(one => one.on);
      return { active: past.at(-1)?.on === true, ...(on ? { active_since: on.at } : {}) };
    };
    const lists = world.lists.map(({ id, zone, hasKey, switches }) => {
      const key = hasKey ? { sending_key: 'key' } : {};
      return { id, organization_id: 1, time_zone: zone, ...key, ...switched(switches) } as StoredList;
    });
    const automations = world.automations.map(({ lists, column, switches, ...settings }) => {
      const stored = { organization_id: 1, name: settings.id, created_at: ORIGIN, revision: '' };
      const named = { email_list_ids: lists, metadata_trigger: column };
      return { ...settings, ...stored, ...named, ...switched(switches) } satisfies StoredAutomation;
    });
    const template = { template: new Set(['template']) };
    return {
      stage: {},
      organization: { id: 1, time_zone, hours, ...switched(world.switches) } as StoredOrganization,
      lists: new Map(lists.map(list => [list.id, list])),
      automations: new Map(automations.map(automation => [automation.id, automation])),
      linked: new Map(world.automations.map(({ id, hasContent }) => [id, hasContent ? template : {}])),
      safeguards,
    };
  };
}
