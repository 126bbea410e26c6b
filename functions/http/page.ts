import { createHash } from 'node:crypto';
import { PRODUCT } from '../../shared/brand.ts';
import { isRightToLeft } from '../../shared/email/language.ts';
import { escaped } from '../../shared/html.ts';
import { type Answer, PRIVATE } from './tracked.ts';

// The tokens of web/src/styles/tokens.css and the look of /login, without its font: the page loads nothing.
const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f7f6f3,#1f1c19);--raised:light-dark(#fff,#262320);--line:light-dark(#e7e4de,#38342f);--strong:light-dark(#8a857c,#857f76);--ink:light-dark(#1c1917,#f3f1ee);--muted:light-dark(#57534e,#b8b2a9);--action:light-dark(#1c1917,#f3f1ee);--hover:light-dark(#3a3531,#fff);--action-ink:light-dark(#fff,#1c1917);--brand:light-dark(#ffdf6b,#c9ad5c);--focus:light-dark(#1c1917,#ffdf6b);--shadow:light-dark(rgb(28 25 23/.14),rgb(0 0 0/.5))}
*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;grid-template-rows:auto 1fr;background:var(--page);color:var(--ink);font:14px/1.5 "Inter Variable",system-ui,sans-serif;text-size-adjust:100%;overflow-wrap:anywhere}
header{display:flex;align-items:center;gap:10px;padding:24px 32px;font-size:17px;font-weight:620;letter-spacing:-.02em}
main{place-self:center;width:min(440px,100% - 32px);margin-block-end:96px;padding:32px;background:var(--raised);border:1px solid var(--line);border-radius:14px;box-shadow:0 12px 32px -16px var(--shadow)}
h1{font-size:22px;font-weight:620;line-height:1.3;text-wrap:balance}
p{margin-block-start:8px;color:var(--muted)}
form{margin-block-start:24px}
button{width:100%;min-height:44px;padding:8px 16px;font:inherit;font-weight:520;color:var(--action-ink);background:var(--action);border:1px solid var(--action);border-radius:6px;cursor:pointer}
button:hover{background:var(--hover)}
button.quiet{color:inherit;background:none;border-color:var(--strong)}
button.quiet:hover{background:var(--page)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
@media(width<=480px){header{padding:16px}main{place-self:start center;margin-block-start:24px;padding:24px 20px}}
`;
const LOGO =
  '<svg viewBox="0 0 32 32" width="28" height="28" fill="none" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--brand)"/><path d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z" stroke="#1c1917" stroke-width="2.25" stroke-linejoin="round"/></svg>';

// Nothing runs and nothing is loaded: one form, which comes back here, and this style.
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Page = {
  status?: number;
  language: string;
  /** Text. */
  title: string;
  /** HTML. */
  main: string;
};

/** A page for somebody who follows a link of an email: it needs no script, no cookie and no other file. */
export const page = ({ status = 200, language, title, main }: Page): Answer => ({
  statusCode: status,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY, ...PRIVATE },
  body: `<!doctype html>
<html lang="${escaped(language)}" dir="${isRightToLeft(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escaped(title)} - ${PRODUCT}</title>
<style>${STYLE}</style>
</head>
<body>
<header lang="en">${LOGO}${PRODUCT}</header>
<main>${main}</main>
</body>
</html>
`,
});

const sentence = (status: number, title: string, text: string) =>
  page({ status, language: 'en', title, main: `<h1>${title}</h1><p>${text}</p>` });

/** Without a link: a forged one is to lead nowhere. */
export const notValid = () =>
  sentence(
    404,
    'This link is not valid',
    'It may have been cut off. Please follow it from the email once more.',
  );

export const failed = () =>
  sentence(503, 'That did not work', 'Please follow the link from the email once more in a moment.');
