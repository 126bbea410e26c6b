import type { Addressed, By, Token } from '#core/recipient/tracking.ts';
import { recordVisit, type Subscription, subscribeAgain, unsubscribe } from '#core/recipient/unsubscribe.ts';
import { escaped } from '#shared/html.ts';
import { UNSUBSCRIBE_WORDS } from '#shared/unsubscribe-words.ts';
import { type Answer, type Event, readTracked, tryToStore } from '../http/tracking-link.ts';
import { invalidLinkPage, page, serverErrorPage } from '../http/visitor-page.ts';
import { described, log } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { TEXTS, type Texts } from './unsubscribe.texts.ts';

// Purpose: show the page of an unsubscribe link, unsubscribe its recipient, and subscribe them again if it was a mistake.
// Safe to run twice: an unsubscribed recipient stays so, and the same page is shown.

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
  const action = requestedAction(event);
  if (action === undefined) return pageOf(email, 'subscribed', 400);
  if (action !== 'again') return pageOf(email, await unsubscribe(needs, email, action));
  const subscription = await subscribeAgain(needs, email);
  return pageOf(email, subscription === 'subscribed' ? 'back' : subscription);
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

const ACTION_FIELD = { name: 'do', unsubscribe: 'unsubscribe', again: 'subscribe' };

/** `back`: the person has just subscribed again. */
type PageName = Subscription | 'back' | 'failed';
type PageContent = { heading: keyof Texts; notes?: (keyof Texts)[]; button?: 'unsubscribe' | 'again' };

const PAGES: Record<PageName, PageContent> = {
  subscribed: { heading: 'ask', button: 'unsubscribe' },
  unsubscribed: { heading: 'done', notes: ['gone', 'mistake'], button: 'again' },
  ended: { heading: 'done', notes: ['gone'] },
  gone: { heading: 'gone' },
  complaint: { heading: 'gone', notes: ['complaint'] },
  bounce: { heading: 'gone', notes: ['bounce'] },
  back: { heading: 'back' },
  failed: { heading: 'failed', button: 'unsubscribe' },
};

function pageOf({ language, list, sender, logo }: Addressed, shown: PageName, status = 200): Answer {
  const texts = TEXTS[language] ?? TEXTS.en;
  const { heading, notes = [], button } = PAGES[shown];
  const word = UNSUBSCRIBE_WORDS.find(({ code }) => code === language)?.word ?? texts.word ?? 'Unsubscribe';
  // The name may be written in another direction than the sentence around it.
  const html = (text: string) => escaped(text).replace('{list}', () => `<bdi>${escaped(list)}</bdi>`);
  // An old link does not name its list: then texts with the name are left out.
  const textOf = (key: keyof Texts) => (list || !texts[key]?.includes('{list}') ? texts[key] : undefined);
  const title = textOf(heading) ?? (button === 'unsubscribe' ? word : texts.done);
  const form = {
    unsubscribe: `<form method="post"><button name="${ACTION_FIELD.name}" value="${ACTION_FIELD.unsubscribe}">${html(word)}</button></form>`,
    again: `<form method="post"><button class="quiet" name="${ACTION_FIELD.name}" value="${ACTION_FIELD.again}">${html(texts.again)}</button></form>`,
  };
  return page({
    status,
    language: texts === TEXTS.en ? 'en' : language,
    title: title.replace('{list}', () => list),
    sender: { name: list, from: fromLine(list, sender), logo },
    main: [
      `<h1>${html(title)}</h1>`,
      ...notes.flatMap(note => (textOf(note) ? [`<p>${html(textOf(note) ?? '')}</p>`] : [])),
      ...(button ? [form[button]] : []),
    ].join('\n'),
  });
}

/** Without what the name above says already. */
const fromLine = (list: string, { name, address }: Addressed['sender']) =>
  [name, address].filter(text => text && text !== list).join(' · ');

const failedPage = (email: Addressed): Answer => pageOf(email, 'failed', 503);
