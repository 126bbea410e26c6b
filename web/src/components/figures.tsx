import { Box, chakra, Grid, type GridProps } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Explained } from '../lib/help.ts';
import { WithHelpTip } from './help-tip.tsx';
import { Panel } from './panel.tsx';

export const FigureList = (props: GridProps) => (
  <Panel asChild p="4">
    <Grid
      as="dl"
      templateColumns="repeat(auto-fit, minmax(132px, 1fr))"
      alignContent="start"
      columnGap="4"
      rowGap="3"
      {...props}
    />
  </Panel>
);

const FigureName = chakra('dt', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: '20px' } });
const FigureValue = chakra('dd', {
  base: {
    minHeight: '24px',
    fontSize: 'lg',
    lineHeight: '24px',
    fontWeight: 'semibold',
    overflowWrap: 'anywhere',
  },
});
const FigureNote = chakra('dd', {
  base: { minHeight: '18px', color: 'fg.muted', fontSize: 'xs', lineHeight: '18px' },
});

type FigureProps = { name: string; explained?: Explained | undefined; note?: ReactNode; children: ReactNode };

export const Figure = ({ name, explained, note, children }: FigureProps) => (
  <Box minWidth="0">
    <FigureName>
      <WithHelpTip word={name}>{explained}</WithHelpTip>
    </FigureName>
    <FigureValue>{children}</FigureValue>
    <FigureNote>{note}</FigureNote>
  </Box>
);
