import type { InvitationCheck } from '../../../../shared/invitation.ts';
import { Facts } from '../../components/facts.tsx';
import { formatDate } from '../../lib/format.ts';

type Props = { invitation: NonNullable<InvitationCheck['invitation']> };

/** The details of an invitation. Without a session, the server leaves out the invited address. */
export const InvitationFacts = ({ invitation }: Props) => {
  const { organization, invited_by, role, email, expires_at } = invitation;
  const facts = [
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
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </Facts>
  );
};
