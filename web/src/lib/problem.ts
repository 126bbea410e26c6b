import { PRODUCT } from '#shared/brand.ts';

export class Problem extends Error {
  readonly status: number | undefined;
  readonly fields: Record<string, string[]>;
  readonly isFromServer: boolean;
  /** The seconds in the server's Retry-After header. */
  retryAfter: number | undefined;

  constructor(message: string, status?: number, fields: Record<string, string[]> = {}, isFromServer = false) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.fields = fields;
    this.isFromServer = isFromServer;
  }

  /** Whether the message is the server's reason for a refusal. A server error has none. */
  get isRefusal() {
    return this.isFromServer && this.status !== undefined && this.status < 500;
  }
}

export const UNREACHABLE = `${PRODUCT} can’t be reached. Check your connection and try again.`;
export const TOO_SLOW = `${PRODUCT} is taking too long to answer. Please try again.`;
export const UNREADABLE = `${PRODUCT} is not answering as it should. Please try again in a moment.`;
export const UNEXPECTED = 'Unexpected response from server';
export const FAILED = 'Something went wrong. Please try again.';

export const messageOf = (error: unknown) => (error instanceof Problem ? error.message : FAILED);

export const isMissing = (error: unknown) => error instanceof Problem && error.status === 404;

/** Ignores a 404 of a deletion: another user has deleted the item, or an earlier request whose response was lost. */
export function unlessMissing(problem: unknown) {
  if (!isMissing(problem)) throw problem;
}

/** Why the server refused the request; for any other failure, the fallback. */
export const serverMessageOr = (error: unknown, fallback: string) =>
  error instanceof Problem && error.isRefusal ? error.message : fallback;
