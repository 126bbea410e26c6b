import type { Sampled } from '../../../shared/simulation.ts';
import { formatNumber, plural } from './format.ts';

/** From how many members a number of emails was estimated, and how far off it may be. */
export const sampledText = ({ people, of, margin }: Sampled, number = 'what is sent'): string =>
  `Estimated from ${formatNumber(people)} of ${plural(of, 'member')}: ${number} may be ${plural(margin, 'email')} more or less.`;
