import { chakra } from '@chakra-ui/react';

/**
 * The frame of the checkboxes, which may be hundreds. It has the same height while they are loading, so that nothing below it
 * moves.
 */
export const CheckboxOptions = chakra('div', {
  base: {
    overflowY: 'auto',
    resize: 'vertical',
    px: '3',
    py: '2',
    borderWidth: '1px',
    borderRadius: 'md',
    bg: 'bg.panel',
    fontSize: 'sm',
  },
});
