import {
  CHART_HEIGHT,
  type ChartedCount,
  type ChartedDay,
  chartText,
  dayLabel,
  formatCount,
} from './chart.ts';

const STEP = 10;
const GAP = 2;
// The height of the lowest bar that is not empty, in pixels.
const LEAST = 2;

type Props = { name: string; counted: ChartedCount; days: ChartedDay[] };

/** A bar for each day, scaled to the highest one. */
export default function DailyBars({ name, counted, days }: Props) {
  const most = Math.max(...days.map(day => day[counted]));
  const width = days.length * STEP - GAP;
  return (
    <svg
      role="img"
      aria-label={chartText(name, counted, days)}
      viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={CHART_HEIGHT}
      style={{ display: 'block' }}
    >
      <line x1="0" x2={width} y1={CHART_HEIGHT - 0.5} y2={CHART_HEIGHT - 0.5} stroke="var(--line-strong)" />
      {days.map((day, nth) => {
        const count = day[counted];
        const height = count === 0 ? 0 : Math.max(LEAST, (count / most) * (CHART_HEIGHT - 1));
        return (
          <g key={day.date}>
            {/* Extends the target of the pointer, as a bar may be low. */}
            <rect x={nth * STEP} y="0" width={STEP} height={CHART_HEIGHT} fill="transparent">
              <title>{`${dayLabel(day.date)}: ${formatCount(count)}`}</title>
            </rect>
            <rect
              x={nth * STEP}
              y={CHART_HEIGHT - height}
              width={STEP - GAP}
              height={height}
              fill="light-dark(#a1732a, #b08d3c)"
              pointerEvents="none"
            />
          </g>
        );
      })}
    </svg>
  );
}
