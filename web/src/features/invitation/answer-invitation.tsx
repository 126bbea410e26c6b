import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Page } from '#web/components/page.tsx';
import { api } from '#web/lib/api.ts';
import { revalidate } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { useAction } from '#web/lib/use-action.ts';
import { type InvitationDetails, InvitationFacts } from './invitation-facts.tsx';

const REDIRECT_DELAY = 2000;

const ANSWERS = {
  Accept: { route: 'POST /api/invitations/accept/{token}', loadingText: 'Accepting...', variant: 'solid' },
  Reject: { route: 'POST /api/invitations/reject/{token}', loadingText: 'Rejecting...', variant: 'outline' },
} as const;

type Answer = keyof typeof ANSWERS;
const answers: Answer[] = ['Accept', 'Reject'];
type Props = {
  token: string;
  invitation: InvitationDetails;
  /** Called after an answer has failed: the invitation may have changed. */
  onRefused: () => unknown;
};

export function AnswerInvitation({ token, invitation, onRefused }: Props) {
  const [given, setGiven] = useState<Answer>();
  const [answered, setAnswered] = useState<Answer>();
  const navigate = useNavigate();
  const name = invitation.organization?.name ?? 'the organization';

  useEffect(() => {
    if (!answered) return;
    const timer = setTimeout(() => navigate(paths.home()), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [answered, navigate]);

  const { run, isRunning, error } = useAction(
    async (as: Answer) => {
      setGiven(as);
      await api(ANSWERS[as].route, { params: { token } });
      setAnswered(as);
      await revalidate('GET /api/organizations', 'GET /api/user/invitations');
    },
    { failure: as => `Failed to ${as.toLowerCase()} invitation` },
  );

  async function answer(as: Answer) {
    if (!(await run(as))) onRefused();
  }

  return (
    <Page title="Invitation" heading={`Join ${name}`}>
      <InvitationFacts invitation={invitation} />
      {answered ? (
        <Notice tone="success" mt="5" maxWidth="60ch">
          {answered === 'Accept'
            ? `You have joined ${name}. You can switch to it in the sidebar.`
            : `You have rejected the invitation to ${name}.`}{' '}
          Taking you to the dashboard...
        </Notice>
      ) : (
        <Actions error={error} direction="row-reverse">
          {answers.map(label => (
            <Button
              key={label}
              variant={ANSWERS[label].variant}
              loading={isRunning && given === label}
              loadingText={ANSWERS[label].loadingText}
              disabled={isRunning && given !== label}
              onClick={() => answer(label)}
            >
              {label}
            </Button>
          ))}
        </Actions>
      )}
    </Page>
  );
}
