import { html, type Section } from './encode.ts';

type Parts = {
  language: string;
  rightToLeft: boolean;
  subject: Section;
  preheader: Section;
  body: Section;
  button: Section;
  afterButton: Section;
  footer: Section;
};

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TABLE = 'role="presentation" cellspacing="0" cellpadding="0" border="0"';

// A mail program that ignores style elements uses the light colors of the style attributes.
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#1c1917!important}
.sheet{background:#292524!important;color:#f5f5f4!important}
.foot{color:#a8a29e!important}
.button{background:#f5f5f4!important}
.button a{color:#1c1917!important;border-color:#f5f5f4!important}
}
@media (max-width:599px){.pad{padding-left:20px!important;padding-right:20px!important}}
`.trim();

// Mail programs show the beginning of an email next to its subject. This filler keeps the body out of that preview.
const FILLING = '&#847;&zwnj;&nbsp;'.repeat(60);

/** One column of at most 600 pixels. All emails have the same sections, and differ only in those with content. */
export function layout(parts: Parts): Section[] {
  const { language, rightToLeft, preheader } = parts;
  const direction = rightToLeft ? 'rtl' : 'ltr';
  const align = rightToLeft ? 'right' : 'left';
  return [
    [
      `<!doctype html>
<html lang="${html(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>`,
    ],
    parts.subject,
    [
      `</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#fafaf9">
`,
    ],
    preheader.length > 0
      ? [
          '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">',
          ...preheader,
          `${FILLING}</div>\n`,
        ]
      : [],
    [
      `<table ${TABLE} width="100%" class="page" style="background:#fafaf9"><tr><td align="center" style="padding:24px 12px">
<table ${TABLE} width="600" dir="${direction}" class="sheet" style="width:100%;max-width:600px;background:#ffffff;border-radius:8px;font:16px/1.6 ${FONT};color:#292524;text-align:${align};word-break:break-word;overflow-wrap:anywhere">
<tr><td class="pad" style="padding:32px 40px 16px">
`,
    ],
    parts.body,
    [
      `
<table ${TABLE} style="margin:8px 0 16px"><tr><td class="button" bgcolor="#1c1917" style="background:#1c1917;border-radius:6px">`,
    ],
    parts.button,
    ['</td></tr></table>\n'],
    parts.afterButton,
    [
      `
</td></tr>
</table>
<table ${TABLE} width="600" dir="${direction}" style="width:100%;max-width:600px"><tr><td class="pad foot" style="padding:20px 40px;font:13px/1.6 ${FONT};color:#57534e;text-align:${align};word-break:break-word;overflow-wrap:anywhere">
`,
    ],
    parts.footer,
    ['\n</td></tr></table>\n', { in: 'pixel' }, '</td></tr></table>\n</body>\n</html>\n'],
  ];
}

export const BUTTON =
  'display:inline-block;padding:12px 24px;border:1px solid #1c1917;border-radius:6px;font-weight:600;color:#ffffff;text-decoration:none';
