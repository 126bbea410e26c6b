import type * as combination from '../../content/combination/combination.ts';
import type { Wanted } from './decide.ts';

/** An email that is reserved for a pack: to be sent, or released. */
export type Claimed = Wanted & {
  content: combination.Content;
  /** Not before this instant was the recipient seen to be due for it. */
  claimedAt: Date;
};

/** A claim without what is needed to post it. */
export type ClaimRef = Pick<Claimed, 'hash' | 'claim'>;
