import { Badge, Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { EmailSend } from '#shared/send.ts';
import { DELETED } from '#shared/send-status.ts';
import { TextLink } from '#web/components/button.tsx';
import { formatMoment, formatRelative } from '#web/lib/format.ts';
import { STATUS_NAMES, whyOf } from './send-texts.ts';

/** A name that links to the page of its item, if that still exists. */
export const NameLink = ({ name, to }: { name: string; to: string }) =>
  name && name !== DELETED ? <TextLink to={to}>{name}</TextLink> : <span>{name || '–'}</span>;

export const SentAt = ({ send: { sent_at, status } }: { send: EmailSend }) => (
  <time dateTime={sent_at}>
    {status === 'skipped' && 'Due '}
    {formatMoment(sent_at)}
  </time>
);

const When = ({ word, at }: { word: string; at: string | null }) => (
  <Badge whiteSpace="normal">
    {word}
    {at && (
      <>
        {' '}
        <time dateTime={at} title={formatMoment(at)}>
          {formatRelative(at)}
        </time>
      </>
    )}
  </Badge>
);

const Bad = ({ children }: { children: ReactNode }) => <Badge color="fg.error">{children}</Badge>;

/** The outcome of an email and its later events, of which there may be several. */
export function SendStatus({ send }: { send: EmailSend }) {
  const { status, is_opened, opened_at, is_clicked, first_clicked_at, unsubscribed_at } = send;
  const why = whyOf(send);
  const badges = [
    is_opened && <When key="opened" word={STATUS_NAMES.opened} at={opened_at} />,
    is_clicked && <When key="clicked" word={STATUS_NAMES.clicked} at={first_clicked_at} />,
    unsubscribed_at && <When key="unsubscribed" word={STATUS_NAMES.unsubscribed} at={unsubscribed_at} />,
    send.is_bounced && <Bad key="bounced">{STATUS_NAMES.bounced}</Bad>,
    send.is_complained && <Bad key="complained">{STATUS_NAMES.complained}</Bad>,
    status === 'failed' && <Bad key="failed">{STATUS_NAMES.failed}</Bad>,
    status === 'unknown' && (
      <Badge key="unknown" color="fg.warning">
        {STATUS_NAMES.unknown}
      </Badge>
    ),
    status === 'skipped' && <Badge key="skipped">{STATUS_NAMES.skipped}</Badge>,
  ].filter(badge => badge !== false && badge !== null);
  return (
    <Box minWidth="0">
      <Flex wrap="wrap" gap="1" py="1px">
        {badges.length > 0 ? badges : <Badge>{STATUS_NAMES.sent}</Badge>}
      </Flex>
      {(why || send.is_resent) && (
        <Box color="fg.muted" fontSize="xs" lineHeight="18px" overflowWrap="anywhere">
          {[why, send.is_resent && 'It was sent again.'].filter(Boolean).join(' ')}
        </Box>
      )}
    </Box>
  );
}
