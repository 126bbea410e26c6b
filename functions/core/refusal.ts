export type Reason =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'too-many';

type Details = { errors?: Record<string, string[]>; retryAfter?: number };

/** A call that is refused for a reason its caller can act on. Any other error is a fault of ours. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;
  readonly errors: Record<string, string[]> | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(reason: Reason, message: string, details: Details = {}) {
    super(message);
    this.reason = reason;
    this.errors = details.errors;
    this.retryAfter = details.retryAfter;
  }
}

export const invalid = (field: string, message: string) =>
  new Refusal('invalid', message, { errors: { [field]: [message] } });
