import type { Range } from '../../../../shared/report/range.ts';
import { TextLink } from '../../components/text-link.tsx';
import { formatNumber } from '../../lib/format.ts';
import { logPath } from '../../lib/paths.ts';

type Props = {
  count: number;
  /** Undefined of several combinations, for which the log has no filter. */
  combination: string | undefined;
  /** As the log calls it. */
  status: 'sent' | 'opened' | 'clicked' | 'unsub_clicked' | 'unsubscribed';
  range: Range;
};

/** A number that leads to the emails that it counts, and with them to the people behind it. */
export function PeopleLink({ count, combination, status, range: { start_date: from, end_date: to } }: Props) {
  const text = formatNumber(count);
  if (count === 0 || combination === undefined) return <span>{text}</span>;
  const state = status === 'unsub_clicked' ? 'with their unsubscribe link followed' : status;
  return (
    <TextLink to={logPath({ combination, status, from, to })} aria-label={`${text} ${state}: show who`}>
      {text}
    </TextLink>
  );
}
