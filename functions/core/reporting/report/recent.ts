import { MOST_RECENT } from '../../../../shared/report/figures.ts';
import { dayAfter } from '../../../../shared/report/range.ts';
import type { RecentSend } from '../../../../shared/reporting.ts';
import { DELETED } from '../../../../shared/send-status.ts';
import { DAY } from '../../../../shared/time.ts';
import * as automations from '../../automation/automation/automation.ts';
import { chunksOf } from '../../chunks.ts';
import * as lists from '../../list/list/list.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import * as batches from '../../sending/batch/batch.ts';
import { instantOf } from '../../sending/pack/pack.ts';
import { LATEST_CLAIM } from '../../sending/times.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Days } from '../rollup/rollup.ts';
import { newestBatches } from './recent.store.ts';

type Needs = { table: Table; now: Date };

type Found = {
  hash: string;
  claim: recipient.Claim;
  email: string | undefined;
  isMember: boolean;
  head: batches.Head;
};

/** The newest emails of a combination in a range of days, as far as a bounded read of the log reaches. */
export async function recentSends(
  { table, now }: Needs,
  organization: number,
  combination: string,
  { from, to }: Days,
): Promise<{ sends: RecentSend[]; since: string | null }> {
  const found: Found[] = [];
  let since: string | undefined;
  // An email counts on the day of its claim, some time after it was due.
  const minutes = { from: dayAfter(from, -LATEST_CLAIM / DAY), to: `${to}~` };
  for await (const part of newestBatches(table, organization, minutes)) {
    const candidates = part.batches.flatMap(batch => candidatesIn(batch, combination, { from, to }, now));
    for (const some of chunksOf(candidates, MOST_RECENT)) {
      if (found.length >= MOST_RECENT) break;
      found.push(...(await sentAmong(table, organization, some, { from, to })));
    }
    since = found.length >= MOST_RECENT ? undefined : part.since;
    if (found.length >= MOST_RECENT) break;
  }
  const sends = await shown(table, organization, found.slice(0, MOST_RECENT));
  return { sends, since: since === undefined ? null : instantOf(since).toISOString() };
}

type Candidate = { hash: string; seq: number; list: string; head: batches.Head; outcome: batches.Outcome };

/** The sends of the combination; the head tells without them whether there are any, once the batch has ended. */
function candidatesIn(batch: batches.Batch, combination: string, { from, to }: Days, now: Date): Candidate[] {
  const { head, sends } = batch;
  const days = Object.entries(head.counts ?? {}).filter(([day]) => day >= from && day <= to);
  const isCounted = days.some(([, counts]) => counts[combination]);
  if (head.state === 'sent' && !isCounted) return [];
  return sends.flatMap(({ hash, seq, combination: of }) => {
    const outcome = of === combination ? batches.outcomeOf(batch, { hash, seq }, now) : undefined;
    return outcome ? [{ hash, seq, list: head.list_id, head, outcome }] : [];
  });
}

async function sentAmong(
  table: Table,
  organization: number,
  candidates: Candidate[],
  { from, to }: Days,
): Promise<Found[]> {
  const people = await recipient.readSent(table, organization, candidates);
  return candidates.flatMap(({ hash, head, outcome }, at) => {
    const { claim, email, membership } = people[at] ?? {};
    const day = claim?.at.slice(0, 10) ?? '';
    const isSent = batches.settledOutcome(outcome, claim)?.status === 'sent';
    if (!claim || claim.released || !isSent || day < from || day > to) return [];
    return [{ hash, claim, email, isMember: membership !== undefined, head }];
  });
}

async function shown(table: Table, organization: number, found: Found[]): Promise<RecentSend[]> {
  const idsOf = (field: 'list_id' | 'automation_id') => [...new Set(found.map(({ head }) => head[field]))];
  const [foundLists, foundAutomations] = await Promise.all([
    lists.readThese(table, organization, idsOf('list_id')),
    automations.readThese(table, organization, idsOf('automation_id')),
  ]);
  const named = (all: { id: string; name: string }[], id: string) =>
    all.find(one => one.id === id)?.name ?? DELETED;
  return found
    .map(({ hash, claim, email = DELETED, isMember, head: { list_id, automation_id, at } }) => ({
      id: recipient.claimId({ hash, seq: claim.seq }),
      recipient: email,
      list_member_id: isMember ? recipient.memberId(list_id, hash) : null,
      email_list: named(foundLists, list_id),
      automation: named(foundAutomations, automation_id),
      sent_at: at,
      is_opened: claim.opened_at !== undefined,
      is_clicked: claim.first_clicked_at !== undefined,
    }))
    .sort((a, b) => (a.sent_at === b.sent_at ? 0 : a.sent_at < b.sent_at ? 1 : -1));
}
