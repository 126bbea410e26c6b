type HelpElement = [tag: string, ...content: (string | HelpElement)[]];
/** Text, or an element with its tag first. */
export type HelpText = string | HelpElement;
export type HelpSection = { id: string; title: string; isChapter: boolean; text: HelpText[] };

/** The sections of docs/help.md to which question marks and empty pages lead. */
export const HELP_TOPICS = [
  'importing-people',
  'warm-up',
  'templates',
  'assets',
  'combinations',
  'email-design',
  'triggers',
  'occurrences',
  'sequences-and-broadcasts',
  'value',
  'why-somebody-got-no-email',
  'safeguards',
  'the-guard',
] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];

/** An explanation, with the section of the help that has more, if any. */
export type Explained = string | readonly [text: string, more: HelpTopic];
