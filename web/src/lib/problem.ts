import { PRODUCT } from '../../../shared/brand.ts';
/** A call that did not work out: a sentence for the reader, and the fields at fault. */
export class Problem extends Error {
  readonly status: number | undefined;
  readonly fields: Record<string, string[]>;
  /** Whether the sentence is the server's own. */
  readonly said: boolean;

  constructor(message: string, status?: number, fields: Record<string, string[]> = {}, said = false) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.fields = fields;
    this.said = said;
  }
}

export const UNREACHABLE = `${PRODUCT} can’t be reached. Check your connection and try again.`;
export const TOO_SLOW = `${PRODUCT} is taking too long to answer. Please try again.`;
export const UNREADABLE = `${PRODUCT} is not answering as it should. Please try again in a moment.`;
export const FAILED = 'Something went wrong. Please try again.';

export const messageOf = (error: unknown) => (error instanceof Problem ? error.message : FAILED);

/** Whether what a call was about is not there. */
export const isMissing = (error: unknown) => error instanceof Problem && error.status === 404;

/** What the server said; where it said nothing, the other sentence. */
export const saidOr = (error: unknown, otherwise: string) =>
  error instanceof Problem && error.said ? error.message : otherwise;

/** A call that fails with what the server says, or else with this sentence. */
export async function explained<T>(call: Promise<T>, otherwise: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem && error.said) throw error;
    throw new Problem(otherwise, error instanceof Problem ? error.status : undefined);
  }
}
