import type { Access, Provider, Verdict } from '#core/provider.ts';
import { readSignedEvent } from './events.ts';
import { MOST_RECIPIENTS, postAll } from './post.ts';
import { type Request, request } from './request.ts';

// Less than our own caller waits.
const PROBE_TIMEOUT = 5_000;

// A sending key can do nothing but post messages; Mailgun checks the key before it misses the recipient.
const VERDICTS: Record<number, Verdict> = {
  400: { valid: true, message: 'Mailgun accepts this sending key for the domain.' },
  401: { valid: false, message: 'Mailgun does not accept this sending key. Check the key and the region.' },
  403: { valid: false, message: 'Mailgun does not let this sending key send for the domain.' },
  404: { valid: false, message: 'Mailgun does not know this domain. Check the domain and the region.' },
};

const NO_VERDICT: Verdict = {
  valid: undefined,
  message: 'Mailgun could not be reached or gave no clear answer. Please try again later.',
};

/** Mailgun's API, without a library: the product posts forms to one address of it. */
export const createMailgun = (request: Request): Provider => ({
  most: MOST_RECIPIENTS,
  post: (access, emails, mayContinue) => postAll(request, access, emails, mayContinue),
  probe: access => probe(request, access),
  readEvent: readSignedEvent,
});

export const mailgun = createMailgun(request);

/** Posts a message without a recipient, which cannot be sent. */
async function probe(request: Request, access: Access): Promise<Verdict> {
  const form = new FormData();
  form.append('from', `connection-test@${access.domain}`);
  form.append('subject', 'Connection test');
  form.append('text', 'This message has no recipient.');
  try {
    const { status } = await request(access, form, PROBE_TIMEOUT);
    return VERDICTS[status] ?? NO_VERDICT;
  } catch {
    return NO_VERDICT;
  }
}
