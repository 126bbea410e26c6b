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
