import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Names and values, as `<div><dt/><dd/></div>` each. */
export const Facts = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(64px, max-content) 1fr',
    columnGap: '6',
    rowGap: '2',
    fontSize: 'md',
    '& > div': { display: 'contents' },
    '& dt': { color: 'fg.muted' },
    '& dd': { fontWeight: 'medium', overflowWrap: 'anywhere' },
  },
});

/** One of them; a bar stands in for a value that is still loading. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children ?? <Bar />}</dd>
  </div>
);

/** What stands in for a word or a number while it is loading. */
export const Bar = chakra('span', {
  base: {
    display: 'inline-block',
    verticalAlign: 'middle',
    height: '10px',
    width: '96px',
    maxWidth: 'full',
    borderRadius: 'full',
    bg: 'border',
    animation: 'pulse 1.6s infinite',
  },
});
