export const SUPPRESSIONS = ['complaint', 'bounce'] as const;
export type Suppression = (typeof SUPPRESSIONS)[number];

export const SUPPRESSED: Record<Suppression, string> = {
  complaint: 'This person reported an email as spam, so they cannot be subscribed again.',
  bounce: 'This address does not exist any more (an email bounced), so it cannot be subscribed again.',
};
