import {
  DELETED,
  type EmailSend,
  type EmailSendsPage,
  type EmailSendsQuery,
} from '../../../../shared/send.ts';
import * as automations from '../../automation/automation/automation.ts';
import * as lists from '../../list/list/list.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import { invalid } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import * as batches from '../batch/batch.ts';
import { instantOf } from '../pack/pack.ts';
import type { SkippedSend } from '../skip/skip.ts';
import { type LogPart, newestBatches, newestBatchesWith, newestSkips } from './log.store.ts';

type Needs = { table: Table; now: Date };

type Row = Pick<EmailSend, 'id' | 'status' | 'reason'> & {
  hash: string;
  /** Undefined where it was never claimed. */
  seq?: number;
  at: string;
  list: string;
  automation: string;
};

const MOST_COUNTED = 100_000;

/** A page of an organization's emails. The rows before it are read too, so far pages are refused. */
export async function page(
  needs: Needs,
  organizationId: number,
  { page, per_page, status }: EmailSendsQuery,
): Promise<EmailSendsPage> {
  const before = (page - 1) * per_page;
  if (before > MOST_COUNTED) throw tooFar(page);
  const rows: Row[] = [];
  let count = 0;
  let since: string | undefined;
  for await (const part of rowsWith(needs, organizationId, status)) {
    rows.push(...part.entries.slice(Math.max(0, before - count)));
    count += part.entries.length;
    since = part.since;
    if (rows.length > per_page) break;
  }
  const isMore = rows.length > per_page;
  const isBounded = since !== undefined && !isMore;
  if (isBounded && count < before) throw tooFar(page);
  return {
    data: await shown(needs.table, organizationId, rows.slice(0, per_page)),
    meta: {
      current_page: page,
      last_page: isMore ? page + 1 : isBounded ? page : Math.max(1, Math.ceil(count / per_page)),
      searched_since: isBounded && since ? instantOf(since).toISOString() : null,
    },
  };
}

const tooFar = (page: number) => invalid('page', `Page ${page} is too far from the first one to be opened.`);

/** The rows with a status; without one, all but the skipped. */
async function* rowsWith(
  { table, now }: Needs,
  organization: number,
  status: EmailSendsQuery['status'],
): AsyncGenerator<LogPart<Row>> {
  if (status === 'skipped') {
    yield* skippedRows(table, organization);
    return;
  }
  const parts =
    status === 'failed' || status === 'unknown'
      ? newestBatchesWith(table, organization, status)
      : newestBatches(table, organization);
  for await (const { entries, since } of parts) {
    const rows = await sentRows({ table, now }, organization, entries);
    yield { entries: rows.filter(row => status === undefined || row.status === status), since };
  }
}

/** One row for each occurrence, even where two packs skipped it. */
async function* skippedRows(table: Table, organization: number): AsyncGenerator<LogPart<Row>> {
  const known = new Set<string>();
  for await (const { entries, since } of newestSkips(table, organization)) {
    const rows = entries.flatMap((skip): Row[] => {
      const name = [skip.minute, skip.hash, skip.list, skip.automation].join('.');
      if (known.has(name)) return [];
      known.add(name);
      return [skippedRow(skip)];
    });
    yield { entries: rows, since };
  }
}

const skippedRow = ({ minute, pack, hash, list, automation, reason }: SkippedSend): Row => ({
  id: [minute, pack, hash, list, automation].join('.'),
  ...{ status: 'skipped', reason, hash, list, automation },
  at: instantOf(minute).toISOString(),
});

async function sentRows(
  { table, now }: Needs,
  organization: number,
  entries: batches.Batch[],
): Promise<Row[]> {
  const judged = entries.flatMap(batch =>
    batch.sends.flatMap(send => {
      const outcome = batches.outcomeOf(batch, send, now);
      return outcome ? [{ ...send, head: batch.head, outcome }] : [];
    }),
  );
  const open = judged.filter(({ outcome }) => outcome.status === 'unknown');
  const claims = await recipient.readClaims(
    table,
    open.map(({ hash, seq }) => ({ key: { organization, hash }, seq })),
  );
  const settled = new Map(
    claims.map(({ hash, claim }) => [recipient.claimId({ hash, seq: claim.seq }), claim]),
  );
  return judged.map(({ hash, seq, head, outcome }) => {
    const id = recipient.claimId({ hash, seq });
    return {
      ...{ id, hash, seq, at: head.at, list: head.list_id, automation: head.automation_id },
      ...(batches.settledOutcome(outcome, settled.get(id)) ?? outcome),
    };
  });
}

async function shown(table: Table, organizationId: number, rows: Row[]): Promise<EmailSend[]> {
  const [people, foundLists, foundAutomations] = await Promise.all([
    recipient.readSent(table, organizationId, rows),
    lists.readThese(table, organizationId, [...new Set(rows.map(({ list }) => list))]),
    automations.readThese(table, organizationId, [...new Set(rows.map(({ automation }) => automation))]),
  ]);
  const named = (all: { id: string; name: string }[], id: string) =>
    all.find(one => one.id === id)?.name ?? DELETED;
  return rows.map(({ id, hash, list, automation, at, status, reason }, index) => {
    const { email = DELETED, membership, claim } = people[index] ?? {};
    const { opened_at = null, first_clicked_at = null, bounced_at, complained_at, resend } = claim ?? {};
    return {
      id,
      status,
      reason,
      sent_at: at,
      email_list_name: named(foundLists, list),
      automation_name: named(foundAutomations, automation),
      recipient_email: email,
      list_member_id: membership ? recipient.memberId(list, hash) : null,
      is_opened: opened_at !== null,
      opened_at,
      is_clicked: first_clicked_at !== null,
      first_clicked_at,
      is_bounced: bounced_at !== undefined,
      is_complained: complained_at !== undefined,
      is_resent: resend !== undefined,
    };
  });
}
