/** How a batch ended, or that it is being posted. */
export type State = 'posting' | 'sent' | 'failed' | 'unknown' | 'released' | 'mixed';

/** What happens to a batch. */
export type BatchEvent =
  /** A process inserts it, and is the only one that posts it. */
  | 'begun'
  /** A process inserts it, so that nobody posts it. */
  | 'given up'
  /** The provider's answer: one for all emails, or `answered differently`. */
  | 'accepted'
  | 'refused'
  | 'unanswered'
  | 'not sent'
  | 'answered differently'
  /** The process that was posting it did not end it in time. */
  | 'orphaned';

/** The next state, by state and event. Any other event is ignored. */
const TRANSITIONS: Record<State | 'absent', Partial<Record<BatchEvent, State>>> = {
  absent: { begun: 'posting', 'given up': 'released' },
  posting: {
    accepted: 'sent',
    refused: 'failed',
    unanswered: 'unknown',
    'not sent': 'released',
    'answered differently': 'mixed',
    orphaned: 'unknown',
  },
  // These are final. What becomes known of an email later is stored in its claim.
  sent: {},
  failed: {},
  unknown: {},
  released: {},
  mixed: {},
};

/** The states before and after an event. */
export function transition(event: BatchEvent): { from: State | 'absent'; to: State } {
  for (const [from, leads] of Object.entries(TRANSITIONS) as [
    State | 'absent',
    Partial<Record<BatchEvent, State>>,
  ][]) {
    const to = leads[event];
    if (to) return { from, to };
  }
  throw new Error(`Nothing is said of a batch that is ${event}`);
}
