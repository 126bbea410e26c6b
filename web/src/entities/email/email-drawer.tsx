import { Box, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { titleOf } from '#shared/providers.ts';
import type { EmailSend, EmailSendContent, EmailSendDetails, Step } from '#shared/send.ts';
import { DELETED } from '#shared/send-status.ts';
import { Breakable } from '#web/components/breakable.tsx';
import { Button, TextLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Section } from '#web/components/section.tsx';
import { OTHER_STATE, Status } from '#web/components/status.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatUtcMoment, IN_UTC } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { EmailViews } from './email-views.tsx';
import { notesOf, STATUS_NAMES } from './send-texts.ts';

type Props = {
  id: string;
  /** Its row, if the page has it. Of a skipped email, nothing else can be loaded. */
  known: EmailSend | undefined;
  /** Why it was sent, or not; nothing if its member or its automation is deleted. */
  explain: (send: EmailSend) => ReactNode;
  onClose: () => void;
};

/** An email of the log: what happened to it, why, and what it said. */
export default function EmailDrawer({ id, known, explain, onClose }: Props) {
  const organization = useOrganization();
  const isSkipped = known?.status === 'skipped';
  const { data, error, mutate } = useOrganizationData(
    isSkipped ? undefined : 'GET /api/email-sends/{emailSend}',
    { params: { emailSend: id }, isRefusalExpected: true },
    { revalidateOnFocus: false },
  );
  const send = data ?? known;
  return (
    <Modal
      title={isSkipped ? 'Skipped email' : 'Email Preview'}
      placement="side"
      width="720px"
      onClose={onClose}
    >
      {!organization ? (
        'Please select an organization to view email content.'
      ) : error && !data ? (
        <Failure problem={error} fallback={NOT_LOADED} onRetry={() => void mutate()} />
      ) : (
        <>
          <Happened send={send} steps={data?.steps} />
          {send && <Why isOpen={isSkipped}>{explain(send)}</Why>}
          {!isSkipped && <Content id={id} send={send} />}
        </>
      )}
    </Modal>
  );
}

const NOT_LOADED = 'The email could not be loaded. Please try again.';

const STEPS: Record<Exclude<Step, 'answered'>, string> = {
  due: 'Due',
  claimed: 'Claimed for sending',
  delivered: 'Delivered',
  rejected: 'Rejected by the mail provider',
  opened: STATUS_NAMES.opened,
  machine_opened: STATUS_NAMES.machine_opened,
  clicked: STATUS_NAMES.clicked,
  machine_clicked: 'Clicked by a machine',
  unsub_clicked: STATUS_NAMES.unsub_clicked,
  unsubscribed: STATUS_NAMES.unsubscribed,
  resubscribed: 'Subscribed again',
  bounced: STATUS_NAMES.bounced,
  complained: STATUS_NAMES.complained,
};
const WRONG: readonly Step[] = ['rejected', 'bounced', 'complained'];

function wordOf(step: Step, { status, provider }: EmailSend, isRejected: boolean) {
  if (step !== 'answered') {
    return { word: STEPS[step] ?? OTHER_STATE.word, tone: WRONG.includes(step) ? 'wrong' : 'usual' } as const;
  }
  const by = provider ? ` through ${titleOf(provider)}` : '';
  if (isRejected || status === 'sent') return { word: `Sent${by}`, tone: 'usual' } as const;
  return { word: STATUS_NAMES[status], tone: status === 'failed' ? 'wrong' : 'attention' } as const;
}

type HappenedProps = { send: EmailSend | undefined; steps: EmailSendDetails['steps'] | undefined };

function Happened({ send, steps }: HappenedProps) {
  const isSkipped = send?.status === 'skipped';
  const notes = send && notesOf(send);
  const isRejected = steps?.some(({ step }) => step === 'rejected') ?? false;
  const lines = isSkipped
    ? [{ word: 'Due, and skipped', tone: 'attention' as const, at: send.sent_at }]
    : send && steps?.map(({ step, at }) => ({ ...wordOf(step, send, isRejected), at }));
  return (
    <Section title="What happened" note={IN_UTC}>
      {notes && (
        <Notice tone="warning" mb="3">
          {notes}
        </Notice>
      )}
      <Box
        as="ol"
        aria-label="What happened"
        minHeight={isSkipped ? undefined : '80px'}
        fontSize="sm"
        aria-busy={!lines}
      >
        {lines?.map(({ word, tone, at }) => (
          <Box as="li" key={`${word} ${at}`} display="flex" flexWrap="wrap" columnGap="4" py="1">
            <Box flex="1 1 180px">
              <Status tone={tone}>{word}</Status>
            </Box>
            <Box color="fg.muted">
              <time dateTime={at}>{formatUtcMoment(at, '')}</time>
            </Box>
          </Box>
        )) ?? <Loading shape={['line', 'line', 'line']} />}
      </Box>
    </Section>
  );
}

function Why({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [isShown, setShown] = useState(isOpen);
  if (!children) return null;
  return (
    <Box mt="4">
      <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        Why?
      </Button>
      {isShown && <Box mt="4">{children}</Box>}
    </Box>
  );
}

function Content({ id, send }: { id: string; send: EmailSend | undefined }) {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/email-sends/{emailSend}/content',
    { params: { emailSend: id }, isRefusalExpected: true },
    { revalidateOnFocus: false },
  );
  return (
    <Box minHeight="480px" mt="6" aria-busy={!data && !error}>
      {data && send ? (
        <SentEmail content={data} send={send} />
      ) : error ? (
        <Failure problem={error} fallback={NOT_LOADED} onRetry={() => void mutate()} />
      ) : (
        <Loading shape={['line', 'line', 'line', 'line', 'line', 320]} />
      )}
    </Box>
  );
}

function SentEmail({ content, send }: { content: EmailSendContent; send: EmailSend }) {
  const { sender, html, plaintext, is_exact } = content;
  const { recipient_email, list_member_id, email_list_id, automation_id } = send;
  const { trigger_metadata } = sender;
  return (
    <>
      <Box mb="4">
        <Facts aria-label="Email">
          <Fact name="From">
            {sender.name}{' '}
            <Box as="span" color="fg.muted" fontWeight="normal">
              {`<${sender.email}>`}
            </Box>
          </Fact>
          <Fact name="To">
            {list_member_id ? (
              <TextLink to={paths.listMember(list_member_id)}>
                <Breakable>{recipient_email}</Breakable>
              </TextLink>
            ) : (
              <Breakable>{recipient_email}</Breakable>
            )}
          </Fact>
          <Fact name="Subject">
            <span dir="auto">{sender.subject}</span>
          </Fact>
          <Fact name="List">
            <NameLink
              name={sender.list_name}
              to={send.email_list_name !== DELETED && paths.list(email_list_id)}
            />
          </Fact>
          <Fact name="Automation">
            <NameLink
              name={sender.automation_name}
              to={send.automation_name !== DELETED && paths.automation(automation_id)}
            />
          </Fact>
          {trigger_metadata && <Fact name="Trigger">{formatUtcMoment(trigger_metadata, '')}</Fact>}
        </Facts>
      </Box>
      <Text mb="4" color="fg.muted" fontSize="sm">
        {is_exact
          ? 'This is the email as it was sent.'
          : 'This preview is built on demand from current assets. It may differ from what was sent.'}
      </Text>
      <EmailViews html={html} text={plaintext} />
    </>
  );
}

/** A name that links to the page of its item, if that still exists. */
const NameLink = ({ name, to }: { name: string; to: string | false }) =>
  to && name ? <TextLink to={to}>{name}</TextLink> : name || '–';
