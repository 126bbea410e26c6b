import { TextLink } from '#web/components/button.tsx';
import { formatNumber } from '#web/lib/format.ts';
import { logPath } from '#web/lib/paths.ts';
import { type Counted, peopleFilter } from './people-filter.ts';

/** The words for screen readers, by the status in the log. */
const STATES = {
  sent: 'sent',
  opened: 'opened',
  machine_opened: 'opened by a machine',
  clicked: 'clicked',
  unsub_clicked: 'with their unsubscribe link followed',
  unsubscribed: 'unsubscribed',
};

type Props = Counted & { count: number; status: keyof typeof STATES };

/** A number that links to the log, filtered by the emails that it counts. */
export function PeopleLink({ count, ...counted }: Props) {
  const text = formatNumber(count);
  if (count === 0) return <span>{text}</span>;
  return (
    <TextLink to={logPath(peopleFilter(counted))} aria-label={`${text} ${STATES[counted.status]}: show who`}>
      {text}
    </TextLink>
  );
}
