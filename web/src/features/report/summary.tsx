import { Box, chakra, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Range } from '#shared/report/range.ts';
import type { Figures } from '#shared/reporting.ts';
import { Panel } from '#web/components/panel.tsx';
import { WithHelpTip } from '#web/components/tooltip.tsx';
import { formatAmount, formatShare, intervalOf } from './numbers.ts';
import { PeopleLink } from './people-link.tsx';
import { TEXTS } from './report-texts.ts';

const Name = chakra('dt', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: '20px' } });
const Value = chakra('dd', {
  base: { fontSize: 'lg', lineHeight: '24px', fontWeight: 'semibold', overflowWrap: 'anywhere' },
});
const Note = chakra('dd', {
  base: { minHeight: '18px', color: 'fg.muted', fontSize: 'xs', lineHeight: '18px' },
});

const COUNTS = [
  ['sent', 'Sent'],
  ['opened', 'Opened', 'open_rate'],
  ['machine_opened', 'Machine Opened'],
  ['clicked', 'Clicked', 'click_rate'],
  ['unsub_clicked', 'Unsub Clicked', 'unsub_click_rate'],
  ['unsubscribed', 'Unsubscribed', 'unsubscribe_rate'],
] as const;

/** On touch screens the links are side by side, not one below the other. */
const TOUCH = '@media (pointer: coarse)';
const BESIDE = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  columnGap: '4',
  alignItems: 'baseline',
  '& dt': { gridRow: '1 / span 2' },
  '& dd': { gridColumn: '2', textAlign: 'end' },
};

type Props = {
  label: string;
  /** Undefined while they are loading. */
  figures: Figures | undefined;
  /** The combination that is counted; all of them by default. */
  combination?: string;
  range: Range;
};

/** The results of all emails in the range. */
export const Summary = ({ label, figures, combination, range }: Props) => (
  <Panel asChild p="4">
    <Grid
      as="dl"
      aria-label={label}
      templateColumns="repeat(auto-fit, minmax(132px, 1fr))"
      alignContent="start"
      columnGap="4"
      rowGap="3"
      css={{ [TOUCH]: { gridTemplateColumns: 'minmax(0, 1fr)' } }}
    >
      {COUNTS.map(([key, name, rate]) => (
        <Item key={key} name={name} text={key === 'sent' ? undefined : TEXTS[key]}>
          {figures && (
            <PeopleLink count={figures[key]} combination={combination} status={key} range={range} />
          )}
          {figures && rate && (
            <>
              {figures[rate]} <span>({intervalOf(figures[key], figures.sent) ?? 'nothing sent'})</span>
            </>
          )}
        </Item>
      ))}
      <Item name="Value" text={TEXTS.value}>
        {figures && formatAmount(figures.value)}
        {figures && `${formatShare(figures.value_per_send)} per send`}
      </Item>
    </Grid>
  </Panel>
);

type ItemProps = { name: string; text: string | undefined; children: [value: ReactNode, note: ReactNode] };

const Item = ({ name, text, children: [value, note] }: ItemProps) => (
  <Box minWidth="0" css={{ [TOUCH]: BESIDE }}>
    <Name>
      <WithHelpTip word={name}>{text}</WithHelpTip>
    </Name>
    <Value minHeight="24px">{value}</Value>
    <Note>{note}</Note>
  </Box>
);
