import { Box } from '@chakra-ui/react';
import useSWR from 'swr';
import type { Audience } from '#shared/audience.ts';
import type { AudienceCount } from '#shared/forecast.ts';
import type { BodyInput } from '#shared/routes.ts';
import type { ZoneOf } from '#shared/schedule.ts';
import { Button } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { useDebounced } from '#web/lib/timers.ts';
import { sentenceOf } from './audience.tsx';

type Props = {
  lists: readonly string[];
  audience: Audience | null | 'incomplete';
  zoneOf: ZoneOf;
  /** All lists of the organization. */
  named: readonly { id: string; name: string }[] | undefined;
};

/** Who is meant, in a sentence, and how many of the members that is now. */
export function Matching({ lists, audience, zoneOf, named }: Props) {
  const isComplete = audience !== 'incomplete' && audience !== null;
  const isAsked = isComplete && lists.length > 0;
  const count = useCount(isAsked && { email_list_ids: [...lists], audience, time_zone_of: zoneOf });
  if (audience === null)
    return <Box color="fg.muted">Everybody on the {lists.length === 1 ? 'list' : 'lists'}</Box>;
  const retry = count.hasFailed && (
    <Button variant="ghost" onClick={count.retry}>
      Try again
    </Button>
  );
  return (
    <Notice tone="info" action={retry}>
      <Box overflowWrap="anywhere">
        {isComplete ? `${sentenceOf(audience, named)}.` : 'Complete each condition to see who is meant.'}
      </Box>
      {isAsked && <Box>{count.text}</Box>}
    </Notice>
  );
}

export function matchText({ matching, of, sampled }: AudienceCount): string {
  const match = `${formatNumber(matching)} of ${plural(of, 'subscribed member')} ${matching === 1 ? 'matches' : 'match'} now`;
  if (sampled === null) return `${match}.`;
  const { margin, people } = sampled;
  return `About ${match}, ± ${formatNumber(margin)}: ${plural(people, 'member')} were looked at.`;
}

const ROUTE = 'POST /api/audience/count';
/** A count reads thousands of members, so it waits for the end of typing. */
const DEBOUNCE = 600;
const ONCE = { shouldRetryOnError: false, revalidateOnFocus: false };

function useCount(question: BodyInput<typeof ROUTE> | false) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const wanted = question && JSON.stringify(question);
  const asked = useDebounced(wanted, DEBOUNCE);
  const { data, error, isValidating, mutate } = useSWR(
    asked && asked === wanted && [ROUTE, organization, asked],
    () => call(ROUTE, { body: JSON.parse(String(asked)) }),
    ONCE,
  );
  const hasFailed = error !== undefined && !isValidating;
  const failure = hasFailed && serverMessageOr(error, 'How many match could not be counted.');
  return { text: failure || (data ? matchText(data) : 'Counting...'), hasFailed, retry: () => void mutate() };
}
