import { Stack } from '@chakra-ui/react';
import { InvitationBanner } from '../features/invitation/invitation-banner.tsx';
import { PausedBanner } from '../features/organization/paused-banner.tsx';

/** Sticky at the end of the page: they are always in view, and move nothing when they appear. */
export default function Banners() {
  return (
    <Stack data-uncovered position="sticky" bottom="3" zIndex="1" gap="2" mt="auto">
      <PausedBanner />
      <InvitationBanner />
    </Stack>
  );
}
