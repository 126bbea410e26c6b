import { gzipSync } from 'node:zlib';
import type { MiddlewareObj } from '@middy/core';
import { type Reason, Refusal } from '#core/refusal.ts';
import type { Problem } from '#shared/problem.ts';
import type { Event, Response } from './request.ts';

const STATUS: Record<Reason, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'wrong-method': 405,
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
  const { retryAfter, allow } = error;
  const headers = {
    ...response.headers,
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(allow !== undefined && { allow }),
  };
  return { ...response, headers };
}

/** Of a method that a path does not take, which has routes with other methods or none. */
export function methodRefusal(keys: string[]): Refusal {
  if (keys.length === 0) return new Refusal('not-found', 'There is nothing here.');
  const allow = [...new Set(keys.map(key => key.slice(0, key.indexOf(' '))))].sort().join(', ');
  return new Refusal('wrong-method', `This path takes ${allow} alone.`, { allow });
}

const OVERLOADED =
  /^(TransactionContended|ThrottlingException|ProvisionedThroughputExceededException|RequestLimitExceeded|TransactionConflictException)$/;

/** 429 if the table is overloaded, otherwise 500. Both may be retried. */
export function failureResponse(error: unknown): Response {
  if (!(error instanceof Error && OVERLOADED.test(error.name))) {
    return json(500, { message: 'Something went wrong on our side. Please try again.' } satisfies Problem);
  }
  const busy = json(429, { message: 'Too much is going on at once. Please try again.' } satisfies Problem);
  return { ...busy, headers: { ...busy.headers, 'retry-after': '1' } };
}

// The same limit as CloudFront's: compressing a shorter response gains nothing.
const LEAST_BYTES = 1_000;

/** CloudFront compresses only what it may cache (docs/decisions/0160-api-compresses-its-answers.md). */
export const compressed: MiddlewareObj<Event, Response> = {
  after: request => {
    const { response, event } = request;
    const { body, isBase64Encoded } = response ?? {};
    if (!body || isBase64Encoded || !accepts(event.headers['accept-encoding'])) return;
    const bytes = Buffer.from(body);
    if (bytes.length < LEAST_BYTES) return;
    request.response = {
      ...response,
      headers: { ...response?.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
      body: gzipSync(bytes).toString('base64'),
      isBase64Encoded: true,
    };
  },
};

/** Whether the header accepts gzip, with any weight but zero. */
const accepts = (encodings = '') =>
  /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[\d.]+\s*)?(,|$)/i.test(encodings);
