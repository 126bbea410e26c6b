import { html, line, type Section, type Slot } from './encode.ts';
import { type Align, type Colors, DEFAULT_LOOK, FONTS, type LayoutSlot, type Look, SHAPES } from './look.ts';

/** The look of a list in an email. `name` stands for a logo that is not shown. */
export type Design = { look: Look; logo?: string | undefined; name: string };

type Parts = {
  language: string;
  rightToLeft: boolean;
  subject: Section;
  preheader: Section;
  body: Section;
  ctaUrl: Slot;
  ctaText: Section;
  /** As it is read; its length says how wide Outlook draws the button. */
  label: string;
  afterButton: Section;
  footer: Section;
  design: Design | undefined;
  colors: { light: Colors; dark: Colors };
};

const TABLE = 'role="presentation" cellspacing="0" cellpadding="0" border="0"';

// A mail program that ignores style elements uses the light colors of the style attributes.
const styleFor = ({ page, sheet, button, buttonText, link }: Colors, isCard: boolean, isOwn: boolean) =>
  `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:${page}!important}
.sheet{background:${sheet}!important;color:#f5f5f4!important}
.foot{color:#a8a29e!important${isCard ? '' : ';border-color:#44403c!important'}}
.button{background:${button}!important}
.button a{color:${buttonText}!important;border-color:${button}!important}
${
  isOwn
    ? `.link{color:${link}!important}
.logo{background:#fafaf9!important;border-radius:6px!important;padding:8px 12px!important}
`
    : ''
}}
@media (max-width:599px){.pad{padding-left:20px!important;padding-right:20px!important}}
`.trim();

// Mail programs show the beginning of an email next to its subject. This filler keeps the body out of that preview.
const FILLING = '&#847;&zwnj;&nbsp;'.repeat(60);

/** For Outlook on Windows alone, which draws by the rules of Word; and for all but that. */
const forOutlook = (...shown: Section): Section => ['<!--[if mso]>', ...shown, '<![endif]-->'];
const FOR_OTHERS = ['<!--[if !mso]><!-->', '<!--<![endif]-->'];

/** One column of at most 600 pixels. All emails have the same sections, and differ only in those with content. */
export function layout(parts: Parts): Section[] {
  const { language, rightToLeft, preheader, design } = parts;
  const look: Look = design?.look ?? DEFAULT_LOOK;
  const { light, dark } = parts.colors;
  const font = FONTS[look.font];
  const isCard = look.frame === 'card';
  const direction = rightToLeft ? 'rtl' : 'ltr';
  const documentLanguage = `lang="${html(language)}" dir="${direction}"`;
  const sideOf = (align: Align) =>
    align === 'center' ? align : (align === 'start') === rightToLeft ? 'right' : 'left';
  const preview: Section =
    preheader.length > 0
      ? [
          '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">',
          ...preheader,
          `${FILLING}</div>\n`,
        ]
      : [];
  const button = buttonOf(parts, look, { colors: light, side: sideOf(look.button_align) });
  if (look.layout) {
    return inLayout(look.layout.html, documentLanguage, {
      subject: [parts.subject],
      preheader: [preview],
      pre_cta_content: [parts.body],
      cta: button,
      after_cta_content: [parts.afterButton],
      footer: [imprintOf(look), parts.footer],
    });
  }
  const align = sideOf('start');
  const logo = logoOf(design, sideOf);
  return [
    [
      `<!doctype html>
<html ${documentLanguage}>
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
<style>${styleFor(dark, isCard, design !== undefined)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page}">
`,
    ],
    preview,
    [
      `<table ${TABLE} width="100%" class="page" style="background:${light.page}"><tr><td align="center" style="padding:24px 12px">
`,
      // Outlook knows no greatest width.
      ...(design ? forOutlook(`<table ${TABLE} width="600" align="center"><tr><td>`) : []),
      `<table ${TABLE} width="600" dir="${direction}" class="sheet" style="width:100%;max-width:600px;background:${light.sheet};${isCard ? 'border-radius:8px;' : ''}font:16px/1.6 ${font};color:#292524;text-align:${align};word-break:break-word;overflow-wrap:anywhere">
${logo}<tr><td class="pad" style="padding:${logo ? 24 : 32}px 40px 16px">
`,
    ],
    parts.body,
    ...button,
    parts.afterButton,
    [
      `
</td></tr>
</table>
<table ${TABLE} width="600" dir="${direction}" style="width:100%;max-width:600px"><tr><td class="pad foot" style="${isCard ? '' : 'border-top:1px solid #e7e5e4;'}padding:20px 40px;font:13px/1.6 ${font};color:#57534e;text-align:${align};word-break:break-word;overflow-wrap:anywhere">
`,
      ...imprintOf(look),
    ],
    parts.footer,
    [
      '\n</td></tr></table>\n',
      ...(design ? forOutlook('</td></tr></table>') : []),
      { in: 'pixel' },
      '</td></tr></table>\n</body>\n</html>\n',
    ],
  ];
}

const MARKER = /\{\{(\w+)(?: ([^}]*))?\}\}/;

/** A stored layout has been checked: whatever is in braces is one of these. Texts and values are never looked through for them. */
function inLayout(
  source: string,
  documentLanguage: string,
  parts: Record<LayoutSlot | 'subject', Section[]>,
): Section[] {
  const markers: Record<string, (of: string) => Section> = {
    language: () => [documentLanguage],
    href: url => [{ in: 'href', part: 'footer', url: [url] }],
    files: () => [{ in: 'files' }],
    pixel: () => [{ in: 'pixel' }],
  };
  const sections: Section[] = [[]];
  const pieces = source.split(MARKER);
  // Each marker is followed by its name, what it says, and the text after it.
  for (let at = 0; at < pieces.length; at += 3) {
    const [text = '', name = '', of = ''] = pieces.slice(at, at + 3);
    sections.at(-1)?.push(text);
    if (Object.hasOwn(parts, name)) sections.push(...parts[name as LayoutSlot], []);
    else if (Object.hasOwn(markers, name)) sections.at(-1)?.push(...(markers[name]?.(of) ?? []));
  }
  return sections;
}

type Side = 'left' | 'center' | 'right';

function logoOf(design: Design | undefined, sideOf: (align: Align) => Side): string {
  const { logo_align = 'none', logo_height } = design?.look ?? {};
  if (!design?.logo || logo_align === 'none') return '';
  const size = `height="${logo_height}" style="display:inline-block;height:${logo_height}px;width:auto;max-width:100%;border:0"`;
  return `<tr><td class="pad" align="${sideOf(logo_align)}" style="padding:32px 40px 0;text-align:${sideOf(logo_align)}"><img class="logo" src="${html(design.logo)}" alt="${html(design.name)}" ${size}></td></tr>
`;
}

const PADDING = { vertical: 12, horizontal: 24 };
const BORDER = 1;
const HEIGHT = 50;
const WIDEST_BUTTON = 520;
// Of a bold letter of 16 pixels; those of East Asia are as wide as they are high.
const LETTER = { usual: 10, wide: 17 };
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** Outlook draws round corners only in a shape of its own, which has a fixed width. */
function buttonOf(
  { ctaUrl, ctaText, label, design }: Parts,
  { shape, font }: Look,
  { colors, side }: { colors: Colors; side: Side },
): Section[] {
  const { button, buttonText } = colors;
  const { radius, arc } = SHAPES[shape];
  const { vertical, horizontal } = PADDING;
  const isSquare = design && arc === 0;
  // Outlook pads cells, not links.
  const [cell, within] = isSquare
    ? [`;mso-padding-alt:${vertical + BORDER}px ${horizontal + BORDER}px`, ';mso-padding-alt:0']
    : ['', ''];
  const table = `<tr><td class="button" bgcolor="${button}" style="background:${button};border-radius:${radius}px${cell}">`;
  const link: Section = [
    '<a',
    ctaUrl,
    ` style="display:inline-block;padding:${vertical}px ${horizontal}px;border:${BORDER}px solid ${button};border-radius:${radius}px;font-weight:600;color:${buttonText};text-decoration:none${within}">`,
    ...ctaText,
    '</a>',
  ];
  if (!design)
    return [[`\n<table ${TABLE} style="margin:8px 0 16px">${table}`], link, ['</td></tr></table>\n']];
  const [first, last] = isSquare ? ['', ''] : FOR_OTHERS;
  const letters = [...label].map(letter => (WIDE.test(letter) ? LETTER.wide : LETTER.usual));
  const width = Math.min(WIDEST_BUTTON, 2 * horizontal + letters.reduce((sum, one) => sum + one, 0));
  const drawn = [
    '<v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word"',
    ctaUrl,
    ` style="height:${HEIGHT}px;width:${width}px;v-text-anchor:middle" arcsize="${arc}%" stroke="f" fillcolor="${button}"><w:anchorlock/><center style="color:${buttonText};font:bold 16px ${FONTS[font]}">`,
    ...ctaText,
    '</center></v:roundrect>',
  ];
  return [
    [
      `\n<table ${TABLE} width="100%"><tr><td align="${side}" style="padding:8px 0 16px">${first}<table ${TABLE}>${table}`,
    ],
    link,
    [`</td></tr></table>${last}`, ...(isSquare ? [] : forOutlook(...drawn)), '</td></tr></table>\n'],
  ];
}

/** What of a look is in the footer, before what its author wrote. */
function imprintOf({ address, links }: Look): Section {
  const lines = address?.split('\n').map(html).join('<br>');
  return [
    ...(lines ? [`<p style="margin:0 0 8px">${lines}</p>`] : []),
    ...links.flatMap(
      ({ label, url }, at): Section => [
        at === 0 ? '<p style="margin:0 0 12px">' : ' &middot; ',
        '<a',
        { in: 'href', part: 'footer', url: [url] },
        ` style="${FOOTER_LINK}">${html(label)}</a>${at === links.length - 1 ? '</p>' : ''}`,
      ],
    ),
  ];
}
const FOOTER_LINK = 'color:inherit;text-decoration:underline';

/** The same as plain text. */
export const imprintAsText = ({ address, links }: Look): Section[] => [
  address ? [address.split('\n').map(line).join('\n')] : [],
  links.flatMap(
    ({ label, url }, at): Section => [
      `${at === 0 ? '' : '\n'}${line(label)}`,
      { in: 'address', part: 'footer', url: [url], inBrackets: true },
    ],
  ),
];
