import { chakra, Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useContext, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { Invitation } from '#shared/invitation.ts';
import { IconButton, TextLink } from '#web/components/button.tsx';
import { BrandSurface } from '#web/components/panel.tsx';
import { usePersonalData } from '#web/lib/data.ts';
import { isInvitation, paths } from '#web/lib/paths.ts';
import { token, UserContext } from '#web/lib/session.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

export function InvitationBanner() {
  const { data, error } = useInvitations();
  const user = useContext(UserContext);
  const { pathname } = useLocation();
  const [dismissed, setDismissed] = useState(storedKeys);
  const shown = data?.invitations.filter(invitation => !dismissed.includes(keyOf(invitation))) ?? [];

  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: a failed load of the invitations is only logged
    if (error) console.warn('Failed to load notifications', error);
  }, [error]);

  // In sessionStorage, which is cleared by closing the tab or signing out, and in the state, as the storage may be blocked.
  function dismiss() {
    const keys = [...dismissed, ...shown.map(keyOf)];
    writeStored(STORED, JSON.stringify(keys), 'session');
    setDismissed(keys);
  }

  // Shown together with the page, which it would otherwise move. Hidden on the page of an invitation.
  if (!user || shown.length === 0 || isInvitation(pathname)) return null;
  return (
    <BrandSurface
      role="status"
      alignItems="center"
      gap="3"
      pl="3"
      pr="1"
      py="1"
      borderRadius="md"
      boxShadow="panel"
      fontSize="sm"
    >
      <Text flex="1" py="1" lineHeight="20px" overflowWrap="anywhere">
        <Message invitations={shown} />
      </Text>
      <IconButton colorPalette="yellow" label="Dismiss" onClick={dismiss}>
        <X aria-hidden />
      </IconButton>
    </BrandSurface>
  );
}

function Message({ invitations: [first, ...others] }: { invitations: Invitation[] }) {
  if (!first) return null;
  if (others.length > 0) {
    return (
      <>
        <span>You have {others.length + 1} pending organization invitations</span>
        <BannerLink to={paths.profile()}>View all invitations</BannerLink>
      </>
    );
  }
  return (
    <>
      <span>
        You have been invited to join {first.organization.name} as {first.role.toLowerCase()}
      </span>
      <BannerLink to={paths.invitation(first.token)}>View invitation</BannerLink>
    </>
  );
}

const BannerLink = chakra(TextLink, {
  base: { ml: '2', fontWeight: 'medium', textDecorationColor: 'currentcolor', whiteSpace: 'nowrap' },
});

const REFRESH = 5 * 60_000;

export const useInvitations = () =>
  usePersonalData(token() ? 'GET /api/user/invitations' : undefined, undefined, { refreshInterval: REFRESH });

const STORED = 'dismissedInvitations';

// The key contains the instant, so that an invitation that is sent again is shown again.
const keyOf = ({ id, created_at }: Invitation) => `${id} ${created_at}`;

const storedKeys = (): string[] => JSON.parse(readStored(STORED, 'session') ?? '[]');
