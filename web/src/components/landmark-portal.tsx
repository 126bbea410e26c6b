import { Portal } from '@chakra-ui/react';
import type { ReactNode } from 'react';

type Props = { of: Element | null | undefined; children: ReactNode };

/**
 * Renders an overlay at the end of the dialog or landmark that its element is in: no table clips it there, and screen readers
 * find it in the same landmark.
 */
export const LandmarkPortal = ({ of, children }: Props) => (
  <Portal container={{ current: of?.closest<HTMLElement>('[role=dialog], main, header') ?? document.body }}>
    {children}
  </Portal>
);
