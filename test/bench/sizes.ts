export type Sizes = {
  /** Of the list whose pages are read. */
  members: number;
  /** How many emails are counted, and how many are due at once where they are timed. */
  sends: number;
  due: number;
  /** How many are timed until their emails are at the provider. */
  events: number;
  /** Emails in one pack. Those of a full one have budgets. */
  pack: number;
  outageHours: number;
  /** Of a list and an organization that are deleted. */
  people: number;
  /** How many organizations have one email due, and how many one of them has, in the same minute. */
  organizations: number;
  crowd: number;
  /** Of a list all of whose members are due once in a day. */
  daily: number;
  /** Of the largest report, and of the longest one. */
  combinations: number;
  reportDays: number;
};

/** Of `npm run bench`. */
export const FULL: Sizes = {
  members: 1_000_000,
  sends: 10_000,
  due: 100_000,
  events: 200,
  pack: 1_000,
  outageHours: 6,
  organizations: 100_000,
  crowd: 1_000_000,
  daily: 10_000,
  people: 1_000,
  combinations: 5_000,
  reportDays: 1_826,
};

/** Of `npm test`. */
export const LEAST: Sizes = {
  members: 1_000,
  sends: 250,
  due: 250,
  events: 10,
  pack: 50,
  outageHours: 1,
  organizations: 1_000,
  crowd: 5_000,
  daily: 2_000,
  people: 100,
  combinations: 243,
  reportDays: 40,
};
