import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { percentage } from '#shared/report/figures.ts';
import { precision } from '#shared/report/precision.ts';
import { Amount, useAmountText } from '#web/components/amount.tsx';
import { TextLink } from '#web/components/button.tsx';
import { Tooltip } from '#web/components/tooltip.tsx';
import { formatNumber } from '#web/lib/format.ts';
import { logPath } from '#web/lib/paths.ts';
import type { CombinationRow } from './combination-rows.ts';
import { type Counted, peopleFilter } from './periods.ts';

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

type Part = { count: number; sent: number };

/** With one decimal. What is less is not shown as nothing, nor as a rate where nothing was sent. */
export function percent(count: number, sent: number): string {
  if (sent === 0) return '–';
  const rounded = Math.round((1000 * count) / sent) / 10;
  return rounded === 0 && count > 0 ? '<0.1%' : `${rounded.toFixed(1)}%`;
}

/** The confidence interval of a rate, at 95%. A click may be counted before its email. */
const intervalOf = ({ count, sent }: Part) => precision(Math.min(count, sent), sent);

/** The end of a scale on which the intervals of a column fit. */
export const scaleOf = (parts: Part[]) =>
  Math.max(0, ...parts.filter(({ sent }) => sent > 0).map(part => intervalOf(part).high));

const RateButton = chakra('button', {
  base: {
    display: 'inline-block',
    cursor: 'help',
    textAlign: 'inherit',
    borderRadius: 'sm',
    // A target for fingers that takes no room.
    '@media (pointer: coarse)': { py: '12px', my: '-12px' },
  },
});
const Interval = chakra('span', {
  base: {
    position: 'relative',
    display: 'block',
    width: '56px',
    height: '3px',
    ms: 'auto',
    borderRadius: 'full',
    bg: 'border',
    '@container (width < 600px)': { ms: '0' },
    '& i': { position: 'absolute', insetBlock: '0', borderRadius: 'full', bg: 'var(--chart)' },
    '& i + i': { width: '2px', bg: 'fg' },
  },
});

export function rangeText(part: Part): string {
  const { low, high } = intervalOf(part);
  return `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}%`;
}

/** The rate as it is shown, what it is made of, and its interval. */
export function rateText(part: Part): string {
  const { count, sent } = part;
  return `${percent(count, sent)}: ${formatNumber(count)} of ${formatNumber(sent)} (${percentage(count, sent)}), 95% range ${rangeText(part)}`;
}

type RangedProps = {
  text: string;
  range: { low: number; of: number; high: number };
  scale: number;
  children: ReactNode;
};

/** Below it a bar of its range, on the scale of its column. The numbers are said on hover and on focus. */
function Ranged({ text, range: { low, of, high }, scale, children }: RangedProps) {
  const at = (point: number) => `${100 * Math.min(1, point / (scale || 1))}%`;
  return (
    <Tooltip text={text} names onPress>
      <RateButton type="button" aria-label={text}>
        {children}
        <Interval aria-hidden>
          <i style={{ insetInlineStart: at(low), width: at(high - low) }} />
          <i style={{ insetInlineStart: `calc(${at(of)} - ${of > 0 ? 1 : 0}px)` }} />
        </Interval>
      </RateButton>
    </Tooltip>
  );
}

export function Rate({ count, sent, scale }: Part & { scale: number }) {
  if (sent === 0) return <span>{percent(count, sent)}</span>;
  const range = { ...intervalOf({ count, sent }), of: count / sent };
  return (
    <Ranged text={rateText({ count, sent })} range={range} scale={scale}>
      {percent(count, sent)}
    </Ranged>
  );
}

type PerSend = CombinationRow['figures'];

export const scaleOfValue = (rows: PerSend[]) =>
  Math.max(0, ...rows.map(({ value_per_send_range }) => value_per_send_range?.to ?? 0));

type ValuePerSendProps = PerSend & { scale: number };

export function ValuePerSend({ scale, value_per_send: of, value_per_send_range, sent }: ValuePerSendProps) {
  const amountText = useAmountText();
  const value = <Share of={of} count={sent} />;
  if (!value_per_send_range) return value;
  const { from: low, to: high } = value_per_send_range;
  const [mean, least, most] = [of, low, high].map(amount => amountText(amount, 4));
  return (
    <Ranged text={`${mean} per email, 95% range ${least} to ${most}`} range={{ low, of, high }} scale={scale}>
      {value}
    </Ranged>
  );
}

/** The value per email or click; a dash where there was none. */
export const Share = ({ of, count }: { of: number; count: number }) =>
  count === 0 ? '–' : <Amount of={of} digits={4} />;

const RANGE =
  'The bar below it is the range that holds the true rate with a confidence of 95% if each person got one email, and is too narrow if not.';

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
  value: [
    'The total value from conversions tracked through the value API. It counts on the UTC day of the email that the call names, else of the call.',
    'value',
  ],
  conversions: 'How many of the emails led to a conversion that names the email.',
  value_per_send:
    'The average value per email sent. The bar below it is its 95% range, which holds on any day; amounts above what 99% of conversions bring in count as that. Rows without one are last.',
  value_per_click: 'The average value per click received.',
} as const;
