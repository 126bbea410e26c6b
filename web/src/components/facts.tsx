import { chakra } from '@chakra-ui/react';

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
