/** What decides how often each content of an automation is sent. */
export const ALLOCATIONS = ['equal', 'clicks', 'conversions'] as const;
export type Allocation = (typeof ALLOCATIONS)[number];
