// Not among the schemas, with which the page of a list would load zod.

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const MOST_PER_PAGE = 100;

export const STATUSES = ['subscribed', 'unsubscribed'] as const;
export type Status = (typeof STATUSES)[number];
export const SORTS = ['email', 'created_at'] as const;
export type Sort = (typeof SORTS)[number];
export const DIRECTIONS = ['asc', 'desc'] as const;
/** A list of up to so many members is searched, filtered and sorted as a whole. */
export const MOST_READ = 10_000;

export const MOST_COLUMNS = 8;
