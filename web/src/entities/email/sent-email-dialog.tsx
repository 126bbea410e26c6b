import { Box, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { EmailSendContent } from '#shared/send.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { formatUtc } from '#web/lib/format.ts';
import { EmailViews } from './email-views.tsx';

type Props = {
  content: EmailSendContent | undefined;
  problem: unknown;
  onRetry: () => void;
  instead?: ReactNode;
  onClose: () => void;
};

export const SentEmailDialog = ({ content, problem, onRetry, instead, onClose }: Props) => (
  <Modal title="Email Preview" width="720px" onClose={onClose}>
    <Box minHeight="320px" aria-busy={!content && !problem}>
      {instead ? (
        instead
      ) : content ? (
        <SentEmail content={content} />
      ) : problem ? (
        <Failure
          problem={problem}
          fallback="The email could not be loaded. Please try again."
          onRetry={onRetry}
        />
      ) : (
        <Loading shape={['line', 'line', 'line', 'line', 320]} />
      )}
    </Box>
    <Actions>
      <Button onClick={onClose}>Close</Button>
    </Actions>
  </Modal>
);

function SentEmail({ content: { sender, html, plaintext, is_exact } }: { content: EmailSendContent }) {
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
          <Fact name="Subject">
            <span dir="auto">{sender.subject}</span>
          </Fact>
          <Fact name="List">{sender.list_name}</Fact>
          <Fact name="Automation">{sender.automation_name}</Fact>
          {trigger_metadata && <Fact name="Trigger">{formatUtc(new Date(trigger_metadata))}</Fact>}
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
