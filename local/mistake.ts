/** An error that the developer can fix. It is shown as one sentence, without a stack trace. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  /** Details that are only shown on the terminal. */
  readonly details: string | undefined;

  constructor(message: string, details?: string) {
    super(message);
    this.details = details;
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** An error as text for the terminal: a mistake as its sentence, any other error with its stack trace. */
export function describe(error: unknown): string {
  if (error instanceof Mistake) return [error.message, error.details].filter(Boolean).join('\n\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
