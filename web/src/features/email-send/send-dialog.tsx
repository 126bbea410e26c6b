import { Box } from '@chakra-ui/react';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Modal } from '../../components/modal.tsx';
import { SentEmail } from '../../entities/email/sent-email.tsx';
import { useOrganizationData } from '../../lib/data.ts';
import { useOrganization } from '../../lib/organization.ts';

type Props = { id: string; onClose: () => void };

/** What an email said. */
export default function SendDialog({ id, onClose }: Props) {
  const organization = useOrganization();
  const { data, error, mutate } = useOrganizationData(
    'GET /api/email-sends/{emailSend}/content',
    { params: { emailSend: id }, isRefusalExpected: true },
    { revalidateOnFocus: false },
  );
  return (
    <Modal title="Email Preview" width="720px" onClose={onClose}>
      <Box minHeight="320px" aria-busy={!data && !error}>
        {!organization ? (
          'Please select an organization to view email content.'
        ) : data ? (
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
