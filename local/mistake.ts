/** An error that the developer can fix: it is shown as one sentence, without a stack trace. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  /** More about it, shown on the terminal alone. */
  readonly details: string | undefined;

  constructor(message: string, details?: string) {
    super(message);
    this.details = details;
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** An error as the terminal shows it: a mistake as its sentence, any other with its stack. */
export function describe(error: unknown): string {
  if (error instanceof Mistake) return [error.message, error.details].filter(Boolean).join('\n\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
