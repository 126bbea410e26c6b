import * as recipientKey from '#core/recipient/recipient.key.ts';
import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { EmailSendsPage, EmailSendsQuery } from '#shared/send.ts';
import { instantOf } from '../pack.ts';
import { type Filter, isHappened, isOpened } from './filter.ts';
import { happenedRows } from './happened.ts';
import { newestBatches, newestBatchesOf, newestBatchesWith, newReading } from './log.store.ts';
import { rowsOfRecipient } from './of-recipient.ts';
import { isAfter, type Position, positionOf, textOf } from './position.ts';
import type { Row, RowPart } from './row.ts';
import { sentRows } from './sent.ts';
import { shown } from './shown.ts';
import { skippedRows } from './skipped.ts';
import { overSpans, spansOf } from './spans.ts';

type Needs = { table: Table; now: Date };

const MOST_COUNTED = 100_000;

/**
 * A page of the emails of an organization. With a cursor (`after`) it is read from there. Without one, the emails of the
 * pages before it are counted, so a page that is far from the first one is refused.
 */
export async function page(
  needs: Needs,
  organizationId: number,
  { page, per_page, after, recipient: address, ...filter }: EmailSendsQuery,
): Promise<EmailSendsPage> {
  const start = after === undefined ? undefined : positionOf(after);
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
      next: next ? textOf(next) : null,
    },
  };
}

const tooFar = (page: number): Error =>
  invalid('page', `Page ${page} is too far from the first one to be opened.`);

/** Reads the partition or index with the fewest other emails in it. Skips are left out unless the filter asks for them. */
function rowsOf(
  needs: Needs,
  organization: number,
  filter: Filter,
  start: Position | undefined,
): AsyncIterable<RowPart> {
  const { status, hash, list, automation } = filter;
  const reading = newReading({ table: needs.table, organization, start });
  if (status === 'skipped') return skippedRows(reading, filter);
  if (hash !== undefined) return rowsOfRecipient(needs, reading, { ...filter, hash });
  if (isHappened(status) && !isOpened(status)) return happenedRows(reading, status, filter);
  const spans = spansOf(reading, needs.now, filter);
  const batches = overSpans(reading, spans, span =>
    status === 'failed' || status === 'unknown'
      ? newestBatchesWith(reading, status, filter, span)
      : list || automation
        ? newestBatchesOf(reading, filter, span)
        : newestBatches(reading, span),
  );
  return sentRows(needs, reading, filter, batches);
}
