import type * as combinations from '#core/content/combination.ts';
import type { Skip } from '../skip.store.ts';
import type { Wanted } from './decide.ts';

/** A claim of a pack, with all that is needed to post it. */
export type Claimed = Wanted & {
  content: combinations.EmailContent;
  /** Taken before the read that found the recipient due. */
  claimedAt: Date;
};

/** A claim without what is needed to post it. */
export type ClaimRef = Pick<Claimed, 'hash' | 'claim'>;

/** What claiming for one person has led to. */
export type Claims = {
  claimed: Claimed[];
  skips: Skip[];
  /** One of their claims is about to be released: the person is retried after that. */
  isReleasing: boolean;
};
