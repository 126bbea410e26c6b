import { Box } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { Audience } from '#shared/audience.ts';
import type { AudienceCount } from '#shared/forecast.ts';
import type { ZoneOf } from '#shared/schedule.ts';
import { Button } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
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
  const isAsked = audience !== 'incomplete' && audience !== null && lists.length > 0;
  const count = useCount(
    isAsked ? { email_list_ids: [...lists], audience, time_zone_of: zoneOf } : undefined,
  );
  if (audience === null)
    return (
      <Box color="fg.muted" fontSize="sm">
        Everybody on the {lists.length === 1 ? 'list' : 'lists'}
      </Box>
    );
  return (
    <Notice
      tone="info"
      action={
        count.problem !== undefined && (
          <Button variant="ghost" onClick={count.retry}>
            Try again
          </Button>
        )
      }
    >
      {audience === 'incomplete' ? (
        'Complete each condition to see who is meant.'
      ) : (
        <>
          <Box overflowWrap="anywhere">{sentenceOf(audience, named)}.</Box>
          {isAsked && (
            <Box>
              {count.problem !== undefined
                ? serverMessageOr(count.problem, 'How many match could not be counted.')
                : count.data
                  ? countText(count.data)
                  : 'Counting...'}
            </Box>
          )}
        </>
      )}
    </Notice>
  );
}

export function countText({ matching, of, sampled }: AudienceCount): string {
  const match = `${formatNumber(matching)} of ${plural(of, 'subscribed member')} ${matching === 1 ? 'matches' : 'match'} now`;
  if (sampled === null) return `${match}.`;
  const { margin, people } = sampled;
  return `About ${match}, ± ${formatNumber(margin)}: ${plural(people, 'member')} were looked at.`;
}

const ROUTE = 'POST /api/audience/count';
type Question = { email_list_ids: string[]; audience: Audience; time_zone_of: ZoneOf };
/** A count reads thousands of members, so it waits for the end of typing. */
const DEBOUNCE = 600;
const ONCE = { shouldRetryOnError: false, revalidateOnFocus: false };

function useCount(question: Question | undefined) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const wanted = question && JSON.stringify(question);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isAsked = asked !== undefined && asked === wanted;
  const { data, error, isValidating, mutate } = useSWR<AudienceCount>(
    isAsked && [ROUTE, organization, asked],
    () => call(ROUTE, { body: JSON.parse(asked ?? '') }),
    ONCE,
  );
  return { data, problem: isValidating ? undefined : (error as unknown), retry: () => void mutate() };
}
