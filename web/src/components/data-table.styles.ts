import { chakra } from '@chakra-ui/react';

export const Frame = chakra('div', {
  base: { borderWidth: '1px', borderColor: 'border', borderRadius: 'lg', overflow: 'hidden', bg: 'bg.panel' },
});

export const Scroll = chakra('div', {
  base: { position: 'relative', overflowX: 'auto', _focusVisible: { outlineOffset: '-2px' } },
});

// Cells are native elements: a Chakra component for each makes rendering several times slower.
export const Sheet = chakra('table', {
  base: {
    width: 'full',
    minWidth: '640px',
    tableLayout: 'fixed',
    fontSize: 'sm',
    lineHeight: '20px',
    '& th': {
      height: '32px',
      px: '3',
      bg: 'bg.subtle',
      color: 'fg.muted',
      fontSize: 'xs',
      fontWeight: 'medium',
      textAlign: 'start',
    },
    '& td': {
      height: '36px',
      px: '3',
      borderTopWidth: '1px',
      borderColor: 'border',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
    '& [data-align=end]': { textAlign: 'end' },
    '& tbody tr': { _hover: { bg: 'bg.subtle' }, _focusVisible: { outlineOffset: '-2px', bg: 'bg.subtle' } },
    '& .select': { p: 0, overflow: 'visible' },
    '& .select label': { display: 'grid', placeItems: 'center', height: 'full', cursor: 'pointer' },
    '& .select input': { width: '4', height: '4', accentColor: 'var(--action)', cursor: 'inherit' },
    '& td.actions': { textAlign: 'end', px: '1', overflow: 'visible' },
    '& td.actions > *': { opacity: 0, '@media (hover: none)': { opacity: 1 } },
    '& tr:is(:hover, :focus-within) td.actions > *': { opacity: 1 },
    '& th button': {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '1',
      height: '24px',
      fontWeight: 'medium',
      borderRadius: 'sm',
      _hover: { color: 'fg' },
      '& svg': { width: '14px', height: '14px', opacity: 0, '&[data-current=true]': { opacity: 1 } },
      '&:is(:hover, :focus-visible) svg': { opacity: 1 },
    },
    // The sort arrow is on the left, so that the header is aligned with the numbers below.
    '& th[data-align=end] button': { flexDirection: 'row-reverse' },
    '& .waiting': {
      display: 'block',
      height: '10px',
      width: '60%',
      borderRadius: 'full',
      bg: 'border',
      animation: 'pulse 1.6s infinite',
    },
    '&[aria-busy=true] tbody': { opacity: 0.6 },
    '& .unseen': {
      position: 'absolute',
      width: '1px',
      height: '1px',
      overflow: 'hidden',
      clipPath: 'inset(50%)',
    },
  },
});
