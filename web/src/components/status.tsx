import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

const Word = chakra('span', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    whiteSpace: 'nowrap',
    // Otherwise the text would be aligned with the dot.
    verticalAlign: 'top',
    _before: { content: '""', width: '2', height: '2', borderRadius: 'full', bg: 'currentcolor' },
  },
  variants: {
    tone: {
      usual: { _before: { color: 'fg.success' } },
      off: {
        color: 'fg.muted',
        _before: { bg: 'transparent', borderWidth: '1.5px', borderColor: 'border.emphasized' },
      },
      attention: { color: 'fg.warning' },
      wrong: { color: 'fg.error' },
    },
  },
});

type Props = { tone: 'usual' | 'off' | 'attention' | 'wrong'; children: ReactNode };

/** A state as a coloured dot and a word; only warnings and errors colour the word too. */
export const Status = ({ tone, children }: Props) => <Word tone={tone}>{children}</Word>;

/** A short framed label. */
export const Badge = chakra('span', {
  base: {
    display: 'inline-block',
    px: '1.5',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'sm',
    bg: 'bg.subtle',
    color: 'fg.muted',
    fontSize: 'xs',
    lineHeight: '18px',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
  },
});
