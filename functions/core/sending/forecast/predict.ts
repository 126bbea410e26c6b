import * as automationStore from '#core/automation/automation.store.ts';
import * as broadcastStore from '#core/automation/broadcast.store.ts';
import {
  dueOccurrences,
  fixedOccurrences,
  fixedTrigger,
  type Interval,
  laterOf,
  ownTrigger,
  type Rules,
  rulesFor,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import { type Dates, rowsAroundClock } from '#core/automation/trigger-rows.ts';
import { isBroadcast } from '#core/id.ts';
import { withVerified } from '#core/list/identity.store.ts';
import * as listStore from '#core/list/list.store.ts';
import { isRefused, lackOf } from '#core/list/providers.ts';
import * as organizations from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { inParallel } from '#core/parallel.ts';
import * as claimStore from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { ADDED } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { PUNCTUAL } from '#core/timeouts.ts';
import { WINDOWS } from '#shared/safeguards.ts';
import type { NotSent } from '#shared/send-status.ts';
import type { Sampled } from '#shared/simulation.ts';
import { DAY, MINUTE, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { isStale } from '../claim/claim.ts';
import { decide, dueAlready } from '../claim/decide.ts';
import { type Due, minuteOf, type PackSource } from '../pack.ts';
import { endOfQuiet, pausedUntil, quietUntil, type SendingContext } from '../state.ts';
import * as stops from '../stop.ts';
import { limitsOf, type WarmUpLimits } from '../warm-up-shares.ts';

/**
 * The context of a sender, with all automations: as it is stored, or as a change would make it. `existing`: what a change
 * switches on now, for people too whose first email would have been due already.
 */
export type State = Omit<SendingContext, 'contents'> & {
  existing?: { automation: string; lists: string[] };
  /** Memberships that are not stored, by the hash of their person. */
  members?: ReadonlyMap<string, Membership>;
};

export async function readState(table: Table, organizationId: number): Promise<State> {
  const [stage, [organization], lists, automations, broadcasts, linked, limits] = await Promise.all([
    stops.readStage(table),
    organizations.findAll({ table }, [organizationId]),
    listStore.readAllUncounted(table, organizationId).then(all => withVerified(table, all)),
    automationStore.readAll(table, organizationId),
    broadcastStore.readAll(table, organizationId),
    automationStore.readAllLinked(table, organizationId),
    safeguards.readWithEarners(table, organizationId),
  ]);
  return {
    stage,
    organization,
    linked,
    safeguards: limits.safeguards,
    earnersOn: expectedEarners(limits.earners),
    lists: new Map(lists.map(list => [list.id, list])),
    automations: new Map(
      [...automations, ...broadcasts.filter(({ status }) => status === 'scheduled')].map(automation => [
        automation.id,
        automation,
      ]),
    ),
  };
}

/** Of a later day than is stored, those of the last one. */
export function expectedEarners(earners: safeguards.Earners): NonNullable<State['earnersOn']> {
  const last = Object.keys(earners).sort().at(-1) ?? '';
  return day => earners[day] ?? (day > last ? earners[last] : undefined);
}

type Automation = automationStore.StoredAutomation;

export type Change = (state: State) => State;

export const withAutomation =
  (automation: Automation): Change =>
  state => ({ ...state, automations: new Map(state.automations).set(automation.id, automation) });

/** A sequence with other steps. Those that stay as they are keep their objects. */
export const withSteps =
  (steps: Automation[], removed: Automation[]): Change =>
  state => {
    const automations = new Map(state.automations);
    for (const { id } of removed) automations.delete(id);
    for (const step of steps)
      if (automations.get(step.id)?.revision !== step.revision) automations.set(step.id, step);
    return { ...state, automations };
  };

/** An automation that is off is switched on now. */
export const withSwitchedOn = (automation: Automation, now: Date): Change =>
  withAutomation(
    automation.active ? automation : { ...automation, active: true, active_since: now.toISOString() },
  );

/** An automation that mails a list, with its rules since both are on. */
export type Source = PackSource & { place: number; rules: Rules };

/** The sources that a sweep would read: active automations, each with its active lists. */
export function sourcesOf({ organization, automations, lists }: State): Source[] {
  const pairs = [...automations.values()]
    .filter(({ active }) => active)
    .flatMap(automation => automation.email_list_ids.map(id => ({ automation, list: lists.get(id) })));
  return pairs
    .flatMap(({ automation, list }) => (list?.active ? [{ automation, list }] : []))
    .map(({ automation, list }, place) => ({
      place,
      list: list.id,
      automation: automation.id,
      column: automation.metadata_trigger ?? ADDED,
      rules: rulesFor(
        { ...automation, active_since: laterOf(automation.active_since, list.active_since) },
        { organization, list },
      ),
    }));
}

type Prepared = ReturnType<typeof prepare>;

function prepare(state: State, now: Date, limits?: WarmUpLimits) {
  const sources = sourcesOf(state);
  const limited = limits ? { ...state, mayMail: limits.isWithin } : state;
  return { state: limited, now, sources, limits, byList: Map.groupBy(sources, ({ list }) => list) };
}

export type Needs = {
  table: Table;
  now: Date;
  hasTimeLeft: (reserveMs?: number) => boolean;
  /** If there are more dates, only those of the first part of the day are read. */
  mostDates?: number;
  /** The size of the sample, if there are more people. */
  mostPeople?: number;
};

/** The milliseconds that reading dates leaves for reading people. */
export const READING_PEOPLE = 4_000;
/** How much later than by its delay an email may go, where days are off. */
const LATER = 366 * DAY;
/** So many people are read at most; of more, a sample. */
export const MOST_PEOPLE = 10_000;
const MOST_AT_ONCE = 32;

type Question = {
  /** The same people are decided on in each of these states. */
  states: State[];
  interval: Interval;
  /** Only people with a date in the column of such a source are read. */
  isAsked?: (source: Source) => boolean;
  /** Known people, whose dates need not be read. */
  people?: ReadonlySet<string>;
  /** If these people are a sample: of how many. */
  of?: number;
};
type Answer = {
  /** What was counted for the people who were read, as a number for all. */
  scaled: (count: number) => number;
  /** Null if all of them were read. */
  sampled: Sampled | null;
  /** The part of the day whose dates could be read in time. */
  counted_share: number;
};

/**
 * Reads each person as a sender does, for as long as there is time, and has `decide` decide. The sink gets the emails of a
 * person in each state, and returns the number whose sum the margin of error applies to. Of too many people, those with the
 * lowest hashes are read: hashes are random, so this is a sample.
 */
export async function predict(
  needs: Needs,
  { states, interval, isAsked = () => true, people: known, of = 0 }: Question,
  sink: (emails: Predicted[][], person: { hash: string; leftOut: LeftOut[][] }) => number,
): Promise<Answer> {
  const { table, now, hasTimeLeft, mostPeople = MOST_PEOPLE } = needs;
  let prepared = states.map(state => prepare(state, now));
  const asked = prepared.flatMap(({ sources }) => sources).filter(isAsked);
  const dated = known ? undefined : await peopleWithDates(needs, asked);
  const people = known ?? dated?.people ?? new Set<string>();
  const enough = states.map(({ safeguards: { enabled, max_emails_1_week } }) =>
    enabled ? max_emails_1_week : Number.POSITIVE_INFINITY,
  );
  const isBeginning = ({ begun = {}, repeat, rescheduled_at, delay_days }: Automation) =>
    [...Object.values(begun).map(({ since }) => since), repeat === 'once' ? rescheduled_at : undefined].some(
      since => since !== undefined && now.getTime() - Date.parse(since) < delay_days * DAY + LATER,
    );
  const beginning = states.flatMap(({ existing, automations }) =>
    [...automations.values()].filter(one => isBeginning(one) || existing?.automation === one.id),
  );
  const hasExisting = beginning.length > 0;
  const usual = now.getTime() - safeguards.LONGEST_WINDOW;
  // As a sender, who reads claims of a step since it was created.
  const oldest = Math.min(
    usual,
    ...beginning.flatMap(one => (one.sequence_id ? Date.parse(one.created_at) - DAY : [])),
  );
  const reach = { since: new Date(usual), enough: Math.max(...enough), consistent: false };
  const reachOfAll = (date = usual) => ({
    ...reach,
    since: new Date(Math.min(oldest, date - 2 * DAY)),
    enough: Number.POSITIVE_INFINITY,
  });
  const organization = states[0]?.organization?.id;
  const counts: number[] = [];
  const count = (hash: string, person: claimStore.Person) => {
    const predicted = prepared.map(one => emailsOf(one, hash, withMember(person, one.state, hash), interval));
    const leftOut = predicted.map(({ leftOut }) => leftOut);
    counts.push(
      sink(
        predicted.map(({ emails }) => emails),
        { hash, leftOut },
      ),
    );
  };
  // What a warm-up has room for is known once all who want it are.
  const hasWarmUp = states.some(({ lists }) => [...lists.values()].some(({ warm_up }) => warm_up));
  const read: [hash: string, person: claimStore.Person][] = [];
  let isOver = false;
  await inParallel(lowest(people.keys(), mostPeople), MOST_AT_ONCE, async hash => {
    if (organization === undefined || isOver) return;
    const key = { organization, hash };
    const ofPerson = hasExisting ? reachOfAll(dated?.people.get(hash)) : reach;
    const person = await claimStore.readPerson(table, key, ofPerson);
    // Asked before each decision: on a month of many automations it takes longer than the read.
    isOver ||= !hasTimeLeft(hasWarmUp ? READING_PEOPLE / 2 : 0);
    if (isOver) return;
    if (hasWarmUp) read.push([hash, person]);
    else count(hash, person);
  });
  const all = Math.max(of, people.size);
  if (hasWarmUp) {
    prepared = prepared.map(one =>
      prepare(one.state, now, warmUpLimits(one, read, interval, read.length / all)),
    );
    for (const [hash, person] of read) count(hash, person);
  }
  return { ...estimateOf(counts, all), counted_share: dated?.share ?? 1 };
}

function warmUpLimits(
  prepared: Prepared,
  people: [hash: string, person: claimStore.Person][],
  { from, until }: Interval,
  share: number,
): WarmUpLimits {
  const { state, now } = prepared;
  const emails = people.flatMap(([hash, person]) =>
    emailsOf(prepared, hash, withMember(person, state, hash), { from, until }).emails.flatMap(email =>
      isSent(email) && state.lists.get(email.list)?.warm_up ? [{ ...email, hash }] : [],
    ),
  );
  return limitsOf(
    state.lists,
    emails.map(({ list, decidedAt, hash, automation }) => ({
      list,
      at: decidedAt,
      hash,
      isBroadcast: isBroadcast(automation),
    })),
    share,
    now,
  );
}

function withMember(person: claimStore.Person, { members }: State, hash: string): claimStore.Person {
  const member = members?.get(hash);
  if (!member) return person;
  return { ...person, memberships: new Map(person.memberships).set(member.list_id, member) };
}

/** Each with their earliest date. `share` is the part of the day whose dates could be read in time. */
async function peopleWithDates(
  { table, now, hasTimeLeft, mostDates = Number.POSITIVE_INFINITY }: Needs,
  sources: Dates[],
): Promise<{ people: Map<string, number>; share: number }> {
  // Each column once, though several automations may use it.
  const columns = new Map(sources.map(({ list, column }) => [`${list}#${column}`, { list, column }]));
  const people = new Map<string, number>();
  let share = 1;
  let read = 0;
  for await (const { rows, readUntil } of rowsAroundClock(table, [...columns.values()], now)) {
    for (const { hash, instant } of rows)
      people.set(hash, Math.min(instant.getTime(), people.get(hash) ?? Number.POSITIVE_INFINITY));
    share = (readUntil.getTime() - startOfMinute(now.getTime())) / DAY;
    read += rows.length;
    if (read >= mostDates || !hasTimeLeft(READING_PEOPLE)) break;
  }
  return { people, share };
}

/** Sorts at most twice as many as it returns, instead of a million. */
export function lowest(hashes: Iterable<string>, most: number): string[] {
  let found: string[] = [];
  /** Of the lowest so far, once there were enough to tell. */
  let highest: string | undefined;
  for (const hash of hashes) {
    if (highest !== undefined && hash > highest) continue;
    found.push(hash);
    if (found.length < 2 * most) continue;
    found = found.sort().slice(0, most);
    highest = found.at(-1);
  }
  return found.sort().slice(0, most);
}

/** Of all people, by the counts of those who were read. */
export const estimateOf = (counts: number[], all: number): Pick<Answer, 'scaled' | 'sampled'> => ({
  scaled: count => (counts.length > 0 ? Math.round((count * all) / counts.length) : 0),
  sampled: sampledFrom(counts, all),
});

/** The margin of error, at 95 percent, of a sum over `all` people that is estimated from some; null if these are all. */
export function sampledFrom(counts: number[], all: number): Sampled | null {
  const people = counts.length;
  if (people >= all) return null;
  if (people === 0) return { people, of: all, margin: 0 };
  const mean = counts.reduce((sum, count) => sum + count, 0) / people;
  const squares = counts.reduce((sum, count) => sum + count * count, 0) / people;
  const error = all * Math.sqrt((Math.max(0, squares - mean * mean) / people) * (1 - people / all));
  return { people, of: all, margin: Math.ceil(1.96 * error) };
}

export type Predicted = {
  automation: string;
  list: string;
  due: number;
  /** When a sender decides on it. */
  decidedAt: number;
  /** Of a broadcast: by the warm-up of its list. Known of what is sent alone. */
  daysLater?: number;
  /** A second or third email of its occurrence; known of what is sent alone. */
  isCopy?: boolean;
  /** It was due before its automation was switched on; known of what is sent alone. */
  isForExisting?: boolean;
  notSent?: NotSent;
  /** If a safeguard skips it, the automations whose emails fill the window of that safeguard. */
  insteadOf?: string[];
};

/** Of whom an automation is not for: neither sent nor skipped. */
type LeftOut = Pick<Predicted, 'automation' | 'list' | 'due'>;

export const isSent = ({ notSent }: Predicted) => notSent === undefined;
export const nameOf = ({ automation, due }: Predicted) => `${automation} ${due}`;

/** Each email is decided as a sender will, after those before it. */
function emailsOf(
  prepared: Prepared,
  hash: string,
  stored: claimStore.Person,
  { from, until }: Interval,
): { emails: Predicted[]; leftOut: LeftOut[] } {
  const emails: Predicted[] = [];
  const left: LeftOut[] = [];
  let person = stored;
  // What fell due in the last minutes may not be claimed yet.
  const interval = { from: new Date(from.getTime() - PUNCTUAL), until };
  for (const turn of turnsOf(prepared, person, interval)) {
    const { emails: sent, skips, leftOut } = decideOn(prepared, hash, person, turn);
    const claims = [...sent.map(({ claim }) => claim).reverse(), ...person.claims];
    const [newest] = claims;
    if (sent.length > 0 && newest) person = { ...person, claims, last: newest };
    const { due, decidedAt } = turn;
    if (due < from.getTime()) continue;
    for (const { automation, membership, claim } of sent) {
      const isCopy = !claim.key.endsWith('#1');
      const isForExisting = claim.existing ?? false;
      const list = membership.list_id;
      const daysLater = automation.broadcast ? (prepared.limits?.daysLater(list, decidedAt, hash) ?? 0) : 0;
      const sent = { due: due + daysLater * DAY, decidedAt, daysLater, isCopy, isForExisting };
      emails.push({ automation: automation.id, list, ...sent });
    }
    const sourceOf = (source: number) => prepared.sources[source] as Source;
    for (const source of leftOut) {
      const { automation, list } = sourceOf(source);
      left.push({ automation, list, due });
    }
    for (const { source, reason } of skips) {
      const { automation, list } = sourceOf(source);
      const instead = insteadOf(reason, claims, decidedAt);
      emails.push({ automation, list, due, decidedAt, notSent: reason, ...instead });
    }
  }
  return { emails, leftOut: left };
}

/** The dues of a person that a sender decides on together. `existing`: as in the sources of a pack. */
type Turn = { due: number; decidedAt: number; dues: Due[]; existing?: string };

function turnsOf({ state, now, byList }: Prepared, person: claimStore.Person, interval: Interval): Turn[] {
  const turns = new Map<string, Turn>();
  const add = (turn: Omit<Turn, 'dues'>, due: Due) => {
    const name = `${turn.due} ${turn.decidedAt} ${turn.existing}`;
    const known = turns.get(name) ?? { ...turn, dues: [] };
    turns.set(name, known);
    known.dues.push(due);
  };
  const { existing } = state;
  const quiet = endOfQuiet(state.organization, now)?.getTime();
  // As for the sweep: a person who may not be mailed has no trigger rows.
  const memberships = person.suppression ? [] : [...person.memberships];
  for (const [list, membership] of memberships.filter(([, { status }]) => status === 'subscribed')) {
    const zone = timeZoneOf(membership.metadata);
    for (const { place, rules } of byList.get(list) ?? []) {
      const rule = rules(zone);
      const trigger = triggerOf(membership, rule);
      // As in the row by which they are found.
      const owed: Due = [place, ownTrigger(membership, rule)?.toISOString().slice(0, 16) ?? ''];
      if (fixedTrigger(membership, rule)) {
        for (const { at } of fixedOccurrences(membership, rule)) {
          // The pass of a broadcast may go on now.
          const due = rule.broadcast
            ? Math.max(at.getTime(), quiet ?? startOfMinute(now.getTime()))
            : at.getTime();
          if (due < interval.from.getTime() || due >= interval.until.getTime()) continue;
          const since = rule.active_since ?? now.toISOString();
          add({ due, decidedAt: decidedFor(state, list, due, now), existing: since }, owed);
        }
        continue;
      }
      for (const { at } of dueOccurrences(trigger, rule, interval)) {
        const due = at.getTime();
        add({ due, decidedAt: decidedFor(state, list, due, now) }, owed);
      }
      if (existing?.automation !== rule.id || !existing.lists.includes(list)) continue;
      const before = now.toISOString();
      if (dueAlready(trigger, rule, membership, before).length === 0) continue;
      const due = quiet ?? startOfMinute(now.getTime());
      add({ due, decidedAt: decidedFor(state, list, due, now), existing: before }, owed);
    }
  }
  return [...turns.values()].sort((a, b) => a.decidedAt - b.decidedAt || a.due - b.due);
}

/** When a sender decides on what is due: a list may be paused, and what is late waits for the end of quiet hours. */
function decidedFor({ lists, organization }: State, id: string, due: number, now: Date): number {
  const list = lists.get(id);
  // A list without a key is skipped at once; one whose key is refused waits until it has another.
  if (list && isRefused(list)) return Number.POSITIVE_INFINITY;
  const paused = list && !lackOf(list) ? pausedUntil(list, now)?.getTime() : undefined;
  const decided = Math.max(due + MINUTE, now.getTime(), paused ?? 0);
  return quietUntil(organization, new Date(due), new Date(decided))?.getTime() ?? decided;
}

/** The id of the pack for `decide`, which is never queued. */
const PREDICTED = 'predicted';

function decideOn(
  { state, sources }: Prepared,
  hash: string,
  person: claimStore.Person,
  { due, decidedAt, dues, existing }: Turn,
) {
  const all = (reason: NotSent) => ({
    emails: [],
    leftOut: [],
    skips: dues.map(([source]) => ({ source, reason })),
  });
  if (decidedAt === Number.POSITIVE_INFINITY) return all('key_refused');
  const pack = {
    id: PREDICTED,
    minute: minuteOf(new Date(due)),
    sources: existing === undefined ? sources : sources.map(source => ({ ...source, existing })),
  };
  const now = new Date(decidedAt);
  if (isStale(pack, now)) return all('stale');
  return decide(state, pack, { candidate: [hash, dues], person }, now);
}

function insteadOf(
  reason: NotSent,
  claims: journal.Claim[],
  decidedAt: number,
): Pick<Predicted, 'insteadOf'> {
  const window = WINDOWS.find(({ field }) => reason === `capped:${field}`);
  if (!window) return {};
  const since = new Date(decidedAt - MINUTE - window.length).toISOString();
  const within = claims.filter(claim => claim.at > since);
  return { insteadOf: [...new Set(within.map(({ automation_id }) => automation_id))] };
}
