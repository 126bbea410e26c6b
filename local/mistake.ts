/** Something the developer can put right: it is told in one sentence, without a stack trace. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  /** What else helps, for the terminal alone. */
  readonly details: string | undefined;

  constructor(message: string, details?: string) {
    super(message);
    this.details = details;
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** An error as the terminal shows it: a mistake in its words, anything else with its stack. */
export function describe(error: unknown): string {
  if (error instanceof Mistake) return [error.message, error.details].filter(Boolean).join('\n\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
