import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { percentage } from '#shared/report/figures.ts';
import type { TotalsOfAutomation } from '#shared/reporting.ts';
import { Amount } from '#web/components/amount.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { SHARED, SharedNote } from '#web/entities/automation/shared-counts.tsx';
import { formatNumber } from '#web/lib/format.ts';

/** "Sent 120 · Opened 61 (50.8%) · Clicked 12 (10%) · Value 40.00". */
export const StepFigures = ({ sent, opened, clicked, value }: TotalsOfAutomation) => (
  <>
    <Flex as="dl" wrap="wrap" columnGap="5" rowGap="1" fontSize="sm">
      <Figure name="Sent">{formatNumber(sent)}</Figure>
      <Figure name="Opened" explained={opened === null ? SHARED : undefined}>
        {opened === null ? 'Not known' : `${formatNumber(opened)} (${percentage(opened, sent)})`}
      </Figure>
      <Figure name="Clicked">{`${formatNumber(clicked)} (${percentage(clicked, sent)})`}</Figure>
      <Figure name="Value" explained={value === null ? SHARED : undefined}>
        {value === null ? 'Not known' : <Amount of={value} />}
      </Figure>
      <Text fontSize="xs" lineHeight="20px" color="fg.muted">
        in the last 90 days
      </Text>
    </Flex>
    {(opened === null || value === null) && <SharedNote />}
  </>
);

type FigureProps = { name: string; explained?: string | undefined; children: ReactNode };

const Figure = ({ name, explained, children }: FigureProps) => (
  <Flex gap="1.5">
    <Box as="dt" color="fg.muted">
      <WithHelpTip word={name}>{explained}</WithHelpTip>
    </Box>
    <Box as="dd" fontVariantNumeric="tabular-nums">
      {children}
    </Box>
  </Flex>
);
