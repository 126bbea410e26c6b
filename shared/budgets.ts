/** What the calls of an organization may use together. */
export type Budget = {
  /** Without a name it is that of all calls of programs. */
  name?: string;
  most: number;
  seconds: number;
  /** The processor time of the functions that answer them. */
  processorMs?: number;
  /** How long one call works: then it answers from what it has read. */
  mostMs?: number;
};

/** A budget in words, for its error and for the reference. */
export const budgetText = ({ name = 'calls', most, seconds, processorMs }: Budget) => {
  const period = seconds === 3_600 ? 'an hour' : seconds === 60 ? 'a minute' : `in ${seconds} seconds`;
  const processor = processorMs ? `, and ${processorMs / 1000} seconds of processor time` : '';
  return `At most ${most} ${name} ${period}${processor} for an organization.`;
};

/** For calls that cost more than most: each route names its budget, and routes of one kind share one. */
export const BUDGETS = {
  predictions: { name: 'predictions', most: 60, seconds: 60, processorMs: 20_000, mostMs: 8_000 },
  filters: { name: 'filtered pages of members', most: 240, seconds: 60 },
  reports: { name: 'reports', most: 120, seconds: 60, processorMs: 20_000 },
  home: { name: 'calls of the home page', most: 360, seconds: 60 },
  contentChecks: { name: 'checks of content', most: 120, seconds: 60 },
  importChecks: { name: 'checks of imports', most: 1_200, seconds: 60 },
  personExports: { name: 'parts of exported people', most: 120, seconds: 60 },
  testEmails: { name: 'test emails', most: 20, seconds: 3_600 },
  layouts: { name: 'checks of email designs', most: 240, seconds: 60, processorMs: 20_000 },
  images: { name: 'uploaded images', most: 60, seconds: 3_600 },
  connections: { name: 'requests of assistants', most: 30, seconds: 60 },
  connectionTests: { name: 'tests of a connection', most: 10, seconds: 60 },
  domainChecks: { name: 'domain checks', most: 60, seconds: 60 },
  webhookTests: { name: 'tests of a webhook', most: 30, seconds: 60 },
  redeliveries: { name: 'redeliveries', most: 60, seconds: 60 },
} as const satisfies Record<string, Budget>;
