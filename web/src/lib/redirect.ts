/** Where `?redirect=` may lead: a page of this site other than the sign-in page, as a complete address. */
export function safeRedirect(wanted: string | null, origin: string): string | undefined {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return undefined;
  // The browser's own reading decides: `//host`, `/\host` and tabs within lead elsewhere.
  const url = new URL(wanted, origin);
  if (url.origin !== origin || /^\/login(\.html)?\/?$/i.test(url.pathname)) return undefined;
  return url.href;
}
