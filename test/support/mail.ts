import type { newMailing } from './mailing.ts';
import type { Stack } from './stack.ts';

export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

/** Calls a link of an email as the browser of a person. */
export const visitLink = (url: string, init: RequestInit = {}) =>
  fetch(url, { redirect: 'manual', headers: { 'user-agent': BROWSER }, ...init });

export async function newMail(stack: Stack, mailing: Awaited<ReturnType<typeof newMailing>>) {
  const { email, id } = await mailing.due();
  await stack.advance(3 * 60);
  const [mail] = (await stack.fetchJson('GET', `/_local/inbox?to=${email}`)).body.messages;
  const link = (path: string): string =>
    new RegExp(`${stack.url()}${path}/[\\w-]+`).exec(mail.html)?.[0] ?? '';
  const links = { pixel: link('/t/o'), click: link('/t/c'), unsubscribe: link('/t/u') };
  for (const url of Object.values(links)) stack.mustNotBeLogged(url.split('/').at(-1) ?? '');
  return { email, id, ...links, headers: mail.headers as Record<string, string> };
}
