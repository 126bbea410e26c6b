import type * as journal from '#core/recipient/journal.ts';
import { invalid } from '#core/refusal.ts';
import { CLOCK_SKEW, LATEST_CLAIM } from '#core/timeouts.ts';
import type { ProviderName } from '#shared/providers.ts';
import type { EmailSend, EmailSendsQuery } from '#shared/send.ts';
import type { Happened } from '#shared/send-status.ts';
import { type Batch, type Head, parseBatchId } from '../batch/batch.store.ts';
import { type Outcome, shownOutcome } from '../batch/outcome.ts';

export type Filter = Pick<
  EmailSendsQuery,
  'status' | 'reason' | 'list' | 'automation' | 'combination' | 'from' | 'to'
> & { hash?: string | undefined };

const FIELDS = ['hash', 'list', 'automation', 'combination', 'reason'] as const;
type Fields = { [F in (typeof FIELDS)[number]]?: Filter[F] };

export const matches = (filter: Fields, fields: Fields): boolean =>
  FIELDS.every(name => fields[name] === undefined || (filter[name] ?? fields[name]) === fields[name]);

export const isMatch = (filter: Filter, claim: journal.Claim): boolean => {
  const { list_id: list, automation_id: automation, combination, at } = claim;
  const { status } = filter;
  return (
    matches(filter, { list, automation, combination }) &&
    isOnDays(filter, at) &&
    (!isHappened(status) || claim[MARKS[status]] !== undefined)
  );
};

export const MARKS = {
  opened: 'opened_at',
  machine_opened: 'machine_opened_at',
  clicked: 'first_clicked_at',
  unsub_clicked: 'unsub_clicked_at',
  unsubscribed: 'unsubscribed_at',
  bounced: 'bounced_at',
  complained: 'complained_at',
} as const satisfies Record<Happened, keyof journal.Marks>;

/** Opens have no entries in the log: those would make an open half as expensive again. */
export const isOpened = (status: EmailSendsQuery['status']): status is 'opened' | 'machine_opened' =>
  status === 'opened' || status === 'machine_opened';

export const isHappened = (status: EmailSendsQuery['status']): status is Happened =>
  status !== undefined && Object.hasOwn(MARKS, status);

/** What the provider took and rejected later is sent, as in reports, and failed, as it is shown. */
export const isOfStatus = ({ status }: Filter, outcome: Outcome, claim?: journal.Claim) =>
  status === undefined ||
  isHappened(status) ||
  outcome.status === status ||
  shownOutcome(outcome, claim).status === status;

const DAY = 'yyyy-mm-dd'.length;
const dayOf = (instant: string) => instant.slice(0, DAY);

export const isOnDays = ({ from = '', to = '~' }: Filter, at: string) => from <= dayOf(at) && dayOf(at) <= to;

export function daysOf({ head }: Batch): { first: string; last: string } {
  const latest = new Date(Date.parse(head.at) + CLOCK_SKEW).toISOString();
  return { first: dayOf(parseBatchId(head.batch).minute), last: dayOf(latest) };
}

export type Span = { from?: string | undefined; to?: string | undefined };

/** The due minutes of the emails that count on these days: a claim is up to `LATEST_CLAIM` later than its due minute. */
export const spanOf = ({ from, to }: Pick<Filter, 'from' | 'to'>): Span => ({
  from: from && new Date(Date.parse(from) - LATEST_CLAIM).toISOString(),
  to,
});

/** What the item has in which it was found. The rest is read for the rows that are shown. */
export type Row = Pick<EmailSend, 'id'> & {
  position: Position;
  hash: string;
  /** Undefined for a skipped email, which has no claim. */
  seq?: number;
  list: string;
  automation: string;
  end?: End;
};

export type RowPart = { rows: Row[]; reached: Position | undefined; since: string | undefined };

export type End = Pick<EmailSend, 'status' | 'reason'> & { at: string; provider?: ProviderName | undefined };

export const endOf = ({ status, reason }: Outcome, { at, provider }: Pick<Head, 'at' | 'provider'>): End => ({
  status,
  reason,
  at,
  provider,
});

/** A place in the log, which is read newest first: in the item with this sort key, after `count` of its emails. */
export type Position = { key: string; count: number };

export const ALL = 1_000_000;

export const isAfter = (position: Position, start: Position | undefined): boolean =>
  !start || position.key < start.key || (position.key === start.key && position.count > start.count);

export const cursorOf = ({ key, count }: Position): string =>
  Buffer.from(`${count} ${key}`).toString('base64url');

export const notOfThisLog = () => invalid('after', 'after must be the next of another page');

// A cursor is only used as a sort key within the partitions of the caller's organization, so it is not signed.
const POSITION = /^(\d{1,7}) ([\w#.:-]{1,200})$/;

export function positionIn(cursor: string): Position {
  const [, count, key] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (key === undefined) throw notOfThisLog();
  return { key, count: Number(count) };
}
