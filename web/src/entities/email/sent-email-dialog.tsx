import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { EmailSendContent } from '#shared/send.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { SentEmail } from './sent-email.tsx';

type Props = {
  /** Undefined while it is loading. */
  content: EmailSendContent | undefined;
  problem: unknown;
  onRetry: () => void;
  /** Shown in place of the email. */
  instead?: ReactNode;
  onClose: () => void;
};

/** The content of a sent email. */
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
