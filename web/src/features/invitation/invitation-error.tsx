import { Text } from '@chakra-ui/react';
import { type InvitationCheck, mismatch } from '../../../../shared/invitation.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { paths } from '../../lib/paths.ts';

/** Why an invitation cannot be answered. */
export function InvitationError({ check }: { check: InvitationCheck }) {
  return (
    <Page title="Invitation Error">
      <Text mb="4" maxWidth="60ch" overflowWrap="anywhere">
        {reason(check)}
      </Text>
      {check.email_mismatch && (
        <Text mb="4" mt="-2" color="fg.muted" fontSize="sm">
          To answer it, log out and sign in with the invited address.
        </Text>
      )}
      <ToDashboard />
    </Page>
  );
}

export const ToDashboard = () => <ButtonLink to={paths.home()}>Back to dashboard</ButtonLink>;

function reason({ message, email_mismatch, invitation_email, user_email }: InvitationCheck): string {
  if (email_mismatch && invitation_email && user_email) return mismatch(invitation_email, user_email);
  return message ?? 'Failed to load invitation details';
}
