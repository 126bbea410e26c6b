export type Scheme = 'light' | 'dark';

/** The beginning of the head of a shown email: blocks all loading, and makes links open in a new tab. */
export function headOf({ scheme, images }: { scheme: Scheme; images: boolean }): string {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data: cid:${images ? ' https:' : ''}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    '<base target="_blank">',
    `<style>:root{color-scheme:${scheme}!important}</style>`,
  ].join('');
}

/** The styles for a colour scheme, whatever the scheme of the app is: its media queries are resolved. */
export const inScheme = (styles: string, scheme: Scheme) =>
  styles.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, asked: string) =>
    asked.toLowerCase() === scheme ? '(min-width:0)' : '(max-width:0)',
  );

const REMOTE =
  /<img[^>]+\bsrc(?:set)?\s*=\s*["']?\s*(?:https:)?\/\/|\bbackground\s*=\s*["']?\s*(?:https:)?\/\/|url\(\s*["']?\s*(?:https:)?\/\//i;

/** Whether it has remote images, which are loaded only if the reader allows it. */
export const showsRemoteImages = (html: string) => REMOTE.test(html);
