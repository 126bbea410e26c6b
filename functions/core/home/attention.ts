import type { Linked, StoredAutomation } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.store.ts';
import { eligibilityOf } from '#core/automation/automation.ts';
import type { StoredList } from '#core/list/list.store.ts';
import * as lists from '#core/list/list.store.ts';
import type { StoredWebhook } from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import type { Active } from '#core/organization/organization.ts';
import * as reports from '#core/reporting/report.ts';
import * as batches from '#core/sending/batch/batch.store.ts';
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
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import { compareNames } from '#shared/names.ts';
import type { Range } from '#shared/report/range.ts';
import { neverSends } from '#shared/schedule.ts';

type Needs = { table: Table; now: Date };

/** More notices would need pages, and the pages of lists, automations and the log show the same. */
const MOST_NOTICES = 20;

/** The notices of what keeps an organization from sending, or puts its sending at risk. */
export async function attention(needs: Needs, { organization }: Active): Promise<Attention> {
  const range = reports.lastDays(ATTENTION_DAYS, needs.now);
  const notices = noticesOf(await readFacts(needs.table, organization, range));
  return {
    notices: notices.slice(0, MOST_NOTICES),
    left_out: Math.max(0, notices.length - MOST_NOTICES),
    ...range,
  };
}

/** How many are read: of more, the first webhooks and the newest batches. */
const MOST_WEBHOOKS = 200;
const MOST_UNKNOWN_BATCHES = 500;

/**
 * Reads each kind of fact with one query, whatever the number of emails and members: docs/table.md lists what each reads.
 * There are at most 1,000 lists and 1,000 automations, of which 100 are active.
 */
async function readFacts(table: Table, organization: Active['organization'], range: Range): Promise<Facts> {
  const { id } = organization;
  const [allLists, active, hooks, unknown, behindSince, sums] = await Promise.all([
    lists.readAllUncounted(table, id),
    readActive(table, id),
    webhooks.readFirst(table, id, MOST_WEBHOOKS),
    batches.countUnknown(table, id, range.start_date, MOST_UNKNOWN_BATCHES),
    sweep.behindSince(table, id),
    reports.totalOf(table, id, range),
  ]);
  return { organization, lists: allLists, ...active, webhooks: hooks, unknown, behindSince, sums };
}

async function readActive(table: Table, organization: number) {
  const active = (await automations.readAll(table, organization)).filter(one => one.active);
  const linked = await automations.readLinked(
    table,
    organization,
    active.map(({ id }) => id),
  );
  return { automations: active, linked };
}

/** The facts that the checks need. */
type Facts = {
  organization: { active: boolean };
  lists: StoredList[];
  /** The active automations. */
  automations: StoredAutomation[];
  /** The active linked content of these automations. */
  linked: Map<string, Linked>;
  webhooks: StoredWebhook[];
  /** How many emails of the last days are unknown. */
  unknown: number;
  behindSince: Date | undefined;
  /** The sums of the last days. */
  sums: { sent: number; bounced: number; complained: number };
};

type NoticeFields = Partial<Omit<Notice, 'kind'>>;

/** Finds what each kind of notice is about; nothing if all is well. */
const CHECKS: Record<NoticeKind, (facts: Facts) => NoticeFields[]> = {
  organization_off: ({ organization }) => (organization.active ? [] : [{}]),
  key_refused: ({ lists }) =>
    lists
      .filter(list => list.active && isRefused(list))
      .map(list => ({ ...named(list), since: list.connection?.tested_at ?? null })),
  behind: ({ behindSince }) => (behindSince ? [{ since: behindSince.toISOString() }] : []),
  complaint_rate: ({ sums }) => rate('complained', sums),
  bounce_rate: ({ sums }) => rate('bounced', sums),
  unknown: ({ unknown }) => (unknown > 0 ? [{ count: unknown }] : []),
  no_content: ({ automations, linked }) =>
    automations.flatMap(automation => {
      const eligibility = eligibilityOf(linked.get(automation.id));
      const missing = REQUIRED_PARTS.filter(part => !eligibility[part]);
      return missing.length > 0 ? [{ ...named(automation), missing }] : [];
    }),
  no_list: facts => facts.automations.filter(one => listsOf(facts, one).length === 0).map(named),
  never_sends: ({ automations }) => automations.filter(neverSends).map(named),
  list_off: facts => facts.automations.filter(one => cannotSend(facts, one, list => !list.active)).map(named),
  no_key: facts => {
    const keyless = facts.automations.flatMap(one =>
      listsOf(facts, one).filter(list => list.active && !list.sending_key),
    );
    return [...new Set(keyless)].map(named);
  },
  webhook_off: ({ webhooks }) =>
    webhooks
      .filter(({ active, switched_off }) => !active && switched_off)
      .map(webhook => ({ ...ofWebhook(webhook), since: webhook.switched_off?.at ?? null })),
  webhook_failing: ({ webhooks }) =>
    webhooks
      .filter(({ active, failing_since }) => active && failing_since)
      .map(webhook => ({ ...ofWebhook(webhook), since: webhook.failing_since ?? null })),
};

/** The notices, sorted by kind, then by name. */
const noticesOf = (facts: Facts): Notice[] =>
  NOTICES.flatMap(kind =>
    CHECKS[kind](facts)
      .map(found => ({ ...NOTHING, ...found, kind }))
      .sort((a, b) => compareNames(a.name ?? '', b.name ?? '')),
  );

const NOTHING = { id: null, name: null, count: null, sent: null, since: null, missing: [] };

const named = ({ id, name }: { id: string; name: string }): NoticeFields => ({ id, name });
const ofWebhook = ({ list_id, name }: StoredWebhook): NoticeFields => ({ id: list_id, name });

const isRefused = ({ sending_key, connection }: StoredList) =>
  sending_key !== undefined && connection?.valid === false;

const listsOf = ({ lists }: Facts, { email_list_ids }: StoredAutomation) =>
  lists.filter(({ id }) => email_list_ids.includes(id));

/** Whether the same reason keeps all lists of an automation from sending. */
function cannotSend(facts: Facts, automation: StoredAutomation, reason: (list: StoredList) => boolean) {
  const lists = listsOf(facts, automation);
  return lists.length > 0 && lists.every(reason);
}

function rate(counted: keyof typeof HIGHEST_RATES, sums: Facts['sums']): NoticeFields[] {
  const { sent, [counted]: count } = sums;
  return sent > 0 && count / sent > HIGHEST_RATES[counted] ? [{ count, sent }] : [];
}
