/** Who runs the mailbox of an address, by the mail servers of its domain. `other` also if no server answered in time. */
export const MAILBOXES = {
  gmail: 'Gmail',
  outlook: 'Outlook',
  yahoo: 'Yahoo',
  apple: 'Apple',
  other: 'Other',
} as const;
export type Mailbox = keyof typeof MAILBOXES;
export const MAILBOX_NAMES = Object.keys(MAILBOXES) as Mailbox[];
