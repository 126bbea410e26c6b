import type * as combination from '../../content/combination/combination.ts';
import type { Skip } from '../skip/skip.ts';
import type { Wanted } from './decide.ts';

/** An email that is reserved for a pack: to be sent, or released. */
export type Claimed = Wanted & {
  content: combination.Content;
  /** Not before this instant was the recipient seen to be due for it. */
  claimedAt: Date;
};

/** A claim without what is needed to post it. */
export type ClaimRef = Pick<Claimed, 'hash' | 'claim'>;

/** What was done for one person. */
export type Claims = {
  claimed: Claimed[];
  skips: Skip[];
  /** They wait for a claim of theirs to be released. */
  isReleasing: boolean;
};
