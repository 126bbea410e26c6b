import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { useWidth } from '../lib/use-width.ts';

export type Series<Point> = {
  name: string;
  /** Undefined where nothing is known: a line has a gap there. */
  value: (point: Point) => number | undefined;
  /** A colour of styles/tokens.css, or hatched. */
  fill: string;
  format?: (value: number) => string;
  /** Of the period before: behind the others, and lighter. */
  isBefore?: boolean;
};

export const HATCHED = 'hatched';

type Points<Point> = {
  points: readonly Point[];
  keyOf: (point: Point) => string;
  nameOf: (point: Point) => string;
};

export type ChartProps<Point> = Points<Point> & {
  label: string;
  bars: readonly Series<Point>[];
  /** The bars of a point are on top of each other; otherwise each is a part of the previous one, and drawn inside of it. */
  isStacked?: boolean;
  /** They have a scale of their own, on the right. */
  lines?: readonly Series<Point>[];
  textOf: (point: Point) => string;
  /** The text while no point is selected; by default, that of the highest bar. */
  caption?: string;
  tickOf?: (point: Point) => string;
  /** Every nth point has a tick; by default, as many as there is room for. */
  tickEvery?: number;
  /** The height of the bars. One that is not empty is at least `min` high. */
  heights: { min: number; max: number };
  /** Lines with numbers; otherwise the numbers are above the bars, if there is room. */
  hasScale?: boolean;
  legend?: 'above' | 'below' | undefined;
  /** The name of the period before, for the legend. */
  before?: string | undefined;
  /** For screen readers: a list of the points, or a table of the series. */
  read: 'list' | 'table';
};

const SCALE = 44;
const TICKS = 20;
const COUNTS = 18;
const WITH_COUNTS = 780;
const TICK_DISTANCE = 88;
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

const Frame = chakra('div', {
  base: {
    position: 'relative',
    borderRadius: 'md',
    _focusVisible: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '4px' },
    '& svg text': { fontSize: '11px', fill: 'var(--muted)', fontVariantNumeric: 'tabular-nums' },
  },
});

const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at, last) => (at < 0 ? last : Math.max(0, at - 1)),
  ArrowRight: (at, last) => (at < 0 ? 0 : Math.min(last, at + 1)),
  Home: () => 0,
  End: (_, last) => last,
};

/** Bars and lines over time. Arrow keys or the pointer select a point, whose text is in the line above. */
export default function Chart<Point>(props: ChartProps<Point>) {
  const { label, points, bars, lines = [], keyOf, nameOf, textOf, legend, read } = props;
  const [at, setAt] = useState(-1);
  const [width, measured] = useWidth();
  const hatch = useId();
  const plot = plotOf(props, width);
  const pointed = points[at];
  const labelOf = (point: Point) => `${nameOf(point)}: ${textOf(point)}`;

  function step(event: KeyboardEvent) {
    const move = KEYS[event.key];
    if (!move) return;
    event.preventDefault();
    setAt(move(at, points.length - 1));
  }

  function point({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) {
    const x = clientX - currentTarget.getBoundingClientRect().left - plot.left;
    const nth = Math.floor(x / plot.step);
    setAt(x < 0 || nth >= points.length ? -1 : nth);
  }

  const drawing = width > 0 && (
    <svg
      aria-hidden="true"
      display="block"
      width={width}
      height={plot.height}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAt(-1)}
    >
      <pattern id={hatch} patternUnits="userSpaceOnUse" width="5" height="5" patternTransform="rotate(45)">
        <path d="M0 0V5" stroke="var(--line-strong)" strokeWidth="2" />
      </pattern>
      <Scale plot={plot} />
      {points.map((point, nth) => (
        <g key={keyOf(point)}>
          {nth === at && <rect {...columnOf(plot, nth)} rx="2" fill="var(--sunken)" />}
          <Bars {...props} point={point} nth={nth} plot={plot} hatch={hatch} />
        </g>
      ))}
      {lines.map(line => (
        <Line key={line.name} line={line} points={points} plot={plot} at={at} />
      ))}
      <Ticks {...props} plot={plot} />
    </svg>
  );
  const total = (point: Point) => totalOf(props, point);
  const highest = points.reduce<Point | undefined>(
    (most, one) => (most !== undefined && total(most) >= total(one) ? most : one),
    undefined,
  );
  const most =
    highest !== undefined && total(highest) > 0 ? `Most: ${nameOf(highest)}, ${textOf(highest)}` : '';
  const key = legend && (
    <Legend bars={bars} lines={lines} before={props.before} hatch={hatch} isBelow={legend === 'below'} />
  );
  return (
    <Frame
      role={read === 'list' ? 'list' : 'group'}
      aria-label={label}
      tabIndex={0}
      onKeyDown={step}
      onBlur={() => setAt(-1)}
    >
      <Flex wrap="wrap" justify="space-between" columnGap="4" minHeight="20px" mb="2" lineHeight="20px">
        {/* The text of a point with rates takes several lines on a phone: they have room from the start. */}
        <Box
          minHeight={lines.length > 0 ? { base: '60px', md: '40px', xl: '20px' } : undefined}
          {...(read === 'list' ? { 'aria-hidden': true } : { 'aria-live': 'polite' })}
          color="fg.muted"
        >
          {pointed === undefined ? (props.caption ?? most) : labelOf(pointed)}
        </Box>
        {legend === 'above' && key}
      </Flex>
      <Box ref={measured} height={`${plot.height}px`}>
        {drawing}
      </Box>
      {read === 'list' &&
        points.map(point => (
          <VisuallyHidden key={keyOf(point)} role="listitem">
            {labelOf(point)}
          </VisuallyHidden>
        ))}
      {read === 'table' && (
        <VisuallyHidden>
          <ChartTable
            label={label}
            points={points}
            keyOf={keyOf}
            nameOf={nameOf}
            series={[...bars, ...lines]}
          />
        </VisuallyHidden>
      )}
      {legend === 'below' && key}
    </Frame>
  );
}

type Plot = {
  left: number;
  right: number;
  top: number;
  bottom: number;
  height: number;
  step: number;
  /** The highest value of the bars and of the lines, and their ticks. */
  most: number;
  ticks: number[];
  lineTicks: number[];
};

/** The value by which the height of the bars of a point is measured. */
const totalOf = <Point,>(
  { bars, isStacked }: Pick<ChartProps<Point>, 'bars' | 'isStacked'>,
  point: Point,
) => {
  const values = bars.map(({ value }) => value(point) ?? 0);
  return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
};

function plotOf<Point>(props: ChartProps<Point>, width: number): Plot {
  const { points, lines = [], heights, hasScale, isStacked, tickOf } = props;
  const most = Math.max(0, ...points.map(point => totalOf(props, point)));
  const ticks = hasScale ? ticksTo(most) : [0];
  const lineTicks =
    lines.length > 0
      ? ticksTo(Math.max(0, ...lines.flatMap(({ value }) => points.map(point => value(point) ?? 0))))
      : [];
  const [left, right] = [hasScale ? SCALE : 0, lines.length > 0 ? SCALE : 0];
  const top = hasScale ? 8 : isStacked ? COUNTS : 0;
  return {
    left,
    right: width - right,
    top,
    bottom: top + heights.max,
    ticks,
    lineTicks,
    height: top + heights.max + (tickOf ? TICKS : 1),
    step: (width - left - right) / Math.max(1, points.length),
    most: hasScale ? (ticks.at(-1) ?? 1) : most,
  };
}

const columnOf = ({ left, step, bottom }: Plot, nth: number) => ({
  x: left + nth * step,
  y: 0,
  width: step,
  height: bottom,
});

const yOf = (value: number, most: number, { top, bottom }: Plot) => bottom - (value / most) * (bottom - top);

function Scale({ plot }: { plot: Plot }) {
  const { left, right, ticks, lineTicks } = plot;
  return (
    <>
      {ticks.map(tick => {
        const y = yOf(tick, ticks.at(-1) || 1, plot);
        return (
          <g key={tick}>
            <path d={`M${left} ${y}H${right}`} stroke={tick === 0 ? 'var(--line-strong)' : 'var(--line)'} />
            {left > 0 && (
              <text x={left - 6} y={y + 4} textAnchor="end">
                {COMPACT.format(tick)}
              </text>
            )}
          </g>
        );
      })}
      {lineTicks.map(tick => (
        <text key={tick} x={right + 6} y={yOf(tick, lineTicks.at(-1) ?? 1, plot) + 4}>
          {COMPACT.format(tick)}%
        </text>
      ))}
    </>
  );
}

type BarsProps<Point> = ChartProps<Point> & { point: Point; nth: number; plot: Plot; hatch: string };

function Bars<Point>(props: BarsProps<Point>) {
  const { point, nth, plot, hatch, bars, isStacked, heights, hasScale } = props;
  const { left, right, step, most, bottom } = plot;
  const gap = step > 6 ? Math.min(6, step / 4) : 0;
  const total = totalOf(props, point);
  const height = barHeight(total, most, heights);
  let below = 0;
  return (
    <>
      {bars.map(({ name, value: read, fill }, depth) => {
        const value = read(point) ?? 0;
        const own = isStacked ? Math.round((value / total) * height) : barHeight(value, most, heights);
        if (value === 0 || own === 0) return null;
        if (isStacked) below += own;
        const inset = gap / 2 + (isStacked ? 0 : depth * Math.min(3, step / 6));
        const isHatched = fill === HATCHED;
        return (
          <rect
            key={name}
            x={left + nth * step + inset}
            y={bottom - (isStacked ? below : own)}
            width={Math.max(1, step - 2 * inset)}
            height={own}
            rx={isStacked ? 1 : 0}
            fill={isHatched ? `url(#${hatch})` : fill}
            {...(isHatched && { stroke: 'var(--line-strong)' })}
            pointerEvents="none"
          />
        );
      })}
      {isStacked && !hasScale && height > 0 && right >= WITH_COUNTS && (
        <text x={left + (nth + 0.5) * step} y={bottom - height - 5} textAnchor="middle">
          {COMPACT.format(total)}
        </text>
      )}
    </>
  );
}

type LineProps<Point> = { line: Series<Point>; points: readonly Point[]; plot: Plot; at: number };

function Line<Point>({ line: { value, fill, isBefore }, points, plot, at }: LineProps<Point>) {
  const most = plot.lineTicks.at(-1) ?? 1;
  const dots = points.map((point, nth) => {
    const y = value(point);
    return y === undefined ? undefined : [plot.left + (nth + 0.5) * plot.step, yOf(y, most, plot)];
  });
  const path = dots.map((dot, nth) => dot && `${dots[nth - 1] ? 'L' : 'M'}${dot.join(' ')}`).join('');
  return (
    <g pointerEvents="none" {...(isBefore && { opacity: 0.6 })}>
      <path
        d={path}
        fill="none"
        stroke={fill}
        strokeWidth={isBefore ? 1.5 : 2}
        strokeLinejoin="round"
        strokeLinecap="round"
        {...(isBefore && { strokeDasharray: '1 4' })}
      />
      {dots.map(
        (dot, nth) =>
          // A point between two gaps would not be seen as a line.
          dot &&
          (nth === at || (!dots[nth - 1] && !dots[nth + 1])) && (
            // biome-ignore lint/suspicious/noArrayIndexKey: points have the order of time
            <circle key={nth} cx={dot[0]} cy={dot[1]} r="3" fill={fill} />
          ),
      )}
    </g>
  );
}

function Ticks<Point>({ points, keyOf, tickOf, tickEvery, plot }: ChartProps<Point> & { plot: Plot }) {
  const { left, right, step, bottom } = plot;
  if (!tickOf) return null;
  const every = tickEvery ?? Math.max(1, Math.ceil(TICK_DISTANCE / step));
  return points.map(
    (point, nth) =>
      nth % every === 0 &&
      right - left - nth * step > TICK_DISTANCE / 2 && (
        <text key={keyOf(point)} x={left + nth * step} y={bottom + 15}>
          {tickOf(point)}
        </text>
      ),
  );
}

type LegendProps<Point> = {
  bars: readonly Series<Point>[];
  lines: readonly Series<Point>[];
  before: string | undefined;
  hatch: string;
  isBelow: boolean;
};

const Legend = <Point,>({ bars, lines, before, hatch, isBelow }: LegendProps<Point>) => (
  <Flex
    aria-hidden
    wrap="wrap"
    columnGap="4"
    rowGap="1"
    mt={isBelow ? '2' : undefined}
    fontSize="xs"
    color="fg.muted"
  >
    {[...bars, ...lines].map(series => {
      const { name, fill, isBefore } = series;
      const isLine = lines.includes(series);
      // One entry stands for all series of the period before.
      if (isBefore && (isLine || before === undefined)) return null;
      return (
        <Flex key={name} align="center" gap="1.5" order={isBefore ? 1 : undefined}>
          <svg aria-hidden="true" width="12" height="12">
            <rect
              x={1}
              y={isLine ? 5 : 1}
              width={10}
              height={isLine ? 2 : 10}
              rx={isLine ? 1 : 2}
              {...(fill === HATCHED ? { fill: `url(#${hatch})` } : { fill })}
              {...(fill === HATCHED && { stroke: 'var(--line-strong)' })}
            />
          </svg>
          {isBefore ? before : name}
        </Flex>
      );
    })}
  </Flex>
);

type TableProps<Point> = Points<Point> & { label: string; series: readonly Series<Point>[] };

const ChartTable = <Point,>({ label, points, keyOf, nameOf, series }: TableProps<Point>) => (
  <table aria-label={label}>
    <thead>
      <tr>
        <th scope="col">Date</th>
        {series.map(({ name }) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {points.map(point => (
        <tr key={keyOf(point)}>
          <th scope="row">{nameOf(point)}</th>
          {series.map(({ name, value, format = formatNumber }) => {
            const shown = value(point);
            return <td key={name}>{shown === undefined ? '' : format(shown)}</td>;
          })}
        </tr>
      ))}
    </tbody>
  </table>
);

/** Steps of a scale that are easy to read: 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10];

/** The ticks of a scale of whole numbers: from 0 to at least `most`, with about `lines` of them. */
export function ticksTo(most: number, lines = 4): number[] {
  const rough = Math.max(1, most) / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find(one => one * power >= rough) ?? 10) * power);
  const count = Math.ceil(Math.max(1, most) / step);
  return Array.from({ length: count + 1 }, (_, nth) => nth * step);
}

/** The height of a bar in pixels: in proportion to `most`, but never too low to be seen. */
export const barHeight = (value: number, most: number, { min, max }: { min: number; max: number }) =>
  value === 0 ? 0 : Math.max(min, Math.round((value / most) * max));
