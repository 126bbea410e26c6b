export type Reason =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'too-many';

/** A call that is refused for a reason its caller can act on. Anything else that is thrown is our fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;
  readonly errors: Record<string, string[]> | undefined;

  constructor(reason: Reason, message: string, errors?: Record<string, string[]>) {
    super(message);
    this.reason = reason;
    this.errors = errors;
  }
}

export const invalid = (field: string, message: string) =>
  new Refusal('invalid', message, { [field]: [message] });
