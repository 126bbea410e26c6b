import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { percentage } from '#shared/report/figures.ts';
import type { Performance } from '#shared/reporting.ts';
import type { EmailSend } from '#shared/send.ts';
import { TextLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, formatRelative, plural } from '#web/lib/format.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { logPath, paths } from '#web/lib/paths.ts';

export const RECENT_ROWS = 3;
const ROW = 52;
const ROWS_HEIGHT = `${RECENT_ROWS * ROW + 2}px`;

/** Has the height of all its rows before they are loaded, so that nothing below it moves. */
export const Rows = ({ children }: { children: ReactNode }) => (
  <Box minHeight={ROWS_HEIGHT}>
    <Panel as="ul" divideY="1px" _empty={{ minHeight: ROWS_HEIGHT }}>
      {children}
    </Panel>
  </Box>
);

export const RecentRow = ({
  to,
  name,
  about,
  end,
}: {
  to: string | undefined;
  name: string;
  about: string;
  end: ReactNode;
}) => (
  <Flex as="li" justify="space-between" gap="3" px="4" py="1.5" height={`${ROW}px`} lineHeight="20px">
    <Box minWidth="0">
      <Text truncate title={name}>
        {to ? <TextLink to={to}>{name}</TextLink> : name}
      </Text>
      <Text color="fg.muted" fontSize="xs" truncate dir="auto">
        {about}
      </Text>
    </Box>
    <Box flexShrink="0" color="fg.muted">
      {end}
    </Box>
  </Flex>
);

export const NoRows = ({ children }: { children: ReactNode }) => (
  <Text as="li" p="4" color="fg.muted">
    {children}
  </Text>
);

const RowLoading = () => (
  <li>
    <Loading shape={[ROW]} />
  </li>
);

const TEXTS = { bounced: 'Recent bounces', unsubscribed: 'Recent unsubscribes' };

/** The newest emails of the last 30 days that bounced, or that led to an unsubscribe. */
export function RecentEmails({ status }: { status: keyof typeof TEXTS }) {
  const from = lastDays(DEFAULT_DAYS).start_date;
  const { data, error, mutate } = useOrganizationData('GET /api/email-sends', {
    query: { status, from, per_page: String(RECENT_ROWS) },
  });
  const rows = data?.data ?? [];
  return (
    <Section
      title={TEXTS[status]}
      actions={rows.length > 0 && <TextLink to={logPath({ status, from })}>All in the log</TextLink>}
    >
      {!data && error ? (
        <Failure
          problem={error}
          fallback={`Failed to load ${TEXTS[status].toLowerCase()}. Please try again.`}
          onRetry={mutate}
        />
      ) : (
        <Rows>
          {rows.map(send => (
            <RecentRow key={send.id} {...rowOf(send)} />
          ))}
          {data ? rows.length === 0 && <NoRows>None in the last 30 days.</NoRows> : <RowLoading />}
        </Rows>
      )}
    </Section>
  );
}

const rowOf = ({
  recipient_email,
  list_member_id,
  automation_name,
  bounce_reason,
  unsubscribed_at,
  sent_at,
}: EmailSend) => ({
  to: list_member_id ? paths.listMember(list_member_id) : undefined,
  name: recipient_email,
  about: bounce_reason ?? automation_name,
  end: formatRelative(unsubscribed_at ?? sent_at),
});

/** The content that people click most often; undefined while it is loading. */
export const BestEmail = ({ best }: { best: Performance['best'] | undefined }) => (
  <Section title="Best email">
    <Rows>
      {best === undefined && <RowLoading />}
      {best === null && <NoRows>Nothing was clicked in the last 30 days.</NoRows>}
      {best && (
        <>
          <RecentRow
            to={paths.combination(best.id)}
            name={best.combination || (best.subject_line ?? best.id)}
            about={best.subject_line ?? ''}
            end={`${percentage(best.clicked, best.sent)} clicked`}
          />
          <NoRows>
            {formatNumber(best.clicked)} of {plural(best.sent, 'email')} of the last 30 days were clicked,{' '}
            {formatNumber(best.opened)} opened. A high rate of few emails counts for less: it may be chance.
          </NoRows>
        </>
      )}
    </Rows>
  </Section>
);
