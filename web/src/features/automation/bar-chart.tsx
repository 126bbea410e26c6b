import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { type KeyboardEvent, useState } from 'react';
import { type Bar, barHeight, busiestOf, type Heights, heightOf } from './bars.ts';

/** From this width on, there is room for the count above each bar. */
const WITH_COUNTS = '@container (min-width: 780px)';
const COUNTS = '18px';
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

const Column = chakra('li', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'flex-end',
    flex: '1 1 0',
    minWidth: 0,
    height: 'full',
    borderTopRadius: 'sm',
    '&:is(:hover, [data-pointed])': { bg: 'bg.subtle' },
  },
});

const Count = chakra('span', {
  base: {
    display: 'none',
    fontSize: '11px',
    lineHeight: COUNTS,
    textAlign: 'center',
    color: 'fg.muted',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
    [WITH_COUNTS]: { display: 'block' },
  },
});

const Part = chakra('div', {
  base: { _first: { borderTopRadius: '3px' } },
  variants: {
    kind: {
      counted: { bg: 'light-dark(var(--ink), var(--brand))' },
      skipped: {
        border: '1px solid var(--line-strong)',
        borderBottom: 'none',
        backgroundImage: 'repeating-linear-gradient(135deg, var(--line-strong) 0 1px, transparent 1px 5px)',
      },
    },
  },
});

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

type Props = {
  label: string;
  bars: Bar[];
  heights: Heights;
  /** What is said about a bar, after its name. */
  textOf: (bar: Bar) => string;
  /** Every nth bar has a tick. */
  tickEvery: number;
};

/** Bars over time. For screen readers they are a list. The line above them describes the hovered bar, else the highest one. */
export function BarChart({ label, bars, heights, textOf, tickEvery }: Props) {
  const [pointedAt, setPointedAt] = useState<string>();
  const busiest = busiestOf(bars);
  const most = busiest ? heightOf(busiest) : 0;
  const index = bars.findIndex(({ key }) => key === pointedAt);
  const pointed = bars[index];

  function step({ key }: KeyboardEvent) {
    const by = STEPS[key];
    if (by) setPointedAt(bars[Math.min(Math.max(index + by, 0), bars.length - 1)]?.key);
  }

  const labelOf = (bar: Bar) => `${bar.name}: ${textOf(bar)}`;
  return (
    <Box containerType="inline-size">
      <Box aria-hidden mb="2" fontSize="sm" lineHeight="20px" color="fg.muted">
        {pointed ? labelOf(pointed) : busiest && `Most: ${busiest.name}, ${textOf(busiest)}`}
      </Box>
      <Flex
        as="ol"
        aria-label={label}
        // For keyboard users who see the bars.
        tabIndex={0}
        onKeyDown={step}
        onBlur={() => setPointedAt(undefined)}
        gap={{ base: '2px', sm: '3px' }}
        height={`calc(${heights.max}px + ${COUNTS})`}
        borderBottomWidth="1px"
        borderColor="border.emphasized"
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointedAt(undefined)}
      >
        {bars.map(bar => (
          <Column
            key={bar.key}
            data-pointed={bar === pointed || undefined}
            onPointerEnter={() => setPointedAt(bar.key)}
          >
            <VisuallyHidden>{labelOf(bar)}</VisuallyHidden>
            <Parts bar={bar} height={barHeight(heightOf(bar), most, heights)} />
          </Column>
        ))}
      </Flex>
      <Flex
        aria-hidden
        mt="1"
        gap={{ base: '2px', sm: '3px' }}
        fontSize="xs"
        lineHeight="18px"
        color="fg.muted"
      >
        {bars.map(({ key, tick }, nth) => (
          <Box key={key} flex="1 1 0" minWidth="0" whiteSpace="nowrap">
            {nth % tickEvery === 0 && nth + tickEvery <= bars.length && tick}
          </Box>
        ))}
      </Flex>
    </Box>
  );
}

function Parts({ bar, height }: { bar: Bar; height: number }) {
  const { count, skipped = 0 } = bar;
  if (height === 0) return null;
  const upper = Math.round((skipped / heightOf(bar)) * height);
  return (
    <Box aria-hidden>
      <Count>{COMPACT.format(heightOf(bar))}</Count>
      {upper > 0 && <Part kind="skipped" style={{ height: upper }} />}
      {count > 0 && <Part kind="counted" style={{ height: height - upper }} />}
    </Box>
  );
}

/** The legend for the two kinds of bars. */
export const Legend = ({ counted, skipped }: { counted: string; skipped: string }) => (
  <Flex aria-hidden wrap="wrap" columnGap="4" rowGap="1" mt="2" fontSize="xs" color="fg.muted">
    {Object.entries({ counted, skipped } as const).map(([kind, text]) => (
      <Flex key={kind} align="center" gap="1.5">
        <Part kind={kind as 'counted' | 'skipped'} width="12px" height="12px" borderRadius="sm" />
        {text}
      </Flex>
    ))}
  </Flex>
);
