import { Status as ChakraStatus } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The colours of dot and word. Only warnings and errors have a coloured word. */
const TONES = {
  usual: { dot: { bg: 'fg.success' }, word: {} },
  off: {
    dot: { bg: 'transparent', borderWidth: '1.5px', borderColor: 'border.emphasized' },
    word: { color: 'fg.muted' },
  },
  attention: { dot: {}, word: { color: 'fg.warning' } },
  wrong: { dot: {}, word: { color: 'fg.error' } },
} as const;

/** A state that a newer API answers to an open page. */
export const OTHER_STATE = { word: 'Not known', tone: 'off' } as const;

type Props = { tone: keyof typeof TONES; whiteSpace?: 'normal'; children: ReactNode };

export const Status = ({ tone, children, ...rest }: Props) => (
  <ChakraStatus.Root as="span" {...TONES[tone].word} {...rest}>
    <ChakraStatus.Indicator as="span" {...TONES[tone].dot} />
    {children}
  </ChakraStatus.Root>
);

export const ActiveStatus = ({ active }: { active: boolean }) => (
  <Status tone={active ? 'usual' : 'off'}>{active ? 'Active' : 'Inactive'}</Status>
);
