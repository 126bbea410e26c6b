import { Portal } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Renders an overlay at the end of its dialog or landmark: no table clips it, and screen readers find it there. */
export const LandmarkPortal = ({ of, children }: { of: Element | null | undefined; children: ReactNode }) => (
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
