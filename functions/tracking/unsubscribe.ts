// Purpose: show the page of an unsubscribe link, unsubscribe its recipient, and subscribe them again if it was a mistake.
// Safe to run twice: an unsubscribed recipient stays so, and the same page is shown.
import type { By, Token } from '#core/recipient/tracking/tracking.ts';
import { recordVisit, type Subscription, subscribeAgain, unsubscribe } from '#core/recipient/unsubscribe.ts';
import { invalidLinkPage, serverErrorPage } from '../http/page.ts';
import { type Answer, type Event, readTracked, tryToStore } from '../http/tracked.ts';
import { now } from '../platform/clock.ts';
import { described, log } from '../platform/log.ts';
import { table } from '../platform/table.ts';
import { ACTION_FIELD, failedPage, pageOf } from './unsubscribe.page.ts';

type Email = Token<'unsubscribe'>;

/** Only a POST changes anything: mail programs and scanners follow links as they like. */
export async function handler(event: Event): Promise<Answer> {
  const at = now();
  let email: Email | undefined;
  try {
    const read = await readTracked(event, 'unsubscribe', at);
    if (!read) return invalidLinkPage();
    email = read.token;
    return event.requestContext.http.method === 'POST'
      ? await post(at, email, event)
      : await show(at, email, read.by);
  } catch (error) {
    log.error('an unsubscribe link was not answered', { error: described(error) });
    return email ? failedPage(email) : serverErrorPage();
  }
}

/** If the table fails, the page has its button nevertheless. */
async function show(at: Date, email: Email, by: By): Promise<Answer> {
  let subscription: Subscription = 'subscribed';
  const looking = recordVisit({ table, now: at }, email, by).then(found => {
    subscription = found;
  });
  await tryToStore('A look at the unsubscribe page', looking);
  return pageOf(email, subscription);
}

async function post(at: Date, email: Email, event: Event): Promise<Answer> {
  const needs = { table, now: at };
  switch (requestedAction(event)) {
    case 'again': {
      const subscription = await subscribeAgain(needs, email);
      return pageOf(email, subscription === 'subscribed' ? 'back' : subscription);
    }
    case 'page':
      return pageOf(email, await unsubscribe(needs, email, 'page'));
    case 'one_click':
      return pageOf(email, await unsubscribe(needs, email, 'one_click'));
    default:
      return pageOf(email, 'subscribed', 400);
  }
}

// https://www.rfc-editor.org/rfc/rfc8058#section-3.1: as a form of either type. A part may have more headers than its name.
const ONE_CLICK = { name: 'list-unsubscribe', value: 'one-click' };
const PART = /name="?list-unsubscribe"?[ \t]*\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*\r?\none-click\s/;
const LONGEST_FORM = 10_000;

function requestedAction({ body = '', isBase64Encoded }: Event): 'page' | 'one_click' | 'again' | undefined {
  const form = (isBase64Encoded ? Buffer.from(body, 'base64').toString() : body).slice(0, LONGEST_FORM);
  const fields = new URLSearchParams(form);
  const asked = fields.get(ACTION_FIELD.name);
  if (asked === ACTION_FIELD.unsubscribe) return 'page';
  if (asked === ACTION_FIELD.again) return 'again';
  const isOneClick = [...fields].some(
    ([name, value]) =>
      name.toLowerCase() === ONE_CLICK.name && value.trim().toLowerCase() === ONE_CLICK.value,
  );
  return isOneClick || PART.test(form.toLowerCase()) ? 'one_click' : undefined;
}
