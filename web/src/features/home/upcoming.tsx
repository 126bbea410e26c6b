import { Box, Text } from '@chakra-ui/react';
import type { SWRResponse } from 'swr';
import type { Expected, Upcoming as Found } from '#shared/forecast.ts';
import { TextLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Figure, FigureList } from '#web/components/figures.tsx';
import { Section } from '#web/components/section.tsx';
import { formatNumber, formatSoon, formatUtcDate, formatUtcTime, plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { accuracyOf } from '#web/lib/sampled.ts';
import { NoRows, RECENT_ROWS, RecentRow, Rows } from './recent.tsx';

/** What all active automations send next. It has the same height while loading. */
export function Upcoming({ data, error, mutate }: SWRResponse<Found>) {
  return (
    <Section title="Coming up">
      {!data && error ? (
        <Failure
          problem={error}
          fallback="Failed to load what is sent next. Please try again."
          onRetry={mutate}
        />
      ) : (
        <>
          <FigureList
            aria-label="Coming up"
            aria-busy={!data}
            templateColumns="repeat(auto-fit, minmax(144px, 1fr))"
          >
            <ExpectedEmails name="Next 24 hours" expected={data?.next_24_hours} />
            <ExpectedEmails name="Next 7 days" expected={data?.next_7_days} />
            <Figure name="Next email" note={data?.next_at && formatUtcTime(data.next_at)}>
              {data && nextDay(data)}
            </Figure>
          </FigureList>
          <Box mt="3">
            <Rows>
              {data?.automations.slice(0, RECENT_ROWS).map(({ automation_id, name, next_at, count }) => (
                <RecentRow
                  key={automation_id}
                  to={paths.automation(automation_id)}
                  name={name}
                  about={`${plural(count, 'email')} in the next 7 days`}
                  end={next_at && formatSoon(next_at)}
                />
              ))}
              {data?.automations.length === 0 && <NoRows>Nothing is due in the next 7 days.</NoRows>}
            </Rows>
          </Box>
          <Text mt="2" minHeight={{ base: '10', sm: '5' }} lineHeight="20px" fontSize="xs" color="fg.muted">
            {data && <Accuracy found={data} />}
          </Text>
        </>
      )}
    </Section>
  );
}

function nextDay({ next_at, next_7_days, sampled, counted_share }: Found): string {
  if (next_at) return formatUtcDate(next_at);
  if (next_7_days.count > 0 && (sampled || counted_share < 1)) return 'Not known';
  return 'None in 7 days';
}

const isNothing = ({ count, skipped }: Expected) => count + skipped === 0;

const Accuracy = ({ found }: { found: Found }) =>
  isNothing(found.next_7_days) ? (
    <>
      No active automation has anything to send.{' '}
      <TextLink to={paths.automations()}>See your automations</TextLink>
    </>
  ) : (
    <>
      {[...accuracyOf(found), 'What all active automations send, within the limits of the'].join(' ')}{' '}
      <TextLink to={paths.safeguards()}>safeguards</TextLink>.
    </>
  );

const ExpectedEmails = ({ name, expected }: { name: string; expected: Expected | undefined }) => (
  <Figure
    name={name}
    note={expected && expected.skipped > 0 && `${formatNumber(expected.skipped)} more held back`}
  >
    {expected && formatNumber(expected.count)}
  </Figure>
);
