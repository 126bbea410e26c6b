import { chakra } from '@chakra-ui/react';

/** Native checkboxes are faster: there may be hundreds, and all are rendered again with each change. */
export const CheckboxLabel = chakra('label', {
  base: {
    display: 'flex',
    gap: '2',
    minWidth: '0',
    py: '1',
    lineHeight: '20px',
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    '@media (pointer: coarse)': { py: '12px' },
    '& > input': { flexShrink: 0, width: '4', height: '4', mt: '0.5', accentColor: 'var(--action)' },
  },
});
