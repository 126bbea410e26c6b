import { Text } from '@chakra-ui/react';
import type { InvitationCheck } from '../../../../shared/invitation.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { paths } from '../../lib/paths.ts';
import { InvitationFacts } from './invitation-facts.tsx';

type Props = { token: string; check: InvitationCheck | undefined };

/** Shown without a session: only the invited user can answer. */
export function SignInFirst({ token, check }: Props) {
  const invitation = check?.valid ? check.invitation : undefined;
  return (
    <Page title="Invitation" heading={invitation ? 'You have been invited' : 'Invitation'}>
      {invitation && <InvitationFacts invitation={invitation} />}
      <Text my="4" maxWidth="60ch">
        Please sign in with the invited email address to view and answer this invitation.
      </Text>
      {/* /login is a separate HTML document. */}
      <ButtonLink variant="solid" to={paths.login(paths.invitation(token))} reloadDocument>
        Sign in
      </ButtonLink>
    </Page>
  );
}
