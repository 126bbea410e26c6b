import { chakra } from '@chakra-ui/react';

const Sheet = chakra('pre', {
  base: {
    mt: '3',
    p: '4',
    maxHeight: 'min(640px, 55vh)',
    overflow: 'auto',
    borderWidth: '1px',
    borderRadius: 'md',
    bg: 'bg.subtle',
    fontFamily: 'mono',
    fontSize: 'xs',
    lineHeight: '18px',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    _focusVisible: { outlineOffset: '-2px' },
  },
});

/** The plain text version of an email. */
export const PlainText = ({ children }: { children: string }) => (
  <Sheet role="region" tabIndex={0} aria-label="Plain text" dir="auto">
    {children}
  </Sheet>
);
