import type { Forecast } from '../../../../shared/forecast.ts';
import { sampledText } from '../../lib/sampled.ts';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** How far the numbers can be trusted, where not all members were counted. */
export const accuracyOf = ({
  sampled,
  counted_share,
}: Pick<Forecast, 'sampled' | 'counted_share'>): string[] =>
  [
    sampled !== null && sampledText(sampled),
    counted_share < 1 &&
      `Only about ${PERCENT.format(counted_share)} of the members could be looked at within one call: more is sent.`,
  ].filter(text => text !== false);
