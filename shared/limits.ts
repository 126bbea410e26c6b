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
export const MOST_LOGO_PIXELS = 4096;
export const LOGO_TOO_MANY_PIXELS = 'The image must be at most 4,096 pixels wide and high.';

export const LONGEST_SEARCH = 254;
export const LAST_PAGE = 1_000_000;

/** Of 100 members each, 800 a second: a list is one partition key of the index, which takes 1,000 writes a second. */
export const PROGRAM_RATE = { most: 80, seconds: 10 };

/** What the calls of an organization may use together. */
export type Budget = {
  name: string;
  most: number;
  seconds: number;
  /** The processor time of the functions that answer them. */
  processorMs?: number;
  /** How long one call works: then it answers from what it has read. */
  mostMs?: number;
};

/** A budget in words, for its error and for the reference. */
export const budgetText = ({
  name = 'calls',
  most,
  seconds,
  processorMs,
}: Omit<Budget, 'name'> & { name?: string }) => {
  const period = seconds === 3_600 ? 'an hour' : seconds === 60 ? 'a minute' : `in ${seconds} seconds`;
  const processor = processorMs ? `, and ${processorMs / 1000} seconds of processor time` : '';
  return `At most ${most} ${name} ${period}${processor} for an organization.`;
};

/** For calls that cost more than most: each route names its budget, and routes of one kind share one. */
export const BUDGETS = {
  predictions: { name: 'predictions', most: 60, seconds: 60, processorMs: 20_000, mostMs: 8_000 },
  reports: { name: 'reports', most: 120, seconds: 60, processorMs: 20_000 },
  home: { name: 'calls of the home page', most: 360, seconds: 60 },
  contentChecks: { name: 'checks of content', most: 120, seconds: 60 },
  importChecks: { name: 'checks of imports', most: 1_200, seconds: 60 },
  personExports: { name: 'parts of exported people', most: 120, seconds: 60 },
  testEmails: { name: 'test emails', most: 20, seconds: 3_600 },
  connectionTests: { name: 'tests of a connection', most: 10, seconds: 60 },
  webhookTests: { name: 'tests of a webhook', most: 30, seconds: 60 },
} as const satisfies Record<string, Budget>;
