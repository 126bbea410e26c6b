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
import { idOf } from './found.ts';

type Needs = { table: Table; now: Date };

type Row = batches.Outcome & {
  id: string;
  hash: string;
  /** Without a number, it was never claimed. */
  seq?: number;
  at: string;
  list: string;
  automation: string;
};

const MOST_COUNTED = 100_000;

/** A page of the emails of an organization. The pages before it are counted, so that far ones are refused. */
export async function page(
  { table, now }: Needs,
  organizationId: number,
  { page, per_page, status }: EmailSendsQuery,
): Promise<EmailSendsPage> {
  const before = (page - 1) * per_page;
  if (before > MOST_COUNTED) throw tooFar(page);
  const rows: Row[] = [];
  let count = 0;
  let since: string | undefined;
  for await (const part of batches.newestFirst(table, organizationId)) {
    const found = part.entries.flatMap(entry => rowsOf(entry, now)).filter(isWanted(status));
    rows.push(...found.slice(Math.max(0, before - count)));
    count += found.length;
    since = part.since;
    if (rows.length > per_page) break;
  }
  const isMore = rows.length > per_page;
  const isBounded = since !== undefined && !isMore;
  if (isBounded && count < before) throw tooFar(page);
  return {
    data: await shown(table, organizationId, rows.slice(0, per_page)),
    meta: {
      current_page: page,
      last_page: isMore ? page + 1 : isBounded ? page : Math.max(1, Math.ceil(count / per_page)),
      searched_since: isBounded && since ? instantOf(since).toISOString() : null,
    },
  };
}

const tooFar = (page: number) => invalid('page', `Page ${page} is too far from the first one to be opened.`);

const isWanted =
  (wanted: EmailSendsQuery['status']) =>
  ({ status }: Row) =>
    wanted === undefined ? status !== 'skipped' : status === wanted;

function rowsOf(entry: batches.LogEntry, now: Date): Row[] {
  if ('skips' in entry) {
    const { minute, pack, skips } = entry;
    return skips.map(({ hash, list, automation, reason }) => ({
      id: [minute, pack, hash, list, automation].join('.'),
      status: 'skipped',
      reason,
      hash,
      list,
      automation,
      at: instantOf(minute).toISOString(),
    }));
  }
  const { head, sends } = entry;
  const { list_id: list, automation_id: automation, at } = head;
  return batches.outcomesOf(head, sends, now).map(one => ({ ...one, id: idOf(one), list, automation, at }));
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
    const { opened_at = null, first_clicked_at = null, bounced_at, complained_at, resent } = claim ?? {};
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
      is_resent: resent !== undefined,
    };
  });
}
