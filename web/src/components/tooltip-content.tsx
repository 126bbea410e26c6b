import { Tooltip } from '@chakra-ui/react';
import { LandmarkPortal } from './landmark-portal.tsx';

type Props = {
  id: string;
  text: string;
  side: 'top' | 'right';
  target: Element | null | undefined;
  onClose: () => void;
};

export default function TooltipContent({ id, text, side, target, onClose }: Props) {
  return (
    <Tooltip.Root
      open
      ids={{ content: id }}
      onOpenChange={({ open }) => !open && onClose()}
      positioning={{
        placement: side,
        gutter: 6,
        strategy: 'fixed',
        getAnchorElement: () => (target instanceof HTMLElement ? target : null),
      }}
    >
      <LandmarkPortal of={target}>
        {/* Before it has its place it may lie over the target, which the pointer would leave by that. */}
        <Tooltip.Positioner pointerEvents="none">
          <Tooltip.Content>{text}</Tooltip.Content>
        </Tooltip.Positioner>
      </LandmarkPortal>
    </Tooltip.Root>
  );
}
