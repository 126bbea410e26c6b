import { PRODUCT } from '#shared/brand.ts';
import { escaped } from '#shared/html.ts';

export type Letter = { subject: string; text: string; html: string };
export type Mailer = { send: (to: string, letter: Letter) => Promise<void> };

type Part = { paragraph: string } | { code: string } | { link: string; label: string };

/** A mail of the product itself, made of one sequence of parts, as text and as HTML. */
export function letter(subject: string, parts: Part[]): Letter {
  return { subject, text: `${parts.map(asText).join('\n\n')}\n\n${PRODUCT}\n`, html: page(subject, parts) };
}

/** A dot between letters or digits, also one that looks like it. */
const LINKING_DOT = /(?<=[\p{L}\p{N}])[.\u2024\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu;

/** Names in a paragraph were chosen by others, as the words of mail servers: no mail program may make a link of them. */
const unlinked = (text: string) => text.replace(LINKING_DOT, '[.]').replaceAll('://', '[:]//');

function asText(part: Part): string {
  if ('paragraph' in part) return unlinked(part.paragraph);
  return 'code' in part ? part.code : `${part.label}: ${part.link}`;
}

function asHtml(part: Part): string {
  if ('paragraph' in part) return `<p style="margin:0 0 20px">${escaped(unlinked(part.paragraph))}</p>`;
  if ('code' in part) {
    return `<p style="margin:0 0 20px;padding:16px 24px;background:#f5f5f4;border-radius:8px;font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;color:#1c1917;text-align:center">${escaped(part.code)}</p>`;
  }
  return `<p style="margin:0 0 20px"><a href="${escaped(part.link)}" style="display:inline-block;padding:10px 20px;background:#1c1917;border-radius:6px;color:#ffffff;text-decoration:none;font-weight:600">${escaped(part.label)}</a></p>`;
}

const page = (subject: string, parts: Part[]) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#fafaf9">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:480px;background:#ffffff;border:1px solid #e7e5e4;border-radius:12px">
<tr><td style="padding:12px 32px;background:#ffdf6b;border-radius:12px 12px 0 0;font:600 15px/1.5 system-ui,sans-serif;color:#1c1917">${PRODUCT}</td></tr>
<tr><td style="padding:32px 32px 12px;font:15px/1.5 system-ui,sans-serif;color:#292524">
${parts.map(asHtml).join('\n')}
</td></tr></table></td></tr></table>
</body>
</html>
`;
