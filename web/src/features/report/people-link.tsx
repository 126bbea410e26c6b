import type { Range } from '../../../../shared/report/range.ts';
import type { LogStatus } from '../../../../shared/send-status.ts';
import { TextLink } from '../../components/text-link.tsx';
import { formatNumber } from '../../lib/format.ts';
import { logPath } from '../../lib/paths.ts';

/** By their status in the log, how a screen reader calls the emails that are counted. */
const STATES = {
  sent: 'sent',
  opened: 'opened',
  machine_opened: 'opened by a machine',
  clicked: 'clicked',
  unsub_clicked: 'with their unsubscribe link followed',
  unsubscribed: 'unsubscribed',
} as const satisfies Partial<Record<LogStatus, string>>;

type Props = {
  count: number;
  /** Undefined of several combinations, for which the log has no filter. */
  combination: string | undefined;
  status: keyof typeof STATES;
  range: Range;
};

/** A number that leads to the emails that it counts, and with them to the people behind it. */
export function PeopleLink({ count, combination, status, range: { start_date: from, end_date: to } }: Props) {
  const text = formatNumber(count);
  if (count === 0 || combination === undefined) return <span>{text}</span>;
  return (
    <TextLink
      to={logPath({ combination, status, from, to })}
      aria-label={`${text} ${STATES[status]}: show who`}
    >
      {text}
    </TextLink>
  );
}
