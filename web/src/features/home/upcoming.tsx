import { Box, chakra, Grid, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { SWRResponse } from 'swr';
import type { Expected, Upcoming as Found } from '#shared/forecast.ts';
import { TextLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { formatDate, formatNumber, formatTime } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { accuracyOf } from '#web/lib/sampled.ts';

const Name = chakra('dt', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: '20px' } });
const Value = chakra('dd', {
  base: { minHeight: '24px', fontSize: 'lg', lineHeight: '24px', fontWeight: 'semibold' },
});
const Note = chakra('dd', {
  base: { minHeight: '18px', color: 'fg.muted', fontSize: 'xs', lineHeight: '18px' },
});

/** What all active automations send next. It has the same height while loading. */
export function Upcoming({ data, error, mutate }: SWRResponse<Found>) {
  return (
    <Section title="Coming up">
      {!data && error ? (
        <Failure
          problem={error}
          fallback="Failed to load what is sent next. Please try again."
          onRetry={() => void mutate()}
        />
      ) : (
        <>
          <Panel asChild p="4">
            <Grid
              as="dl"
              aria-label="Coming up"
              aria-busy={!data}
              templateColumns="repeat(auto-fit, minmax(144px, 1fr))"
              columnGap="4"
              rowGap="3"
            >
              <Figure name="Next 24 hours" expected={data?.next_24_hours} />
              <Figure name="Next 7 days" expected={data?.next_7_days} />
              <Item name="Next email" note={data?.next_at ? formatTime(data.next_at) : ''}>
                {data && nextDay(data)}
              </Item>
            </Grid>
          </Panel>
          <Text mt="2" minHeight={{ base: '10', sm: '5' }} lineHeight="20px" fontSize="xs" color="fg.muted">
            {data && <Accuracy found={data} />}
          </Text>
        </>
      )}
    </Section>
  );
}

function nextDay({ next_at, next_7_days, sampled, counted_share }: Found): string {
  if (next_at) return formatDate(next_at);
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

const Figure = ({ name, expected }: { name: string; expected: Expected | undefined }) => (
  <Item
    name={name}
    note={expected && expected.skipped > 0 ? `${formatNumber(expected.skipped)} more due, but not sent` : ''}
  >
    {expected && formatNumber(expected.count)}
  </Item>
);

const Item = ({ name, note, children }: { name: string; note: string; children: ReactNode }) => (
  <Box minWidth="0">
    <Name>{name}</Name>
    <Value>{children}</Value>
    <Note>{note}</Note>
  </Box>
);
