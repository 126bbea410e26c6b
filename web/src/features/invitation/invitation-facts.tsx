import type { InvitationCheck } from '#shared/invitation.ts';
import { Fact, Facts } from '#web/components/facts.tsx';
import { formatDate } from '#web/lib/format.ts';

export type InvitationDetails = NonNullable<InvitationCheck['invitation']>;

/** The details of an invitation. Without a session, the server leaves out the invited address. */
export const InvitationFacts = ({ invitation }: { invitation: InvitationDetails }) => {
  const { organization, invited_by, role, email, expires_at } = invitation;
  return (
    <Facts>
      {organization && <Fact name="Organization">{organization.name}</Fact>}
      {invited_by && <Fact name="Invited by">{invited_by.name}</Fact>}
      {role && <Fact name="Role">{role.toLowerCase()}</Fact>}
      {email && <Fact name="Invited email">{email}</Fact>}
      {expires_at && <Fact name="Expires">{formatDate(expires_at)}</Fact>}
    </Facts>
  );
};
