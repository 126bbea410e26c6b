import { Portal } from '@chakra-ui/react';
import type { ReactNode } from 'react';

type Props = { of: Element | null | undefined; children: ReactNode };

/**
 * Renders what belongs to an element at the end of its dialog or landmark: no table clips it there, and screen readers find it
 * where they found the element.
 */
export const LandmarkPortal = ({ of, children }: Props) => (
  <Portal container={{ current: of?.closest<HTMLElement>('[role=dialog], main, header') ?? document.body }}>
    {children}
  </Portal>
);
