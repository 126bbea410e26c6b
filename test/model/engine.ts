import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { dueOccurrences, type Occurrence, rulesFor, triggerOf } from '#core/automation/due/occurrences.ts';
import type { StoredList } from '#core/list/list.store.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import type * as claimStore from '#core/recipient/claim.ts';
import type { Claim } from '#core/recipient/journal.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { decide } from '#core/sending/claim/decide.ts';
import type { State } from '#core/sending/forecast/predict.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { MINUTE } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import type * as model from './model.ts';

const ORIGIN = '2000-01-01T00:00:00.000Z';

/** What the engine decides for a world of the model: of what `dueOccurrences` finds, minute by minute, as a sender does. */
export const engineDecisions = (world: model.World): model.Decision[] =>
  world.people.flatMap(person => decisionsFor(person, world));

type Source = { list: string; automation: string; column: string };

function decisionsFor({ email, ...found }: model.Person, world: model.World): model.Decision[] {
  const decisions: model.Decision[] = [];
  const memberships = new Map(found.memberships.map(member => [member.list, membershipOf(email, member)]));
  const claims = world.claims
    .filter(claim => claim.email === email)
    .map(claimOf)
    .reverse();
  const state = stateOf(world);
  const sources: Source[] = world.automations.flatMap(({ id, lists, column }) =>
    lists.map(list => ({ list, automation: id, column: column ?? '' })),
  );
  for (const [minute, dues] of duesOf(memberships, sources, world, state(Date.parse(world.from)))) {
    const now = new Date(minute + MINUTE);
    const context = state(now.getTime());
    const pack = { id: 'pack', minute: minuteOf(new Date(minute)), sources };
    const person: claimStore.Person = {
      hasHead: true,
      suppression: found.suppressed ? ({ reason: 'bounce', at: ORIGIN } as never) : undefined,
      memberships,
      last: { seq: claims.length, at: claims[0]?.at ?? '' },
      claims: [...claims],
    };
    const candidate = [email, [...dues.keys()].map((source): [number, string] => [source, ''])] as [
      string,
      [number, string][],
    ];
    const { emails, skips } = decide(context, pack, { candidate, person }, now);
    const add = (source: number, result: model.Decision['result']) => {
      const { list = '', automation = '' } = sources[source] ?? {};
      const [, day = '', copy] = dues.get(source)?.key.split('#') ?? [];
      decisions.push({
        minute: new Date(minute).toISOString(),
        list,
        result,
        email,
        automation,
        day,
        copy: Number(copy),
      });
    };
    for (const { source, reason } of skips) add(source, reason);
    for (const { claim } of emails) {
      claims.unshift(claim);
      add(
        sources.findIndex(
          ({ list, automation }) => list === claim.list_id && automation === claim.automation_id,
        ),
        'mailed',
      );
    }
  }
  return decisions;
}

/** By the minute and the source, what falls due, whether or not anything was on then. */
function duesOf(memberships: Map<string, Membership>, sources: Source[], world: model.World, context: State) {
  const minutes = new Map<number, Map<number, Occurrence>>();
  const interval = { from: new Date(world.from), until: new Date(world.until) };
  for (const [place, { list: id, automation }] of sources.entries()) {
    const membership = memberships.get(id);
    const list = context.lists.get(id);
    const stored = context.automations.get(automation);
    if (!membership || !list || !stored) continue;
    const always = { ...stored, active_since: undefined };
    const rule = rulesFor(always, { organization: context.organization, list })(
      timeZoneOf(membership.metadata),
    );
    for (const occurrence of dueOccurrences(triggerOf(membership, rule), rule, interval)) {
      const minute = occurrence.at.getTime();
      minutes.set(minute, (minutes.get(minute) ?? new Map()).set(place, occurrence));
    }
  }
  return [...minutes].sort(([a], [b]) => a - b);
}

const membershipOf = (
  email: string,
  { list, subscribed, metadata, added }: model.Membership,
): Membership => ({
  list_id: list,
  email,
  status: subscribed ? 'subscribed' : 'unsubscribed',
  metadata,
  created_at: added,
  updated_at: added,
  revision: '',
});

const claimOf = ({ automation, day, copy, at }: model.Claim, place: number): Claim => ({
  seq: place + 1,
  type: 'send',
  at,
  list_id: '',
  automation_id: automation,
  key: `${automation}#${day}#${copy}`,
  batch: 'before',
  combination: '',
});

/** What is stored at an instant. */
function stateOf(world: model.World): (instant: number) => State {
  const hours = [{ since: ORIGIN, time_zone: world.zone, quiet_hours: world.quiet }];
  return instant => {
    const switched = (switches: model.Switches) => {
      const last = switches.findLast(({ at }) => Date.parse(at) <= instant);
      const on = switches.findLast(({ at, on }) => on && Date.parse(at) <= instant);
      return { active: last?.on === true, ...(on ? { active_since: on.at } : {}) };
    };
    const organization = {
      id: 1,
      time_zone: world.zone,
      hours,
      ...switched(world.switches),
    } as StoredOrganization;
    const lists = world.lists.map(({ id, zone, hasKey, switches }) => {
      const key = hasKey ? { sending_key: 'key' } : {};
      return { id, organization_id: 1, time_zone: zone, ...key, ...switched(switches) } as StoredList;
    });
    const automations = world.automations.map(
      ({ lists: email_list_ids, column, hasContent, switches, includedExisting, ...settings }) =>
        ({
          ...settings,
          ...switched(switches),
          organization_id: 1,
          name: settings.id,
          email_list_ids,
          metadata_trigger: column,
          created_at: ORIGIN,
          revision: '',
        }) satisfies StoredAutomation,
    );
    return {
      stage: {},
      organization,
      lists: new Map(lists.map(list => [list.id, list])),
      automations: new Map(automations.map(automation => [automation.id, automation])),
      linked: new Map(
        world.automations.map(({ id, hasContent }) => [
          id,
          hasContent ? { template: new Set(['template']) } : {},
        ]),
      ),
      safeguards: world.safeguards,
    };
  };
}
