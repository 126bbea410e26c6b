import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerResult } from 'aws-lambda';
import { redacting } from '../platform/log.ts';
import { env, now } from '../platform/runtime.ts';
import { secret } from '../platform/secrets.ts';

/** Authorizes requests that CloudFront has forwarded: only CloudFront knows the origin key. */
export const handler = redacting(
  async ({ headers }: APIGatewayRequestAuthorizerEventV2): Promise<APIGatewaySimpleAuthorizerResult> => {
    const expected = await secret(env('ORIGIN_KEY_SECRET'), now());
    return { isAuthorized: timingSafeEqual(digest(headers?.['x-origin-key'] ?? ''), digest(expected)) };
  },
);

// timingSafeEqual takes values of equal length only.
const digest = (text: string) => createHash('sha256').update(text).digest();
