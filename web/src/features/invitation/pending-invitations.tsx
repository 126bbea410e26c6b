import { chakra } from '@chakra-ui/react';
import { ButtonLink } from '../../components/button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { formatDate } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { useInvitations } from './use-invitations.ts';

const Entry = chakra('li', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    px: '3',
    py: '2',
    '& + &': { borderTopWidth: '1px', borderColor: 'border' },
  },
});

const Text = chakra('div', {
  base: {
    flex: 1,
    minWidth: 0,
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '4',
    '& > span': { color: 'fg.muted' },
    '& > strong': { flexBasis: '100%', fontWeight: 'semibold', overflowWrap: 'anywhere' },
  },
});

/** A section of the profile, shown while invitations are pending. */
export function PendingInvitations() {
  const { data, error, mutate } = useInvitations();
  if (error && !data) {
    return (
      <Section title="Pending Organization Invitations">
        <Failure
          problem={error}
          message={serverMessageOr(error, 'Failed to load invitations')}
          onRetry={mutate}
        />
      </Section>
    );
  }
  if (!data || data.invitations.length === 0) return null;
  return (
    <Section title="Pending Organization Invitations">
      <Panel as="ul">
        {data.invitations.map(({ id, token, role, expires_at, organization }) => (
          <Entry key={id}>
            <Text>
              <strong>{organization.name}</strong>
              <span>Invited as {role.toLowerCase()}</span>
              <span>Expires {formatDate(expires_at)}</span>
            </Text>
            <ButtonLink to={paths.invitation(token)}>View</ButtonLink>
          </Entry>
        ))}
      </Panel>
    </Section>
  );
}
