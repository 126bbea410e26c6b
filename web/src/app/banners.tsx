import { Flex, Stack, Text } from '@chakra-ui/react';
import { Pause } from 'lucide-react';
import { Button } from '../components/button.tsx';
import { BrandSurface } from '../components/panel.tsx';
import { useKeptFocus } from '../components/use-kept-focus.ts';
import { InvitationBanner } from '../features/invitation/invitation-banner.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';

/** Sticky at the end of the page: they are always in view, and move nothing when they appear. */
export default function Banners() {
  return (
    <Stack data-uncovered position="sticky" bottom="3" zIndex="1" gap="2" mt="auto">
      <PausedBanner />
      <InvitationBanner />
    </Stack>
  );
}

/** Shown on every page while the active organization is inactive. */
function PausedBanner() {
  const { active, setSending } = useOrganizations();
  const keptFocus = useKeptFocus(() => document.querySelector<HTMLElement>('main h1'));
  if (!active || active.active) return null;
  return (
    <BrandSurface
      {...keptFocus}
      role="status"
      alignItems="center"
      gap="3"
      px="3"
      py="1"
      borderRadius="md"
      borderWidth="1px"
      borderColor="yellow.line"
      boxShadow="panel"
      fontSize="sm"
    >
      <Flex flexShrink="0" _icon={{ width: '4', height: '4' }}>
        <Pause aria-hidden />
      </Flex>
      <Text flex="1" py="1" lineHeight="20px" overflowWrap="anywhere">
        All sending of {active.name} is paused. What falls due meanwhile is not sent later.
        {!setSending && ' An admin or owner can resume it.'}
      </Text>
      {setSending && (
        <Button colorPalette="yellow" onClick={() => setSending(true)}>
          Resume sending
        </Button>
      )}
    </BrandSurface>
  );
}
