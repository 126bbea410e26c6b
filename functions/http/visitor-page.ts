import { createHash } from 'node:crypto';
import { isRightToLeft } from '#shared/email/language.ts';
import { escaped } from '#shared/html.ts';
import { type Answer, PRIVATE } from './tracking-link.ts';

// The design tokens of web/src/styles/tokens.css and the look of /login, but not its font, as the page loads no files.
const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f7f6f3,#1f1c19);--raised:light-dark(#fff,#262320);--line:light-dark(#e7e4de,#38342f);--strong:light-dark(#8a857c,#857f76);--ink:light-dark(#1c1917,#f3f1ee);--muted:light-dark(#57534e,#b8b2a9);--action:light-dark(#1c1917,#f3f1ee);--hover:light-dark(#3a3531,#fff);--action-ink:light-dark(#fff,#1c1917);--focus:light-dark(#1c1917,#ffdf6b);--shadow:light-dark(rgb(28 25 23/.14),rgb(0 0 0/.5))}
*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;grid-template-rows:auto 1fr;background:var(--page);color:var(--ink);font:14px/1.5 "Inter Variable",system-ui,sans-serif;text-size-adjust:100%;overflow-wrap:anywhere}
header{display:flex;align-items:center;gap:12px;padding:24px 32px}
header img{flex:none;max-width:128px;height:48px;object-fit:contain;border-radius:6px}
header strong{display:block;font-size:17px;font-weight:620;letter-spacing:-.02em}
header span{color:var(--muted)}
main{grid-row:2;place-self:center;width:min(440px,100% - 32px);margin-block-end:96px;padding:32px;background:var(--raised);border:1px solid var(--line);border-radius:14px;box-shadow:0 12px 32px -16px var(--shadow)}
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
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

// The page runs no scripts. Allowed are one form, which posts to this origin, this style, and a stored logo.
const policyOf = ({ logo }: Sender) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    // On a domain of a list, the logo is at the address of the stage.
    ...(logo ? [`img-src ${logo.startsWith('/') ? "'self'" : new URL(logo).origin}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export type Sender = { name: string; from: string; logo: string };
const NOBODY: Sender = { name: '', from: '', logo: '' };

type Page = {
  status?: number;
  language: string;
  /** As text. */
  title: string;
  /** As HTML. */
  main: string;
  sender?: Sender;
};

/** No script, no cookie, no other file. Recipients do not know this product, so the page does not name it. */
export const page = ({ status = 200, language, title, main, sender = NOBODY }: Page): Answer => ({
  statusCode: status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(sender),
    ...PRIVATE,
  },
  body: `<!doctype html>
<html lang="${escaped(language)}" dir="${isRightToLeft(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${headerOf(sender)}<main>${main}</main>
</body>
</html>
`,
});

/** The header with the sender. With an empty `alt`, a deleted logo is invisible. */
function headerOf({ name, from, logo }: Sender): string {
  if (!name) return '';
  const image = logo && `<img src="${escaped(logo)}" alt="">`;
  const sender = from && `<span><bdi>${escaped(from)}</bdi></span>`;
  return `<header>${image}<div><strong><bdi>${escaped(name)}</bdi></strong>${sender}</div></header>\n`;
}

const sentence = (status: number, title: string, text: string) =>
  page({ status, language: 'en', title, main: `<h1>${title}</h1><p>${text}</p>` });

/** The page for an invalid link. It has no links, so that a forged one leads nowhere. */
export const invalidLinkPage = () =>
  sentence(
    404,
    'This link is not valid',
    'It may have been cut off. Please follow it from the email once more.',
  );

export const serverErrorPage = () =>
  sentence(503, 'That did not work', 'Please follow the link from the email once more in a moment.');
