/** How a batch ended, or that it is being posted. */
export type State = 'posting' | 'sent' | 'failed' | 'unknown' | 'released' | 'mixed';

/** What happens to a batch. */
export type Happening =
  /** A process inserts it, and is the only one that posts it. */
  | 'begun'
  /** A process inserts it, so that nobody posts it. */
  | 'given up'
  /** What the provider said: the same of all emails, or not. */
  | 'accepted'
  | 'refused'
  | 'unanswered'
  | 'not sent'
  | 'answered differently'
  /** The process that posted it was not heard of in time. */
  | 'orphaned';

/** From a state, by what happens, to the next one. Nothing else happens to a batch: what is not here is ignored. */
const TRANSITIONS: Record<State | 'absent', Partial<Record<Happening, State>>> = {
  absent: { begun: 'posting', 'given up': 'released' },
  posting: {
    accepted: 'sent',
    refused: 'failed',
    unanswered: 'unknown',
    'not sent': 'released',
    'answered differently': 'mixed',
    orphaned: 'unknown',
  },
  // What becomes known of the emails of these later stands in their claims.
  sent: {},
  failed: {},
  unknown: {},
  released: {},
  mixed: {},
};

/** From which state something leads to which. */
export function transition(happening: Happening): { from: State | 'absent'; to: State } {
  for (const [from, leads] of Object.entries(TRANSITIONS) as [
    State | 'absent',
    Partial<Record<Happening, State>>,
  ][]) {
    const to = leads[happening];
    if (to) return { from, to };
  }
  throw new Error(`Nothing is said of a batch that is ${happening}`);
}
