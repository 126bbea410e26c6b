import { Box, chakra, Flex } from '@chakra-ui/react';
import { type KeyboardEvent, type PointerEvent, useCallback, useState } from 'react';
import type { CombinationReport } from '#shared/reporting.ts';
import { formatNumber } from '#web/lib/format.ts';
import { ticksTo } from './chart-scale.ts';
import { formatDay, formatTick } from './dates.ts';

export type Day = CombinationReport['daily_stats'][number];

const HEIGHT = 180;
const BOTTOM = 20;
const TOP = 8;
/** Room for the longest label of the scale, in pixels. */
const LEFT = 44;
/** The least distance between two labels of days, in pixels. */
const NAMES_EVERY = 88;

/** Each series is a part of the previous one, and is drawn inside of it. */
const SERIES = [
  { key: 'total_sent', name: 'sent', fill: 'var(--chart-sent)' },
  { key: 'total_opened', name: 'opened', fill: 'var(--chart-opened)' },
  { key: 'total_clicked', name: 'clicked', fill: 'var(--chart-clicked)' },
] as const;

const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

const Frame = chakra('div', {
  base: {
    borderRadius: 'md',
    _focusVisible: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '4px' },
    '--chart-sent': 'light-dark(#d9d4cb, #4a453f)',
    '--chart-opened': 'light-dark(#a1732a, #b08d3c)',
    '--chart-clicked': 'light-dark(var(--ink), var(--brand))',
    '& text': { fontSize: '11px', fill: 'var(--muted)', fontVariantNumeric: 'tabular-nums' },
  },
});

const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at, last) => (at < 0 ? last : Math.max(0, at - 1)),
  ArrowRight: (at, last) => (at < 0 ? 0 : Math.min(last, at + 1)),
  Home: () => 0,
  End: (_, last) => last,
};

const textOf = (day: Day) =>
  `${formatDay(day.date)}: ${SERIES.map(({ key, name }) => `${formatNumber(day[key])} ${name}`).join(', ')}, ${formatNumber(day.total_unsubscribed)} unsubscribed`;

/**
 * The sent emails of each day and, inside of that bar, the opened and clicked ones. Arrow keys or the pointer select a day,
 * which is read out.
 */
export default function DailyChart({ days }: { days: Day[] }) {
  const [at, setAt] = useState(-1);
  const [width, measured] = useWidth();
  const pointed = days[at];
  const most = Math.max(0, ...days.flatMap(day => SERIES.map(({ key }) => day[key])));

  function step(event: KeyboardEvent) {
    const move = KEYS[event.key];
    if (!move) return;
    event.preventDefault();
    setAt(move(at, days.length - 1));
  }

  function point({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) {
    const x = clientX - currentTarget.getBoundingClientRect().left - LEFT;
    const nth = Math.floor((x / (width - LEFT)) * days.length);
    setAt(x < 0 || nth >= days.length ? -1 : nth);
  }

  return (
    <Frame
      ref={measured}
      role="group"
      aria-label={`Chart of ${formatNumber(days.length)} dates; the arrow keys move between them, the table below says the same`}
      tabIndex={0}
      onKeyDown={step}
      onBlur={() => setAt(-1)}
    >
      <Flex wrap="wrap" justify="space-between" columnGap="4" minHeight="20px" mb="2" lineHeight="20px">
        <Box aria-live="polite" color="fg.muted">
          {pointed
            ? textOf(pointed)
            : most === 0
              ? 'Nothing was sent on these days'
              : 'Emails by the day on which they were sent'}
        </Box>
        <Flex aria-hidden gap="4" fontSize="xs" color="fg.muted">
          {SERIES.map(({ key, name, fill }) => (
            <Flex key={key} align="center" gap="1.5">
              <Box width="10px" height="10px" borderRadius="2px" style={{ background: fill }} />
              {`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
            </Flex>
          ))}
        </Flex>
      </Flex>
      {width > 0 && (
        <svg
          aria-hidden="true"
          display="block"
          width={width}
          height={HEIGHT + BOTTOM}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAt(-1)}
        >
          <Lines width={width} ticks={ticksTo(most)} />
          <Bars days={days} width={width} most={ticksTo(most).at(-1) ?? 1} at={at} />
          <Names days={days} width={width} />
        </svg>
      )}
    </Frame>
  );
}

const yOf = (value: number, most: number) => HEIGHT - (value / most) * (HEIGHT - TOP);

function Lines({ width, ticks }: { width: number; ticks: number[] }) {
  const most = ticks.at(-1) ?? 1;
  return ticks.map(tick => (
    <g key={tick}>
      <line
        x1={LEFT}
        x2={width}
        y1={yOf(tick, most)}
        y2={yOf(tick, most)}
        stroke={tick === 0 ? 'var(--line-strong)' : 'var(--line)'}
      />
      <text x={LEFT - 6} y={yOf(tick, most) + 4} textAnchor="end">
        {COMPACT.format(tick)}
      </text>
    </g>
  ));
}

type BarsProps = { days: Day[]; width: number; most: number; at: number };

function Bars({ days, width, most, at }: BarsProps) {
  const step = (width - LEFT) / days.length;
  const gap = step > 6 ? Math.min(6, step / 4) : 0;
  return days.map((day, nth) => {
    const x = LEFT + nth * step;
    return (
      <g key={day.date}>
        {nth === at && <rect x={x} y={0} width={step} height={HEIGHT} fill="var(--sunken)" />}
        {SERIES.map(({ key, fill }, depth) => {
          if (day[key] === 0) return null;
          // Bars that are not empty are at least two pixels high.
          const height = Math.max(2, HEIGHT - yOf(day[key], most));
          const inset = gap / 2 + (step > 18 ? depth * 3 : 0);
          return (
            <rect
              key={key}
              x={x + inset}
              y={HEIGHT - height}
              width={Math.max(1, step - 2 * inset)}
              height={height}
              fill={fill}
            />
          );
        })}
      </g>
    );
  });
}

function Names({ days, width }: { days: Day[]; width: number }) {
  const step = (width - LEFT) / days.length;
  const every = Math.max(1, Math.ceil(NAMES_EVERY / step));
  return days.map(
    (day, nth) =>
      nth % every === 0 &&
      width - LEFT - nth * step > NAMES_EVERY / 2 && (
        <text key={day.date} x={LEFT + nth * step} y={HEIGHT + 15}>
          {formatTick(day.date)}
        </text>
      ),
  );
}

function useWidth() {
  const [width, setWidth] = useState(0);
  const measured = useCallback((frame: HTMLElement | null) => {
    if (!frame) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return [width, measured] as const;
}
