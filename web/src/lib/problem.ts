/** A call that did not work out: a sentence for the reader, and the fields at fault. */
export class Problem extends Error {
  readonly status: number | undefined;
  readonly fields: Record<string, string[]>;

  constructor(message: string, status?: number, fields: Record<string, string[]> = {}) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.fields = fields;
  }
}

export const UNREACHABLE = 'Letterflow can’t be reached. Check your connection and try again.';
export const TOO_SLOW = 'Letterflow is taking too long to answer. Please try again.';
export const UNREADABLE = 'Letterflow is not answering as it should. Please try again in a moment.';
export const FAILED = 'Something went wrong. Please try again.';

export const messageOf = (error: unknown) => (error instanceof Problem ? error.message : FAILED);
