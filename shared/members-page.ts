// Apart from the schemas, so that the page of a list does not load zod.

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const MOST_PER_PAGE = 100;

export const STATUSES = ['subscribed', 'unsubscribed'] as const;
export type Status = (typeof STATUSES)[number];
export const SORTS = ['email', 'created_at'] as const;
export type Sort = (typeof SORTS)[number];
export const DIRECTIONS = ['asc', 'desc'] as const;
/** A list of up to so many members is read as a whole to search, filter and sort it. */
export const MOST_READ = 10_000;

export const MOST_COLUMNS = 8;

/** What a call does with up to so many members. */
export const MEMBER_ACTIONS = ['subscribe', 'unsubscribe', 'delete'] as const;
export const MOST_IDS = 500;
