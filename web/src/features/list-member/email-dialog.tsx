import { Box } from '@chakra-ui/react';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Modal } from '../../components/modal.tsx';
import { SentEmail } from '../../entities/email/sent-email.tsx';
import { useOrganizationData } from '../../lib/data.ts';

type Props = {
  /** The id of the action that sent it. */
  action: string;
  onClose: () => void;
};

/** The email that a member was sent. */
export default function EmailDialog({ action, onClose }: Props) {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/list-member-actions/{listMemberAction}/email-content',
    { params: { listMemberAction: action } },
  );
  return (
    <Modal title="Email Preview" width="720px" onClose={onClose}>
      <Box minHeight="320px" aria-busy={!data && !error}>
        {data ? (
          <SentEmail content={data} />
        ) : error ? (
          <Failure
            problem={error}
            fallback="The email could not be loaded. Please try again."
            onRetry={() => void mutate()}
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
}
