/** MMM d, yyyy: as the product shows dates. */
const DATE = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const formatDate = (instant: string) => DATE.format(new Date(instant));

/** A day with its time, as the reader writes them. */
export const formatMoment = (instant: string) => MOMENT.format(new Date(instant));
