import { type Reason, Refusal } from '#core/refusal.ts';
import type { Problem } from '#shared/problem.ts';
import type { Response } from './request.ts';

const STATUS: Record<Reason, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many': 429,
};

export function json(statusCode: number, body?: unknown): Response {
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };
  return body === undefined ? { statusCode, headers } : { statusCode, headers, body: JSON.stringify(body) };
}

/** The response to a refusal. Returns undefined for any other error. */
export function refusalResponse(error: unknown): Response | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const problem: Problem = { message: error.message, ...(error.errors && { errors: error.errors }) };
  const response = json(STATUS[error.reason], problem);
  if (error.retryAfter === undefined) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(error.retryAfter) } };
}

// The errors with which DynamoDB throttles requests.
const OVERLOADED =
  /^(Busy|ThrottlingException|ProvisionedThroughputExceededException|RequestLimitExceeded|TransactionConflictException)$/;

/**
 * The response to an error that the caller did not cause: 429 if the table is overloaded, otherwise 500. Both may be
 * retried.
 */
export function failureResponse(error: unknown): Response {
  if (!(error instanceof Error && OVERLOADED.test(error.name))) {
    return json(500, { message: 'Something went wrong on our side. Please try again.' } satisfies Problem);
  }
  const busy = json(429, { message: 'Too much is going on at once. Please try again.' } satisfies Problem);
  return { ...busy, headers: { ...busy.headers, 'retry-after': '1' } };
}
