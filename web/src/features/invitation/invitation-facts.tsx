import type { InvitationCheck } from '../../../../shared/invitation.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { formatDate } from '../../lib/format.ts';

type Props = { invitation: NonNullable<InvitationCheck['invitation']> };

/** The details of an invitation. Without a session, the server leaves out the invited address. */
export const InvitationFacts = ({ invitation }: Props) => {
  const { organization, invited_by, role, email, expires_at } = invitation;
  const facts: [string, string | undefined][] = [
    ['Organization', organization?.name],
    ['Invited by', invited_by?.name],
    ['Role', role?.toLowerCase()],
    ['Invited email', email],
    ['Expires', expires_at && formatDate(expires_at)],
  ];
  return (
    <Facts>
      {facts.map(
        ([name, value]) =>
          value && (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ),
      )}
    </Facts>
  );
};
