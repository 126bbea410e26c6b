import type { Linked, StoredAutomation } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.store.ts';
import { eligibilityOf } from '#core/automation/automation.ts';
import * as broadcasts from '#core/automation/broadcast.store.ts';
import { isChecked } from '#core/list/domain-check.ts';
import { withVerified } from '#core/list/identity.store.ts';
import type { StoredList } from '#core/list/list.store.ts';
import * as lists from '#core/list/list.store.ts';
import { isKeyRefused, type Lack, lackOf } from '#core/list/providers.ts';
import type { StoredWebhook } from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import type { Active } from '#core/organization/organization.ts';
import * as reports from '#core/reporting/report.ts';
import * as batches from '#core/sending/batch/batch.store.ts';
import { queueOf } from '#core/sending/pace.ts';
import * as sweep from '#core/sending/sweep/sweep.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import {
  ATTENTION_DAYS,
  type Attention,
  HIGHEST_RATES,
  NOTICES,
  type Notice,
  type NoticeKind,
} from '#shared/attention.ts';
import { isResumable } from '#shared/broadcast-state.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import type { Paused } from '#shared/guard.ts';
import { compareNames } from '#shared/names.ts';
import { needsKey, providersOf } from '#shared/providers.ts';
import type { Range } from '#shared/report/range.ts';
import { neverSends } from '#shared/schedule.ts';
import { DAY } from '#shared/time.ts';

type Needs = { table: Table; now: Date };

/** More notices would need pages, and the pages of lists, automations and the log show the same. */
const MOST_NOTICES = 20;
/** The home page makes a call for each, and then asks again. */
const MOST_UNCHECKED = 5;

export async function attention(needs: Needs, { organization }: Active): Promise<Attention> {
  const range = reports.lastDays(ATTENTION_DAYS, needs.now);
  const facts = await readFacts(needs, organization, range);
  const notices = noticesOf(facts);
  const unchecked = listsInUse(facts).filter(list => !isChecked(list, needs.now));
  return {
    notices: notices.slice(0, MOST_NOTICES),
    left_out: Math.max(0, notices.length - MOST_NOTICES),
    unchecked: unchecked.slice(0, MOST_UNCHECKED).map(({ id }) => id),
    ...range,
  };
}

/** Of more, the first webhooks, the newest batches and broadcasts. */
const MOST_WEBHOOKS = 200;
const MOST_UNKNOWN_BATCHES = 500;
const MOST_BROADCASTS = 100;

/** One query for each kind of fact, whatever the number of emails and members: see docs/table.md. */
async function readFacts(
  { table, now }: Needs,
  organization: Active['organization'],
  range: Range,
): Promise<Facts> {
  const { id } = organization;
  const [allLists, active, newest, hooks, unknown, behindSince, sums] = await Promise.all([
    lists.readAllUncounted(table, id).then(all => withVerified(table, all)),
    readActive(table, id),
    broadcasts.readAll(table, id, MOST_BROADCASTS),
    webhooks.readFirst(table, id, MOST_WEBHOOKS),
    batches.countUnknown(table, id, range.start_date, MOST_UNKNOWN_BATCHES),
    sweep.behindSince(table, id),
    reports.totalOf(table, id, range),
  ]);
  const names = new Set(allLists.filter(list => list.active).flatMap(providersOf));
  const queues = await Promise.all(
    [...names].map(name => (needsKey(name) ? undefined : queueOf(table, name, now))),
  );
  const queue = queues.find(found => found !== undefined);
  const resumable = newest.filter(broadcast => isResumable(broadcast, now));
  const counted = { unknown, behindSince, sums };
  return { now, organization, lists: allLists, ...active, resumable, webhooks: hooks, queue, ...counted };
}

async function readActive(table: Table, organization: number) {
  const all = await automations.readAll(table, organization);
  const active = all.filter(automation => automation.active);
  const linked = await automations.readLinked(
    table,
    organization,
    active.map(({ id }) => id),
  );
  return { automations: active, paused: all.filter(automation => automation.paused), linked };
}

type Facts = {
  now: Date;
  organization: { active: boolean };
  lists: StoredList[];
  /** The active automations. */
  automations: StoredAutomation[];
  /** Those that the guard has paused. */
  paused: StoredAutomation[];
  linked: Map<string, Linked>;
  /** The broadcasts that were stopped, and can be sent to the rest. */
  resumable: broadcasts.StoredBroadcast[];
  webhooks: StoredWebhook[];
  unknown: number;
  behindSince: Date | undefined;
  queue: { until: Date; perSecond: number } | undefined;
  sums: { sent: number; bounced: number; complained: number };
};

type NoticeFields = Partial<Omit<Notice, 'kind'>>;

/** Nothing if all is well. */
const CHECKS: Record<NoticeKind, (facts: Facts) => NoticeFields[]> = {
  organization_off: ({ organization }) => (organization.active ? [] : [{}]),
  key_refused: ({ lists }) =>
    lists
      .filter(list => list.active && isKeyRefused(list))
      .map(list => ({ ...named(list), since: list.connection?.tested_at ?? null })),
  behind: ({ behindSince }) => (behindSince ? [{ since: behindSince.toISOString() }] : []),
  guard_paused: ({ paused }) => paused.flatMap(automation => ofGuard(automation, automation.paused)),
  guard_warned: ({ automations, now }) =>
    automations.flatMap(automation =>
      now.getTime() - Date.parse(automation.warned?.at ?? '') < DAY
        ? ofGuard(automation, automation.warned)
        : [],
    ),
  paced: ({ queue }) => (queue ? [{ since: queue.until.toISOString(), count: queue.perSecond }] : []),
  complaint_rate: ({ sums }) => rate('complained', sums),
  bounce_rate: ({ sums }) => rate('bounced', sums),
  broadcast_stopped: ({ resumable }) =>
    resumable.map(broadcast => ({ ...named(broadcast), since: broadcast.stopped?.at ?? null })),
  unknown: ({ unknown }) => (unknown > 0 ? [{ count: unknown }] : []),
  no_content: ({ automations, linked }) =>
    automations.flatMap(automation => {
      const eligibility = eligibilityOf(linked.get(automation.id));
      const missing = REQUIRED_PARTS.filter(part => !eligibility[part]);
      return missing.length > 0 ? [{ ...named(automation), missing }] : [];
    }),
  no_list: facts =>
    facts.automations.filter(automation => listsOf(facts, automation).length === 0).map(named),
  never_sends: ({ automations }) => automations.filter(neverSends).map(named),
  list_off: facts =>
    facts.automations.filter(automation => cannotSend(facts, automation, list => !list.active)).map(named),
  no_key: facts => lacking(facts, 'no_key'),
  not_verified: facts => lacking(facts, 'not_verified'),
  domain_broken: facts =>
    listsInUse(facts).flatMap(list => {
      const count = list.domain_check?.findings.filter(({ state }) => state === 'broken').length;
      return count ? [{ ...named(list), count }] : [];
    }),
  webhook_off: ({ webhooks }) =>
    webhooks
      .filter(({ active, switched_off }) => !active && switched_off)
      .map(webhook => ({ ...ofWebhook(webhook), since: webhook.switched_off?.at ?? null })),
  webhook_failing: ({ webhooks }) =>
    webhooks
      .filter(({ active, failing_since }) => active && failing_since)
      .map(webhook => ({ ...ofWebhook(webhook), since: webhook.failing_since ?? null })),
};

/** By kind, then by name. */
const noticesOf = (facts: Facts): Notice[] =>
  NOTICES.flatMap(kind =>
    CHECKS[kind](facts)
      .map(found => ({ ...NOTHING, ...found, kind }))
      .sort((a, b) => compareNames(a.name ?? '', b.name ?? '')),
  );

const NOTHING = { id: null, name: null, count: null, sent: null, since: null, missing: [] };

const ofGuard = (automation: StoredAutomation, found: Paused | undefined): NoticeFields[] =>
  found ? [{ ...named(automation), since: found.at, count: found.events, sent: found.sent }] : [];

const named = ({ id, name }: { id: string; name: string }): NoticeFields => ({ id, name });
const ofWebhook = ({ list_id, name }: StoredWebhook): NoticeFields => ({ id: list_id, name });

const listsOf = ({ lists }: Facts, { email_list_ids }: StoredAutomation) =>
  lists.filter(({ id }) => email_list_ids.includes(id));

/** Active lists of automations that cannot send for this reason. */
function lacking(facts: Facts, lack: Lack): NoticeFields[] {
  return listsInUse(facts)
    .filter(list => lackOf(list) === lack)
    .map(named);
}

const listsInUse = ({ lists, automations }: Facts) =>
  lists.filter(({ active, id }) => active && automations.some(of => of.email_list_ids.includes(id)));

/** The same reason keeps all of its lists from sending. */
function cannotSend(facts: Facts, automation: StoredAutomation, reason: (list: StoredList) => boolean) {
  const lists = listsOf(facts, automation);
  return lists.length > 0 && lists.every(reason);
}

function rate(counted: keyof typeof HIGHEST_RATES, sums: Facts['sums']): NoticeFields[] {
  const { sent, [counted]: count } = sums;
  return sent > 0 && count / sent > HIGHEST_RATES[counted] ? [{ count, sent }] : [];
}
