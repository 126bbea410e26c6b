import { paths } from './paths.ts';

// Not in paths.ts, which every page loads.
export const FOR_LIST = 'list';

/** The path of the form for a new automation that sends to a list. */
export const newAutomationFor = (list: string) =>
  `${paths.newAutomation()}?${new URLSearchParams({ [FOR_LIST]: list })}`;
