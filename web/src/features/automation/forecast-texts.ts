import type { Forecast } from '../../../../shared/forecast.ts';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** How far the numbers can be trusted, where not all members were counted. */
export const accuracyOf = ({
  estimated,
  counted_share,
}: Pick<Forecast, 'estimated' | 'counted_share'>): string[] =>
  [
    estimated && 'Estimated from a part of the members, who stand for all.',
    counted_share < 1 &&
      `Only about ${PERCENT.format(counted_share)} of the members could be counted at once: more is sent.`,
  ].filter(text => text !== false);
