import { Flex, Skeleton } from '@chakra-ui/react';
import type { EmailList } from '#shared/list.ts';
import { ActiveStatus } from '#web/components/status.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';

/** The line below the name of a list: whether it is active, its domain and its counts. */
export const ListSummary = ({ list }: { list: EmailList | undefined }) => (
  <Flex
    wrap="wrap"
    align="center"
    alignContent="start"
    columnGap="4"
    rowGap="1"
    mt="-3"
    mb="4"
    // Two lines on a phone, also while it is loading.
    minHeight={{ base: '44px', md: '20px' }}
    fontSize="sm"
    lineHeight="20px"
    color="fg.muted"
    overflowWrap="anywhere"
  >
    {list ? (
      <>
        <ActiveStatus active={list.active} />
        <span>{list.domain}</span>
        <span>
          {plural(list.total_members, 'member')} · {formatNumber(list.subscribed_members)} subscribed ·{' '}
          {formatNumber(list.unsubscribed_members)} unsubscribed
        </span>
      </>
    ) : (
      <Skeleton width="320px" />
    )}
  </Flex>
);
