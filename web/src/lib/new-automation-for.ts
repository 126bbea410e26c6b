import { paths } from './paths.ts';

// Apart from the paths, which every page loads.
export const FOR_LIST = 'list';

/** The form of a new automation that sends to a list. */
export const newAutomationFor = (list: string) =>
  `${paths.newAutomation()}?${new URLSearchParams({ [FOR_LIST]: list })}`;
