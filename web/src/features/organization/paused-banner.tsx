import { Flex, Text } from '@chakra-ui/react';
import { Pause } from 'lucide-react';
import { Button } from '#web/components/button.tsx';
import { BrandSurface } from '#web/components/panel.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useOrganizations } from './use-organizations.ts';

/** Shown on every page while the active organization is inactive. */
export function PausedBanner() {
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
