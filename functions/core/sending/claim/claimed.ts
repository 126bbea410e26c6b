import type * as combination from '../../content/combination/combination.ts';
import type { Skip } from '../skip/skip.ts';
import type { Wanted } from './decide.ts';

/** An email that is reserved for a pack: to be sent, or released. */
export type Claimed = Wanted & {
  content: combination.Content;
  /** Taken before the read that found the recipient due. */
  claimedAt: Date;
};

/** A claim without what is needed to post it. */
export type ClaimRef = Pick<Claimed, 'hash' | 'claim'>;

/** The result for one person. */
export type Claims = {
  claimed: Claimed[];
  skips: Skip[];
  /** A claim of theirs is about to be released: the person is retried after that. */
  isReleasing: boolean;
};
