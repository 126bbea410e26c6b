import { Box } from '@chakra-ui/react';
import type { Audience } from '#shared/audience.ts';
import type { AudienceCount } from '#shared/forecast.ts';
import type { ZoneOf } from '#shared/schedule.ts';
import { Button } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { useQuestion } from '#web/lib/question.ts';
import { AudienceSentence } from './audience.tsx';

type Props = { lists: readonly string[]; audience: Audience | null | 'incomplete'; zoneOf: ZoneOf };

/** Who is meant, in a sentence, and how many of the members that is now. */
export function Matching({ lists, audience, zoneOf }: Props) {
  const isComplete = audience !== 'incomplete' && audience !== null;
  const isAsked = isComplete && lists.length > 0;
  const { data, error, isValidating, mutate } = useQuestion(
    'POST /api/audience/count',
    isAsked ? { body: { email_list_ids: [...lists], audience, time_zone_of: zoneOf } } : undefined,
  );
  if (audience === null)
    return <Box color="fg.muted">Everybody on the {lists.length === 1 ? 'list' : 'lists'}</Box>;
  const hasFailed = error !== undefined && !isValidating;
  const failure = hasFailed && serverMessageOr(error, 'How many match could not be counted.');
  const retry = hasFailed && (
    <Button variant="ghost" onClick={() => void mutate()}>
      Try again
    </Button>
  );
  return (
    <Notice tone="info" action={retry}>
      <Box overflowWrap="anywhere">
        {isComplete ? (
          <>
            <AudienceSentence audience={audience} />.
          </>
        ) : (
          'Complete each condition to see who is meant.'
        )}
      </Box>
      {isAsked && <Box>{failure || (data ? matchText(data) : 'Counting...')}</Box>}
    </Notice>
  );
}

export function matchText({ matching, of, sampled }: AudienceCount): string {
  const match = `${formatNumber(matching)} of ${plural(of, 'subscribed member')} ${matching === 1 ? 'matches' : 'match'} now`;
  if (sampled === null) return `${match}.`;
  const { margin, people } = sampled;
  return `About ${match}, ± ${formatNumber(margin)}: ${plural(people, 'member')} were looked at.`;
}
