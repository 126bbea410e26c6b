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

/** The style of a popover. Not in the theme, which every page loads. */
export const POPOVER_PANEL = {
  zIndex: 'menu',
  overflowY: 'auto',
  p: '3',
  bg: 'bg.panel',
  color: 'fg',
  borderWidth: '1px',
  borderRadius: 'lg',
  boxShadow: 'panel',
  fontSize: 'sm',
  outline: 'none',
  _open: { animation: 'appear 120ms' },
} as const;
