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
        {/* Before it is positioned, the tooltip may cover its target. The pointer would then leave the target. */}
        <Tooltip.Positioner pointerEvents="none">
          <Tooltip.Content>{text}</Tooltip.Content>
        </Tooltip.Positioner>
      </LandmarkPortal>
    </Tooltip.Root>
  );
}
