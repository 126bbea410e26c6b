import { Box, Flex } from '@chakra-ui/react';
import { ButtonLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { useInvitations } from './invitation-banner.tsx';

export function PendingInvitations() {
  const { data, error, mutate } = useInvitations();
  if (error && !data) {
    return (
      <Section title="Pending Organization Invitations">
        <Failure problem={error} fallback="Failed to load invitations" onRetry={mutate} />
      </Section>
    );
  }
  if (!data || data.invitations.length === 0) return null;
  return (
    <Section title="Pending Organization Invitations">
      <Panel as="ul" divideY="1px" divideColor="border">
        {data.invitations.map(({ id, token, role, expires_at, organization }) => (
          <Flex as="li" key={id} align="center" gap="3" px="3" py="2">
            <Flex flex="1" minWidth="0" wrap="wrap" columnGap="4" color="fg.muted">
              <Box as="strong" flexBasis="full" fontWeight="semibold" color="fg" overflowWrap="anywhere">
                {organization.name}
              </Box>
              <span>Invited as {role.toLowerCase()}</span>
              <span>Expires {formatDate(expires_at)}</span>
            </Flex>
            <ButtonLink to={paths.invitation(token)}>View</ButtonLink>
          </Flex>
        ))}
      </Panel>
    </Section>
  );
}
