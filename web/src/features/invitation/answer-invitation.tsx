import { chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { InvitationCheck } from '../../../../shared/invitation.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { useRefresh } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { explained, messageOf } from '../../lib/problem.ts';
import { InvitationFacts } from './invitation-facts.tsx';

const REDIRECT_AFTER = 2000;

const Ways = chakra('div', { base: { display: 'flex', gap: '2', mt: '5' } });
const Said = chakra('div', { base: { mt: '5', maxWidth: '60ch' } });

type Answer = 'accepted' | 'rejected';
type Props = {
  token: string;
  invitation: NonNullable<InvitationCheck['invitation']>;
  /** The server refused, so it may not be what it was. */
  onRefused: () => unknown;
};

export function AnswerInvitation({ token, invitation, onRefused }: Props) {
  const [busy, setBusy] = useState<Answer>();
  const [answered, setAnswered] = useState<Answer>();
  const [fault, setFault] = useState<string>();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const name = invitation.organization?.name ?? 'the organization';

  useEffect(() => {
    if (!answered) return;
    const timer = setTimeout(() => navigate(paths.home()), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [answered, navigate]);

  async function answer(as: Answer, call: () => Promise<unknown>, failure: string) {
    setBusy(as);
    setFault(undefined);
    try {
      await explained(call(), failure);
      setAnswered(as);
      await refresh('GET /api/organizations', 'GET /api/user/invitations');
    } catch (problem) {
      setFault(messageOf(problem));
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
      {fault && (
        <Said>
          <Notice tone="error">{fault}</Notice>
        </Said>
      )}
      {answered ? (
        <Said>
          <Notice tone="success">
            {answered === 'accepted'
              ? `You have joined ${name}. You can switch to it in the sidebar.`
              : `You have rejected the invitation to ${name}.`}{' '}
            Taking you to the dashboard...
          </Notice>
        </Said>
      ) : (
        <Ways>
          <Button
            look="primary"
            busy={busy === 'accepted' && 'Accepting...'}
            disabled={busy === 'rejected'}
            onClick={accept}
          >
            Accept
          </Button>
          <Button
            busy={busy === 'rejected' && 'Rejecting...'}
            disabled={busy === 'accepted'}
            onClick={reject}
          >
            Reject
          </Button>
        </Ways>
      )}
    </Page>
  );
}
