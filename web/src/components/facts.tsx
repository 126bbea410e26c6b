import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A list of names and values: children are `Fact`s, or `<div><dt/><dd/></div>`. */
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

/** A name with its value, or with a placeholder while the value is loading. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children ?? <Skeleton />}</dd>
  </div>
);

/** The placeholder of a text or a number that is loading. */
export const Skeleton = chakra('span', {
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
