import { MOST_ROWS } from '#shared/list-member.ts';
import { LANGUAGES, type Sent } from '#shared/reference/examples.ts';

export type Target = { origin: string; list: string; organization: number };

const MEMBERS = [
  { email: 'ada@example.com', is_subscribed: true, first_name: 'Ada', signed_up_at: '2026-03-01' },
  { email: 'grace@example.com', is_subscribed: true, plan: 'team', last_order_at: '2026-03-02T09:30:00Z' },
];

const headersOf = ({ organization }: Target) => ({
  Authorization: 'Bearer <YOUR_API_TOKEN>',
  'X-Active-Organization': String(organization),
});

const adding = (target: Target): Sent => ({
  method: 'POST',
  url: `${target.origin}/api/v1/email-lists/${encodeURIComponent(target.list)}/members`,
  headers: { ...headersOf(target), 'Content-Type': 'application/json' },
  body: { members: MEMBERS },
});

/** Complete programs that add members; only the token is a placeholder. */
export const EXAMPLES: { name: string; code: (target: Target) => string }[] = LANGUAGES.map(
  ({ name, write }) => ({ name, code: target => write(adding(target)) }),
);

const [CURL] = LANGUAGES;

/** Lists the email lists that the token reaches, with their ids. */
export const listsExample = (target: Target) =>
  CURL.write({ method: 'GET', url: `${target.origin}/api/v1/email-lists`, headers: headersOf(target) });

/** Limits and rules of this route. */
export const LIMITS = [
  `Up to ${MOST_ROWS} members per call; the response has a result for each.`,
  'Members who are in the list already are updated. Members who unsubscribed stay unsubscribed.',
  'Fields other than email and is_subscribed become metadata; dates can start automations.',
  'Too many calls get the status 429, with the seconds to wait in Retry-After.',
];
