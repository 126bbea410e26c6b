import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { InvitationCheck } from '../../../../shared/invitation.ts';
import { Button } from '../../components/button.tsx';
import { ActionError, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { useRevalidate } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { messageOf, withFallbackMessage } from '../../lib/problem.ts';
import { InvitationFacts } from './invitation-facts.tsx';

const REDIRECT_DELAY = 2000;

type Answer = 'accepted' | 'rejected';
type Props = {
  token: string;
  invitation: NonNullable<InvitationCheck['invitation']>;
  /** Called after a failed answer: the invitation may have changed. */
  onRefused: () => unknown;
};

export function AnswerInvitation({ token, invitation, onRefused }: Props) {
  const [busy, setBusy] = useState<Answer>();
  const [answered, setAnswered] = useState<Answer>();
  const [error, setError] = useState<string>();
  const revalidate = useRevalidate();
  const navigate = useNavigate();
  const name = invitation.organization?.name ?? 'the organization';

  useEffect(() => {
    if (!answered) return;
    const timer = setTimeout(() => navigate(paths.home()), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [answered, navigate]);

  async function answer(as: Answer, call: () => Promise<unknown>, failure: string) {
    setBusy(as);
    setError(undefined);
    try {
      await withFallbackMessage(call(), failure);
      setAnswered(as);
      await revalidate('GET /api/organizations', 'GET /api/user/invitations');
    } catch (problem) {
      setError(messageOf(problem));
      onRefused();
    } finally {
      setBusy(undefined);
    }
  }

  const params = { token };
  const accept = () =>
    answer(
      'accepted',
      () => api('POST /api/invitations/accept/{token}', { params }),
      'Failed to accept invitation',
    );
  const reject = () =>
    answer(
      'rejected',
      () => api('POST /api/invitations/reject/{token}', { params }),
      'Failed to reject invitation',
    );

  return (
    <Page title="Invitation" heading={`Join ${name}`}>
      <InvitationFacts invitation={invitation} />
      {answered ? (
        <Box mt="5" maxWidth="60ch">
          <Notice tone="success">
            {answered === 'accepted'
              ? `You have joined ${name}. You can switch to it in the sidebar.`
              : `You have rejected the invitation to ${name}.`}{' '}
            Taking you to the dashboard...
          </Notice>
        </Box>
      ) : (
        <Flex gap="2" mt="5">
          <Button
            variant="solid"
            loading={busy === 'accepted'}
            loadingText="Accepting..."
            disabled={busy === 'rejected'}
            onClick={accept}
          >
            Accept
          </Button>
          <Button
            loading={busy === 'rejected'}
            loadingText="Rejecting..."
            disabled={busy === 'accepted'}
            onClick={reject}
          >
            Reject
          </Button>
        </Flex>
      )}
      <ActionError>{error}</ActionError>
    </Page>
  );
}
