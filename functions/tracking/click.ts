// Purpose: redirect a click to its destination, and store it.
// Safe to run twice: only the first click of a link is stored.

import { recordClick } from '#core/recipient/tracking.ts';
import { webAddress } from '#shared/email/web-address.ts';
import { type Answer, type Event, PRIVATE, readTracked, tryToStore } from '../http/tracking-link.ts';
import { invalidLinkPage, serverErrorPage } from '../http/visitor-page.ts';
import { described, log } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

/** Redirects only to the URL in a token, which only the product can sign. */
export async function handler(event: Event): Promise<Answer> {
  const at = now();
  try {
    const read = await readTracked(event, 'click', at);
    const location = read && webAddress(read.token.url);
    if (!location) return invalidLinkPage();
    await tryToStore('A click', recordClick({ table, now: at }, read.token, read.by));
    return { statusCode: 302, headers: { location, ...PRIVATE } };
  } catch (error) {
    log.error('a click was not answered', { error: described(error) });
    return serverErrorPage();
  }
}
