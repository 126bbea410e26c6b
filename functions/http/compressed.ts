import { gzipSync } from 'node:zlib';
import type { MiddlewareObj } from '@middy/core';
import type { Event, Response } from './request.ts';

// The same limit as CloudFront's: compressing a shorter response gains nothing.
const LEAST_BYTES = 1_000;

/**
 * Compresses a response for a client that accepts it. CloudFront compresses only what it may cache
 * (docs/decisions/0160-api-compresses-its-answers.md).
 */
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
