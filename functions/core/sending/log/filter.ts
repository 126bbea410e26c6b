import type { EmailSendsQuery } from '../../../../shared/send.ts';
import type { Happened } from '../../../../shared/send-status.ts';
import type * as recipient from '../../recipient/recipient/recipient.ts';
import { type Batch, parseBatchId } from '../batch/batch.ts';
import { CLOCK_SKEW, LATEST_CLAIM } from '../times.ts';

export type Filter = Pick<
  EmailSendsQuery,
  'status' | 'reason' | 'list' | 'automation' | 'combination' | 'from' | 'to'
> & { hash?: string | undefined };

/** The minutes within which emails were due, both included; each end may be open. */
export type Span = { from?: string | undefined; to?: string | undefined };

/** Where a claim says that something happened to its email. */
export const MARKS = {
  opened: 'opened_at',
  machine_opened: 'machine_opened_at',
  clicked: 'first_clicked_at',
  unsub_clicked: 'unsub_clicked_at',
  unsubscribed: 'unsubscribed_at',
  bounced: 'bounced_at',
  complained: 'complained_at',
} as const satisfies Record<Happened, keyof recipient.Marks>;

/** Counted by the reports alone: an entry for each would cost half as much again as the open. */
export const isOpened = (status: EmailSendsQuery['status']): status is 'opened' | 'machine_opened' =>
  status === 'opened' || status === 'machine_opened';

export const isHappened = (status: EmailSendsQuery['status']): status is Happened =>
  status !== undefined && Object.hasOwn(MARKS, status);

const DAY = 'yyyy-mm-dd'.length;
const dayOf = (instant: string) => instant.slice(0, DAY);

export const isOnDays = ({ from = '', to = '~' }: Filter, at: string) => from <= dayOf(at) && dayOf(at) <= to;

/** The days on which the emails of a batch may count: on that of its minute, or later, up to when it was begun. */
export function daysOf({ head }: Batch): { first: string; last: string } {
  const latest = new Date(Date.parse(head.at) + CLOCK_SKEW).toISOString();
  return { first: dayOf(parseBatchId(head.batch).minute), last: dayOf(latest) };
}

/** The minutes in which emails were due that count on some days. */
export const spanOf = ({ from, to }: Pick<Filter, 'from' | 'to'>): Span => ({
  from: from && new Date(Date.parse(from) - LATEST_CLAIM).toISOString(),
  to,
});

const FIELDS = ['hash', 'list', 'automation', 'combination', 'reason'] as const;
type Fields = { [F in (typeof FIELDS)[number]]?: Filter[F] };

/** Whether something has what is asked for, in those of the fields that it has. */
export const matches = (filter: Fields, of: Fields): boolean =>
  FIELDS.every(field => of[field] === undefined || (filter[field] ?? of[field]) === of[field]);

/** Whether an email is one of those that are asked for, as far as its claim says it. */
export const isWanted = (filter: Filter, claim: recipient.Claim): boolean => {
  const { list_id: list, automation_id: automation, combination, at } = claim;
  const { status } = filter;
  return (
    matches(filter, { list, automation, combination }) &&
    isOnDays(filter, at) &&
    (!isHappened(status) || claim[MARKS[status]] !== undefined)
  );
};
