import * as automations from '#core/automation/automation.store.ts';
import * as combinations from '#core/content/combination.ts';
import { cursorFor, positionOf } from '#core/id.ts';
import * as lists from '#core/list/list.store.ts';
import * as sent from '#core/recipient/claim.ts';
import * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import {
  type EmailSend,
  type EmailSendDetails,
  type EmailSendsPage,
  type EmailSendsQuery,
  type SkippedEmails,
  type SkippedQuery,
  STEPS,
  type Step,
} from '#shared/send.ts';
import { DELETED, type Skipped } from '#shared/send-status.ts';
import { parseBatchId } from '../batch/batch.store.ts';
import * as outcomeStore from '../batch/outcome.ts';
import type { IndexedEvent } from '../event-index.store.ts';
import { instantOf } from '../pack.ts';
import { type FoundEmail, subjectOf } from './email.ts';
import {
  MOST_QUERIES,
  minuteIn,
  newestBatches,
  newestIndexed,
  newestSkips,
  type Reading,
} from './log.store.ts';
import {
  cursorOf,
  type End,
  endOf,
  type Filter,
  isAfter,
  isHappened,
  isMatch,
  isOfStatus,
  isOnDays,
  isOpened,
  MARKS,
  matches,
  notOfThisLog,
  type Position,
  positionIn,
  type Row,
  type RowPart,
} from './query.ts';
import { overSpans, sentRows, spansOf } from './sent-rows.ts';

type Needs = { table: Table; now: Date };

const MOST_COUNTED = 100_000;

/** Without a cursor (`after`), the emails of the pages before are counted, so a page far from the first one is refused. */
export async function page(
  needs: Needs,
  organizationId: number,
  { page, per_page, after, recipient: address, ...filter }: EmailSendsQuery,
): Promise<EmailSendsPage> {
  const asked = { ...filter, address };
  const start = after === undefined ? undefined : positionIn(positionOf(asked, after) ?? '');
  const before = start ? 0 : (page - 1) * per_page;
  if (before > MOST_COUNTED) throw tooFar(page);
  const hash = address && recipientKey.hashOf(address);
  const rows: Row[] = [];
  let count = 0;
  let reached: Position | undefined;
  let since: string | undefined;
  for await (const part of rowsOf(needs, organizationId, { ...filter, hash }, start)) {
    const found = part.rows.filter(({ position }) => isAfter(position, start));
    rows.push(...found.slice(Math.max(0, before - count)));
    count += found.length;
    ({ reached, since } = part);
    if (rows.length > per_page) break;
  }
  const isMore = rows.length > per_page;
  const isBounded = reached !== undefined && !isMore;
  if (isBounded && count < before) throw tooFar(page);
  const shownRows = rows.slice(0, per_page);
  const next = isMore ? shownRows.at(-1)?.position : reached;
  return {
    data: await shown(needs, organizationId, shownRows),
    meta: {
      current_page: page,
      last_page: isMore ? page + 1 : start || isBounded ? page : Math.max(1, Math.ceil(count / per_page)),
      searched_since: isBounded && since ? instantOf(since).toISOString() : null,
      next: next ? cursorFor(asked, cursorOf(next)) : null,
    },
  };
}

const tooFar = (page: number): Error =>
  invalid('page', `Page ${page} is too far from the first one to be opened.`);

/** Skips are left out unless the filter asks for them. */
function rowsOf(
  needs: Needs,
  organization: number,
  filter: Filter,
  start: Position | undefined,
): AsyncIterable<RowPart> {
  const { status, hash } = filter;
  const reading = { table: needs.table, organization, start, left: { queries: MOST_QUERIES } };
  if (status === 'skipped') return skippedRows(reading, filter);
  if (hash !== undefined) return rowsOfRecipient(needs, reading, { ...filter, hash });
  if (isHappened(status) && !isOpened(status)) return rowsOfEvent(reading, status, filter);
  const spans = spansOf(reading, needs.now, filter);
  const batches = overSpans(reading, spans, span => newestBatches(reading, filter, span));
  return sentRows(needs, reading, filter, batches);
}

type SkippedPart = RowPart & { rows: (Row & { end: { reason: Skipped } })[] };

/** One row for each occurrence, even if two packs have skipped it. */
async function* skippedRows(reading: Reading, filter: Filter): AsyncGenerator<SkippedPart> {
  // A skipped email has no combination.
  if (filter.combination) return;
  let known = new Set<string>();
  let minute = '';
  for await (const { entries, reached, since } of newestSkips(reading, filter)) {
    const rows: SkippedPart['rows'] = [];
    for (const { key, skips } of entries) {
      for (const [index, skip] of skips.entries()) {
        if (skip.minute !== minute) [known, minute] = [new Set(), skip.minute];
        const id = [skip.minute, skip.hash, skip.list, skip.automation].join('.');
        if (known.has(id)) continue;
        known.add(id);
        if (!matches(filter, skip) || !isOnDays(filter, skip.minute)) continue;
        const { hash, list, automation, reason } = skip;
        const at = instantOf(minute).toISOString();
        const position = { key, count: index + 1 };
        rows.push({ id, position, hash, list, automation, end: { status: 'skipped', reason, at } });
      }
    }
    yield { rows, reached, since };
  }
}

// A page that shows the count is opened often, and most organizations skip little.
const MOST_QUERIES_OF_COUNT = 8;

/** Of the newest ones, if there are too many for a call. */
export async function countSkipped(
  { table }: Pick<Needs, 'table'>,
  organization: number,
  { automations, ...filter }: SkippedQuery,
): Promise<SkippedEmails> {
  const counts = new Map(automations?.map(id => [id, new Map<Skipped, number>()]));
  const reading = { table, organization, left: { queries: MOST_QUERIES_OF_COUNT } };
  let last: RowPart | undefined;
  for await (const part of skippedRows(reading, filter)) {
    for (const { automation, end } of part.rows) {
      if (!automations && !counts.has(automation)) counts.set(automation, new Map());
      const ofAutomation = counts.get(automation);
      ofAutomation?.set(end.reason, (ofAutomation.get(end.reason) ?? 0) + 1);
    }
    last = part;
  }
  return {
    automations: [...counts].flatMap(([automation_id, byReason]) => {
      const reasons = [...byReason].map(([reason, count]) => ({ reason, count }));
      const count = reasons.reduce((sum, one) => sum + one.count, 0);
      return count === 0
        ? []
        : [{ automation_id, count, reasons: reasons.sort((a, b) => b.count - a.count) }];
    }),
    counted_since: last?.since ? instantOf(last.since).toISOString() : null,
  };
}

async function* rowsOfRecipient(
  { now }: Needs,
  { table, organization, start }: Reading,
  { hash, ...filter }: Filter & { hash: string },
): AsyncGenerator<RowPart> {
  const key = { organization, hash };
  // Positions of the log descend. The sort key of an entry ascends, so a position has the number of the entry instead.
  const before = start && seqOf(start);
  for await (const { claims, isEnd, reached } of journal.newestClaims(table, key, before)) {
    const matching = claims.filter(claim => isMatch(filter, claim));
    const outcomes = await outcomeStore.readOutcomes({ table, now }, key, matching);
    const rows = matching.flatMap((claim): Row[] => {
      const outcome = outcomes.get(claim.seq);
      return outcome && isOfStatus(filter, outcome, claim) ? [rowOf(hash, claim, outcome)] : [];
    });
    const last = claims.at(-1);
    yield {
      rows,
      reached: isEnd ? undefined : entryPosition(reached),
      since: isEnd || !last ? undefined : minuteIn(last.at),
    };
  }
}

function rowOf(
  hash: string,
  { seq, list_id: list, automation_id: automation }: journal.Claim,
  outcome: outcomeStore.Settled | undefined,
): Row {
  const end = outcome && { end: endOf(outcome, outcome.head) };
  const id = recipientKey.claimId({ hash, seq });
  return { id, position: entryPosition(seq), hash, seq, list, automation, ...end };
}

const DIGITS = 10;

/** A cursor of another log, which has an instant, is refused. */
function seqOf({ key }: Position): number {
  if (!/^\d{10}$/.test(key)) throw notOfThisLog();
  return Number(key);
}
const entryPosition = (seq: number): Row['position'] => ({
  key: String(seq).padStart(DIGITS, '0'),
  count: 1,
});

async function* rowsOfEvent(reading: Reading, event: IndexedEvent, filter: Filter): AsyncGenerator<RowPart> {
  for await (const { entries, reached, since } of newestIndexed(reading, event, filter)) {
    const matching = entries.filter(({ email }) => matches(filter, email) && isOnDays(filter, email.at));
    yield {
      rows: matching.map(({ key, email: { hash, seq, list, automation } }) => ({
        id: recipientKey.claimId({ hash, seq }),
        position: { key, count: 1 },
        hash,
        seq,
        list,
        automation,
      })),
      reached,
      since,
    };
  }
}

const MARK_STEPS = {
  ...MARKS,
  delivered: 'delivered_at',
  rejected: 'rejected_at',
  machine_clicked: 'machine_clicked_at',
  resubscribed: 'resubscribed_at',
} as const satisfies Partial<Record<Step, keyof journal.Marks>>;

/** One email, with what the journal and its batch know of it. */
export async function details(needs: Needs, { key, claim }: FoundEmail): Promise<EmailSendDetails> {
  const outcomes = await outcomeStore.readOutcomes(needs, key, [claim]);
  const outcome = outcomes.get(claim.seq);
  const [send] = await shown(needs, key.organization, [rowOf(key.hash, claim, outcome)]);
  if (!send || claim.released) throw new Refusal('not-found', 'Email not found');
  const instants: Partial<Record<Step, string | undefined>> = {
    due: instantOf(parseBatchId(claim.batch).minute).toISOString(),
    claimed: claim.at,
    // While the batch is posted, there is none.
    answered: outcome?.head.at,
    ...Object.fromEntries(Object.entries(MARK_STEPS).map(([step, mark]) => [step, claim[mark]])),
  };
  const steps = STEPS.flatMap(step => {
    const at = instants[step];
    return at ? [{ step, at }] : [];
  });
  return { ...send, steps: steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)) };
}

/** Reads what is shown of some rows, as it is now. */
export async function shown({ table, now }: Needs, organization: number, rows: Row[]): Promise<EmailSend[]> {
  const [people, foundLists, foundAutomations] = await Promise.all([
    sent.readSent(table, organization, rows),
    lists.readThese(table, organization, [...new Set(rows.map(({ list }) => list))]),
    automations.readThese(table, organization, [...new Set(rows.map(({ automation }) => automation))]),
  ]);
  const open = rows.flatMap(({ end }, index) => (end ? [] : (people[index]?.claim?.batch ?? [])));
  const combinationIds = people.flatMap(({ claim }) => claim?.combination ?? []);
  const [answered, subjects] = await Promise.all([
    outcomeStore.readAnswered(table, organization, open),
    combinations.subjects(table, organization, [...new Set(combinationIds)]),
  ]);
  const endIn = ({ hash, seq = 0 }: Row, claim: journal.Claim | undefined): End => {
    const found = answered.find(({ head }) => head.batch === claim?.batch);
    const outcome =
      found && outcomeStore.settledOutcome(outcomeStore.outcomeOf(found, { hash, seq }, now), claim);
    const head = found?.head ?? { at: claim?.at ?? now.toISOString() };
    return endOf(outcome ?? { status: 'sent', reason: null }, head);
  };
  return rows.map((row, index): EmailSend => {
    const { id, hash } = row;
    const list = foundLists.find(({ id }) => id === row.list);
    const automation = foundAutomations.find(({ id }) => id === row.automation);
    const { email = DELETED, membership, claim } = people[index] ?? {};
    const end = row.end ?? endIn(row, claim);
    const { status, reason } = outcomeStore.shownOutcome(end, claim);
    const subject =
      claim &&
      subjectOf({ claim, chosen: subjects.get(claim.combination), automation, membership, list }).subject;
    const { opened_at = null, first_clicked_at = null, unsubscribed_at = null } = claim ?? {};
    return {
      id,
      status,
      reason,
      sent_at: end.at,
      provider: end.provider ?? null,
      email_list_id: row.list,
      email_list_name: list?.name ?? DELETED,
      automation_id: row.automation,
      automation_name: automation?.name ?? DELETED,
      combination_id: claim?.combination ?? null,
      subject: subject ?? null,
      recipient_email: email,
      list_member_id: membership ? recipientKey.memberId(row.list, hash) : null,
      is_opened: opened_at !== null,
      opened_at,
      is_clicked: first_clicked_at !== null,
      first_clicked_at,
      unsubscribed_at,
      is_bounced: claim?.bounced_at !== undefined,
      bounce_reason: claim?.bounce_reason ?? null,
      is_complained: claim?.complained_at !== undefined,
      is_resent: claim?.resend !== undefined,
    };
  });
}
