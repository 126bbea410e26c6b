import { Box } from '@chakra-ui/react';
import { roundedAmount } from '#shared/report/figures.ts';
import { precision } from '#shared/report/precision.ts';
import { TextLink } from '#web/components/button.tsx';
import { formatNumber } from '#web/lib/format.ts';
import { logPath } from '#web/lib/paths.ts';
import { type Counted, peopleFilter } from './report-range.ts';

/** The words for screen readers, by the status in the log. */
const STATES = {
  sent: 'sent',
  opened: 'opened',
  machine_opened: 'opened by a machine',
  clicked: 'clicked',
  unsub_clicked: 'with their unsubscribe link followed',
  unsubscribed: 'unsubscribed',
};

export function PeopleLink({ count, ...counted }: Counted & { count: number; status: keyof typeof STATES }) {
  const text = formatNumber(count);
  if (count === 0) return <span>{text}</span>;
  return (
    <TextLink to={logPath(peopleFilter(counted))} aria-label={`${text} ${STATES[counted.status]}: show who`}>
      {text}
    </TextLink>
  );
}

export const Rate = ({ rate, count, sent }: { rate: string; count: number; sent: number }) => {
  const interval = intervalOf(count, sent);
  return (
    <div>
      {rate}
      {interval && (
        <Box color="fg.muted" fontSize="xs" lineHeight="18px" whiteSpace="nowrap">
          {interval}
        </Box>
      )}
    </div>
  );
};

/** The confidence interval of a rate, at 95%; undefined if nothing was sent. */
export function intervalOf(count: number, sent: number): string | undefined {
  if (sent === 0) return undefined;
  // A click may be counted before its email.
  const { low, high } = precision(Math.min(count, sent), sent);
  return `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}%`;
}

const VALUE = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SHARE = new Intl.NumberFormat(undefined, { minimumFractionDigits: 4, maximumFractionDigits: 4 });

export const formatAmount = (value: number) => VALUE.format(roundedAmount(value));
/** The value per email or click; a dash where there was none. */
export const formatShare = (value: number, count: number) => (count === 0 ? '–' : SHARE.format(value));

const RANGE =
  'The range below it holds the true rate with a confidence of 95% if each person got one email, and is too narrow if not.';

export const TEXTS = {
  opened:
    'How many of the emails were opened. Open rates are unreliable: some mailboxes load no pictures, and others load them unopened. What machines open is counted apart.',
  machine_opened:
    'How many of the emails had their picture loaded by a machine: a mail scanner, or a mailbox that loads pictures in advance, such as Apple Mail. They are in Opened only if a person opened them too.',
  clicked: 'How many of the emails had a link followed by a person. What machines follow is not counted.',
  unsub_clicked: 'How many of the emails had their unsubscribe link followed.',
  unsubscribed: 'How many of the emails were unsubscribed from.',
  open_rate: `Opened of sent. Open rates are unreliable. ${RANGE}`,
  click_rate: `Clicked of sent. ${RANGE}`,
  unsubscribe_rate: `Unsubscribed of sent. ${RANGE}`,
  value:
    'The total value from conversions tracked through the value API. It counts on the UTC day on which it was posted, all else on the day of the email.',
  value_per_send: 'The average value per email sent.',
  value_per_click: 'The average value per click received.',
} as const;
