import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';

const Sheet = chakra('pre', {
  base: {
    overflow: 'auto',
    borderWidth: '1px',
    borderRadius: 'md',
    bg: 'bg.subtle',
    fontFamily: 'mono',
    fontSize: 'xs',
    lineHeight: '18px',
    _focusVisible: { outlineOffset: '-2px' },
  },
});

/** Text with its line breaks, in a box that can be scrolled, by keyboard as well. */
export const Preformatted = ({ label, ...props }: ComponentProps<typeof Sheet> & { label: string }) => (
  <Sheet role="region" tabIndex={0} aria-label={label} {...props} />
);
