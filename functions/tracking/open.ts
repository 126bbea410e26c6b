// Purpose: answer the picture of an email, and store that it was opened.
// Safe to run twice: only the first open is stored.
import { recordOpen } from '#core/recipient/tracking.ts';
import { type Answer, type Event, PRIVATE, readTracked, tryToStore } from '../http/tracking-link.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

const TRANSPARENT_PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Returns the pixel for any token: the answer must not show whether a token is forged. */
export async function handler(event: Event): Promise<Answer> {
  await tryToStore('An open', store(event));
  return {
    statusCode: 200,
    headers: { 'content-type': 'image/gif', ...PRIVATE },
    body: TRANSPARENT_PIXEL,
    isBase64Encoded: true,
  };
}

async function store(event: Event): Promise<void> {
  const at = now();
  const read = await readTracked(event, 'open', at);
  if (read) await recordOpen({ table, now: at }, read.token, read.by);
}
