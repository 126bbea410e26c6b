import { chakra } from '@chakra-ui/react';

/** Around checkboxes of which there may be hundreds: as high before they are loaded, so that nothing below moves. */
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
