import type { Addressed } from '#core/recipient/tracking/tracking.ts';
import type { Subscription } from '#core/recipient/unsubscribe.ts';
import { escaped } from '#shared/html.ts';
import { UNSUBSCRIBE_WORDS } from '#shared/unsubscribe-words.ts';
import { page } from '../http/page.ts';
import type { Answer } from '../http/tracked.ts';
import { TEXTS, type Texts } from './unsubscribe.texts.ts';

/** The field of the form, and its value for each button of the page. */
export const ACTION_FIELD = { name: 'do', unsubscribe: 'unsubscribe', again: 'subscribe' };

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

export function pageOf({ language, list, sender, logo }: Addressed, shown: PageName, status = 200): Answer {
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

/** The sender, without what the name above it says already. */
const fromLine = (list: string, { name, address }: Addressed['sender']) =>
  [name, address].filter(text => text && text !== list).join(' · ');

export const failedPage = (email: Addressed): Answer => pageOf(email, 'failed', 503);
