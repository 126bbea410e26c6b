import type { Forecast } from '#shared/forecast.ts';
import type { Sampled } from '#shared/simulation.ts';
import { formatNumber, plural } from './format.ts';

export const sampledText = ({ people, of, margin }: Sampled, number = 'what is sent'): string =>
  `Estimated from ${formatNumber(people)} of ${plural(of, 'member')}: ${number} may be ${plural(margin, 'email')} more or less.`;

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

export const accuracyOf = ({ sampled, counted_share }: Pick<Forecast, 'sampled' | 'counted_share'>) =>
  [
    sampled !== null && sampledText(sampled),
    counted_share < 1 &&
      `Only about ${PERCENT.format(counted_share)} of the members could be looked at within one call: more is sent.`,
  ].filter(text => text !== false);
