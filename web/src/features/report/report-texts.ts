/** Explanations of terms in a report. */
export const TEXTS = {
  opened:
    'How many of the emails were opened. Open rates are unreliable: some mailboxes load no pictures, and others load them unopened. What machines open is counted apart.',
  machine_opened:
    'How many of the emails had their picture loaded by a machine: a mail scanner, or a mailbox that loads all pictures in advance, such as Apple Mail with its privacy protection. Nobody may have seen them, so they are not in Opened, unless a person opened them too.',
  clicked: 'How many of the emails had a link followed by a person. What machines follow is not counted.',
  unsub_clicked: 'How many of the emails had their unsubscribe link followed.',
  unsubscribed: 'How many of the emails were unsubscribed from.',
  open_rate:
    'Opened of sent. Open rates are unreliable. The range below it holds the true rate with a confidence of 95%.',
  click_rate: 'Clicked of sent. The range below it holds the true rate with a confidence of 95%.',
  unsubscribe_rate: 'Unsubscribed of sent. The range below it holds the true rate with a confidence of 95%.',
  value:
    'The total value from conversions tracked through the value API. It counts on the UTC day on which it was posted, all else on the day of the email.',
  value_per_send: 'The average value per email sent.',
  value_per_click: 'The average value per click received.',
} as const;

export const NO_DESCRIPTION = 'No description';
export const NOT_LOADED = 'Failed to load report data. Please try again.';
export const NOT_SORTED = 'Failed to load sorted data. Please try again.';
export const DETAIL_NOT_LOADED = 'Failed to load combination detail. Please try again.';
