import * as users from '#core/account/user.ts';
import * as automations from '#core/automation/automation.store.ts';
import { triggerOf } from '#core/automation/due/rule.ts';
import * as lists from '#core/list/list.store.ts';
import type { MemberWithList } from '#core/list/list-member/list-member.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as switchesStore from '#core/organization/switches.store.ts';
import * as switches from '#core/organization/switches.ts';
import { inParallel } from '#core/parallel.ts';
import * as recipient from '#core/recipient/journal.store.ts';
import * as batches from '#core/sending/batch/read.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { readSkipsOf } from '#core/sending/skip.store.ts';
import { readSendingState, ruleFor } from '#core/sending/state.ts';
import type { Table } from '#core/storage/table.store.ts';
import { EXPLAINED_DAYS, type Explanation, MOST_EXPLAINED } from '#shared/explanation.ts';
import type { Skipped } from '#shared/send-status.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import { nextOf, obstaclesTo } from './next.ts';
import { type Facts, owedBetween, pastOf, withoutClaim } from './past.ts';

const MOST_ENTRIES = 1_000;
const MOST_SWITCHED = 20;
const MOST_AT_ONCE = 10;

type Needs = { table: Table; now: Date };

/**
 * Explains what an automation has sent to a list member, what it has not, and what it sends next: from the journal, the
 * skips, the record of switches and the present schedule. Nothing is stored for it.
 */
export async function explain(
  { table, now }: Needs,
  { list, key, state: { head, membership } }: MemberWithList,
  automation: automations.StoredAutomation,
): Promise<Explanation> {
  const { organization, hash } = key;
  const earliest = Math.max(now.getTime() - EXPLAINED_DAYS * DAY, Date.parse(membership.created_at));
  const since = new Date(startOfMinute(earliest));
  const [sending, linked, limits, { entries: journal }, switched, stopped] = await Promise.all([
    readSendingState(table, organization, [{ list: list.id, automation: automation.id }]),
    automations.readLinked(table, organization, [automation.id]),
    safeguards.read(table, organization),
    recipient.readJournal(table, key, { since: since.toISOString(), most: MOST_ENTRIES }),
    switchesStore.readSince(table, organization, since),
    switchesStore.readSince(table, undefined, since),
  ]);
  const trigger = triggerOf(membership, automation);
  const named = { list: list.id, automation };
  const rule = { ...automation, ...ruleFor(sending, list.id, automation, membership.metadata) };
  const claims = journal.filter(recipient.isClaim);
  const own = claims.filter(({ automation_id }) => automation_id === automation.id);
  const [outcomes, listNames] = await Promise.all([
    batches.readOutcomes({ table, now }, key, own),
    namesOf(table, organization, own),
  ]);
  const facts: Facts = {
    ...{ automation: rule, list, trigger, journal, outcomes, switched, stopped, listNames },
    stage: sending.stage,
    organization: { active: sending.organization?.active ?? false, stop: sending.organization?.stop },
  };
  const due = owedBetween(facts, since, now).slice(0, MOST_EXPLAINED);
  const skipped = new Map<number, Skipped>();
  await inParallel(withoutClaim(facts, due), MOST_AT_ONCE, async ({ at }) => {
    const skips = await readSkipsOf(table, organization, minuteOf(at), hash);
    const skip = skips.find(one => one.automation === automation.id && one.list === list.id);
    if (skip) skipped.set(at.getTime(), skip.reason);
  });
  const next = nextOf({ automation: rule, trigger, claims, limits, now });
  const member = { status: membership.status, isSuppressed: head?.suppression !== undefined, trigger };
  const isOver = trigger !== undefined && next === null;
  return {
    automation: { id: automation.id, name: automation.name },
    trigger_column: automation.metadata_trigger,
    trigger_value: trigger?.toISOString() ?? null,
    obstacles: obstaclesTo(sending, named, linked.get(automation.id) ?? {}, member, isOver),
    next,
    past: pastOf(facts, due, skipped).slice(0, MOST_EXPLAINED),
    since: since.toISOString(),
    switched: await shownSwitches(table, inOrder(switched, stopped), facts),
  };
}

async function namesOf(table: Table, organization: number, claims: recipient.Claim[]) {
  const ids = [...new Set(claims.map(({ list_id }) => list_id))];
  return new Map((await lists.readThese(table, organization, ids)).map(({ id, name }) => [id, name]));
}

const inOrder = (...all: switchesStore.Switched[][]) => all.flat().sort((a, b) => (a.at < b.at ? -1 : 1));

type Switched = Explanation['switched'];

/** The switches that this member and this automation depend on, with the names of the users. */
async function shownSwitches(
  table: Table,
  all: switchesStore.Switched[],
  { automation, list }: Pick<Facts, 'automation' | 'list'>,
): Promise<Switched> {
  const about: switchesStore.Switch[] = [
    'organization',
    'safeguards',
    'sending',
    `list#${list.id}`,
    `automation#${automation.id}`,
  ];
  const shown = all
    .filter(({ what, on }) => on !== undefined && about.includes(what))
    .toReversed()
    .slice(0, MOST_SWITCHED);
  const people = await users.findAll({ table }, [...new Set(shown.flatMap(({ by }) => by ?? []))]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return shown.map(({ at, what, on = false, by }) => ({
    ...{ at, on },
    what: what.split('#')[0] as Switched[number]['what'],
    by: by === switches.OPERATOR ? by : (names.get(by ?? '') ?? null),
  }));
}
