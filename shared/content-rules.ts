import * as z from 'zod/mini';
import { isMarkdown, type Part } from './email/content.ts';
import { markdownFaults } from './email/markdown-faults.ts';
import { hasTagsBeforeQuery, hasUnsubscribeLink, parse, variablesOf } from './email/placeholder.ts';
import { placeholderFaults } from './email/placeholder-faults.ts';
import { webAddress } from './email/web-address.ts';

export const LONGEST_NAME = 100;
const LONGEST_LINE = 255;
const LONGEST_ADDRESS = 2_048;
export const LONGEST_CONTENT = 10_000;
/** How many placeholders a part may have, so that an email with the longest values still fits one request to the provider. */
const MOST_PLACEHOLDERS = 500;

function faultOfTags(address: string): string | undefined {
  if (!hasTagsBeforeQuery(address)) return undefined;
  const [first] = parse(address);
  const host = typeof first === 'string' ? first.replace(/[/&]+$/, '') : 'https://example.com';
  return `CTA URL must include a '?' symbol before the UTM tags, e.g. ${host}?{{utm_tags_template_id}}`;
}

/** Why a button cannot have this address. An address that begins with a placeholder is checked when it is filled in. */
function faultOfAddress(text: string): string | undefined {
  const address = text.trim();
  const pieces = parse(address);
  const [first, ...rest] = pieces;
  const fault = faultOfTags(address);
  if (fault) return fault;
  if (typeof first === 'object') return undefined;
  // With a placeholder in the host, a member's metadata would choose the site.
  const isHostWritten = rest.length === 0 || /^https?:\/\/[^/?#]+[/?#]/i.test(first ?? '');
  const filled = pieces.map(piece => (typeof piece === 'string' ? piece : 'x')).join('');
  return isHostWritten && webAddress(filled) !== undefined
    ? undefined
    : 'CTA URL must be a web address that begins with https:// or http://';
}

const FOOTER_NEEDS_LINK = 'Footer must include {{UNSUB_LINK}} placeholder';

const stored = z.transform((typed: string) => typed.replace(/\r\n?/g, '\n').replaceAll('\0', ''));
const atMost = (called: string, longest: number) =>
  z.maxLength(longest, `${called} must be at most ${longest.toLocaleString('en')} characters`);
const fewPlaceholders = (called: string) =>
  z.refine<string>(
    typed => variablesOf(typed).length <= MOST_PLACEHOLDERS,
    `${called} must have at most ${MOST_PLACEHOLDERS} placeholders`,
  );

export const oneLine = (typed: string) => typed.replace(/\s+/g, ' ').trim();
const storedLine = z.transform((typed: string) => oneLine(typed.replaceAll('\0', '')));

const text = (required: string, called: string, longest: number, as = stored) =>
  z.pipe(
    z.pipe(z.string({ error: required }), as),
    z.string().check(
      z.refine(typed => typed.trim() !== '', { error: required, abort: true }),
      atMost(called, longest),
      fewPlaceholders(called),
    ),
  );

const optional = (called: string, longest: number, as = stored) =>
  z.optional(
    z.nullable(
      z.pipe(
        z.pipe(z.string({ error: `${called} must be text` }), as),
        z.string().check(atMost(called, longest), fewPlaceholders(called)),
      ),
    ),
  );

/** Faults of placeholders are reported before the fault of the address, as they often cause it. */
const faultsOfNewAddress = (address: string): string[] => {
  const fault = faultOfTags(address.trim());
  const unreadable = fault ? [] : placeholderFaults(address);
  return unreadable.length > 0 ? unreadable : [fault ?? faultOfAddress(address) ?? []].flat();
};

const checkedBy = <T>(faultsOf: (value: T) => string[], unchanged?: T) =>
  z.check<T>(({ value, issues }) => {
    // Reported only if the other rules hold.
    if (issues.length > 0 || (value && value === unchanged)) return;
    for (const message of faultsOf(value)) issues.push({ code: 'custom', input: value, message });
  });

type Written = string | null | undefined;
const readable = (unchanged?: Written) =>
  checkedBy<Written>(text => placeholderFaults(text ?? ''), unchanged);

const faultsOfMarkdown = (text: string) => [...placeholderFaults(text), ...markdownFaults(text)];
const renderable = (unchanged?: Written) =>
  checkedBy<Written>(text => faultsOfMarkdown(text ?? ''), unchanged);

const footerWith = (message: string) => z.refine<string>(hasUnsubscribeLink, message);

const ctaUrl = text('CTA URL is required', 'CTA URL', LONGEST_ADDRESS);

/** The fields of a template's content as it is stored. Older content may have placeholders that cannot be read. */
export const contentFields = {
  subject_line: text('Subject line is required', 'Subject line', LONGEST_LINE, storedLine),
  preheader: optional('Preheader', LONGEST_LINE, storedLine),
  pre_cta_content: text('Pre-CTA content is required', 'Pre-CTA content', LONGEST_CONTENT),
  cta_text: text('CTA text is required', 'CTA text', LONGEST_LINE, storedLine),
  cta_url: ctaUrl.check(checkedBy(address => [faultOfAddress(address) ?? []].flat())),
  after_cta_content: optional('After-CTA content', LONGEST_CONTENT),
  footer: z
    .string({ error: FOOTER_NEEDS_LINK })
    .check(atMost('Footer', LONGEST_CONTENT), fewPlaceholders('Footer'), footerWith(FOOTER_NEEDS_LINK)),
};

/** The same for new content, with stricter rules, as it cannot be changed later: not for parts that are as in `before`. */
export const newContentFieldsAfter = (before: Partial<Record<Part, Written>>) => ({
  subject_line: contentFields.subject_line.check(readable(before.subject_line)),
  preheader: contentFields.preheader.check(readable(before.preheader)),
  pre_cta_content: contentFields.pre_cta_content.check(renderable(before.pre_cta_content)),
  cta_text: contentFields.cta_text.check(readable(before.cta_text)),
  cta_url: ctaUrl.check(checkedBy<string>(faultsOfNewAddress, before.cta_url ?? undefined)),
  after_cta_content: contentFields.after_cta_content.check(renderable(before.after_cta_content)),
  footer: contentFields.footer.check(renderable(before.footer)),
});
export const newContentFields = newContentFieldsAfter({});

export const AssetValue = text('Content is required', 'Content', LONGEST_CONTENT);
export const LONGEST: Readonly<Record<Part, number>> = {
  subject_line: LONGEST_LINE,
  preheader: LONGEST_LINE,
  pre_cta_content: LONGEST_CONTENT,
  cta_text: LONGEST_LINE,
  cta_url: LONGEST_ADDRESS,
  after_cta_content: LONGEST_CONTENT,
  footer: LONGEST_CONTENT,
};

export const LINES: readonly string[] = ['subject_line', 'preheader', 'cta_text'];

export function faultsOfAsset(type: Part, value: string): string[] {
  const longest = LONGEST[type];
  // The schema checks the limit LONGEST_CONTENT.
  if (value.length > longest && longest < LONGEST_CONTENT) {
    return [`Content must be at most ${longest.toLocaleString('en')} characters`];
  }
  if (type === 'cta_url') return faultsOfNewAddress(value);
  if (type === 'footer' && !hasUnsubscribeLink(value)) {
    return ['Footer must contain {{UNSUB_LINK}} placeholder for unsubscribe link.'];
  }
  return isMarkdown(type) ? faultsOfMarkdown(value) : placeholderFaults(value);
}

/** The fields for the parts of an email that are created as assets, each with the rules of its type. */
export const newAssetFields = {
  ...newContentFields,
  footer: text('Footer is required', 'Footer', LONGEST_CONTENT).check(
    checkedBy(footer => faultsOfAsset('footer', footer)),
  ),
};
