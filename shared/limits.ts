// Apart from the schemas, so that pages that need a limit do not load these.

export const ORGANIZATIONS_PAGE = 100;

export const AUTOMATIONS_PAGE = 100;

/** If assets have more combinations, the emails of an automation on a day choose from so many of them only. */
export const MOST_COMBINATIONS = 1_000;

/** The image types that browsers show everywhere. SVG is left out, as it can contain scripts. */
export const LOGO_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
] as const;
export const NOT_AN_IMAGE = 'Please upload an image file.';
export const LOGO_LIMIT = 500 * 1024;
export const LOGO_NOT_SMALLER = 'File must be smaller than 500 KB';
export const MOST_IMAGE_PIXELS = 4096;
export const TOO_MANY_PIXELS = 'The image must be at most 4,096 pixels wide and high.';

export const LONGEST_SEARCH = 254;
export const LAST_PAGE = 1_000_000;

/** Of 100 members each, 800 a second: a list is one partition key of the index, which takes 1,000 writes a second. */
export const PROGRAM_RATE = { most: 80, seconds: 10 };

/** The days of the results of a broadcast. All is sent on the first ones. After that only value is added, and hardly any. */
export const BROADCAST_DAYS = 31;

/** How long after a broadcast was stopped the others may still get it. */
export const RESUMED_WITHIN_MS = 2 * 24 * 60 * 60 * 1000;

/** How long after all people of a broadcast were queued it can be cancelled: their emails wait for a day at most. */
export const OPEN_AFTER_SENT_MS = 2 * 24 * 60 * 60 * 1000;

/** Of a sequence. */
export const MOST_STEPS = 20;
