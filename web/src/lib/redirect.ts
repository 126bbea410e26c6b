/** The absolute URL of `?redirect=`; undefined unless it is a page of this origin other than /login. */
export function safeRedirect(redirect: string | null, origin: string): string | undefined {
  if (!redirect?.startsWith('/') || !URL.canParse(redirect, origin)) return undefined;
  // Parsed like the browser does: `//host`, `/\host` and paths with tabs have another origin.
  const url = new URL(redirect, origin);
  if (url.origin !== origin || /^\/login(\.html)?\/?$/i.test(url.pathname)) return undefined;
  return url.href;
}
