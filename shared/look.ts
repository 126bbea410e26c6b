import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import { contrastFault, DEFAULT_LOOK, type Look as EmailLook, FONTS, SHAPES } from './email/look.ts';
import { webAddress } from './email/web-address.ts';
import { MOST_LOGO_REQUEST_BYTES, type RouteTable } from './route.ts';
import { line } from './text.ts';

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

export const LOGO_HEIGHTS = { least: 16, most: 120 };
export const MOST_LINKS = 6;
const MOST_LINES = 6;
const LONGEST_LINE = 100;
const LONGEST_LABEL = 40;
const LONGEST_URL = 500;

const ALIGNS = ['start', 'center', 'end'] as const;
const oneOf = <Value extends string>(called: string, values: readonly [Value, ...Value[]]) =>
  z.enum(values, { error: `${called} must be one of ${values.join(', ')}` });

const COLOR = 'Enter a color such as #1d4ed8';
const Color = z.pipe(
  z.pipe(
    z.string({ error: COLOR }),
    z.transform(text => `#${text.trim().replace(/^#/, '').toLowerCase()}`),
  ),
  z.string().check(z.regex(/^#[0-9a-f]{6}$/, { error: COLOR, abort: true })),
);

/** What is the same for everybody has no placeholders. */
const withoutPlaceholders = (text: string) => !/[{}]/.test(text);
const NO_PLACEHOLDERS = 'Placeholders are not filled in here. Write the text that everybody gets.';

const Line = line('Enter the postal address', 'A line of the postal address', LONGEST_LINE);

/** Lines, without empty ones; null without any. */
const Address = z.pipe(
  z.nullable(z.string({ error: 'The postal address must be text' })),
  z.transform((text, context) => {
    const lines = (text ?? '')
      .split(/\r\n|\r|\n/)
      .map(one => one.trim())
      .filter(one => one !== '');
    const fault = (message: string) => {
      context.issues.push({ code: 'custom', input: text, message });
      return z.NEVER;
    };
    if (lines.length > MOST_LINES) return fault(`The postal address must be at most ${MOST_LINES} lines`);
    const wrong = lines.flatMap(one => Line.safeParse(one).error?.issues ?? []);
    if (wrong[0]) return fault(wrong[0].message);
    if (!lines.every(withoutPlaceholders)) return fault(NO_PLACEHOLDERS);
    return lines.length > 0 ? lines.join('\n') : null;
  }),
);

const HTTPS = 'Enter a link that begins with https://';
const Url = z.pipe(
  z.string({ error: HTTPS }).check(z.refine(withoutPlaceholders, { error: NO_PLACEHOLDERS, abort: true })),
  z.transform((text, context) => {
    const url = webAddress(text.trim());
    const fault = (message: string) => {
      context.issues.push({ code: 'custom', input: text, message });
      return z.NEVER;
    };
    if (!url?.startsWith('https://')) return fault(HTTPS);
    return url.length > LONGEST_URL ? fault(`A link must be at most ${LONGEST_URL} characters`) : url;
  }),
);

const Link = z.object(
  {
    label: line('Enter what the link says', 'The text of a link', LONGEST_LABEL).check(
      z.refine(withoutPlaceholders, NO_PLACEHOLDERS),
    ),
    url: Url,
  },
  { error: 'A link has a label and a url' },
);

const HEIGHT = `Enter a height from ${LOGO_HEIGHTS.least} to ${LOGO_HEIGHTS.most} pixels`;

const KINDS = ['html', 'mjml'] as const;

/** A layout of one's own, as it is written. */
export const NewLayout = z.object(
  { kind: oneOf('Layout', KINDS), source: z.string({ error: 'Enter the source of the layout' }) },
  { error: 'A layout has a kind and a source, or is null for the standard one' },
);
export type NewLayout = z.infer<typeof NewLayout>;

/** As it is stored, with what it is compiled to. */
const Layout = z.extend(NewLayout, { html: z.string() });
export type Layout = z.infer<typeof Layout>;

/** What is left out of a call is that of the design without any choice. */
const FIELDS = {
  accent: z._default(Color, DEFAULT_LOOK.accent),
  button_text: z._default(oneOf('Button text', ['light', 'dark']), DEFAULT_LOOK.button_text),
  shape: z._default(oneOf('Button shape', keysOf(SHAPES)), DEFAULT_LOOK.shape),
  button_align: z._default(oneOf('Button alignment', ALIGNS), DEFAULT_LOOK.button_align),
  font: z._default(oneOf('Font', keysOf(FONTS)), DEFAULT_LOOK.font),
  frame: z._default(oneOf('Frame', ['card', 'plain']), DEFAULT_LOOK.frame),
  logo_align: z._default(oneOf('Logo alignment', ['none', ...ALIGNS]), DEFAULT_LOOK.logo_align),
  logo_height: z._default(
    z
      .number({ error: HEIGHT })
      .check(
        z.refine(
          height => Number.isInteger(height) && height >= LOGO_HEIGHTS.least && height <= LOGO_HEIGHTS.most,
          HEIGHT,
        ),
      ),
    DEFAULT_LOOK.logo_height,
  ),
  address: z._default(Address, null),
  links: z._default(
    z
      .array(Link, { error: 'Links must be a list of links' })
      .check(z.maxLength(MOST_LINKS, `At most ${MOST_LINKS} links can be in the footer`)),
    [],
  ),
};

export const NewLook = z
  .object(
    { ...FIELDS, layout: z.optional(z.nullable(NewLayout)) },
    { error: 'A design is an object, or null to use none of its own' },
  )
  .check(
    z.check(({ value, issues }) => {
      const message = contrastFault(value);
      if (message) issues.push({ code: 'custom', input: value, path: ['accent'], message });
    }),
  );
export type NewLook = z.infer<typeof NewLook>;

const Look = z.object({ ...FIELDS, layout: z.optional(Layout) });
export type Look = z.infer<typeof Look> & EmailLook;

export const LookChange = z.object({ look: z.nullable(NewLook) });

const OrganizationLook = z.object({ look: z.nullable(Look) });
export const ListLook = z.object({
  /** Null if the list has none of its own. */
  look: z.nullable(Look),
  /** That of the organization, which lists without one of their own have; null without one. */
  inherited: z.nullable(Look),
});
export type ListLook = z.infer<typeof ListLook>;

// biome-ignore format: a table of routes
export const lookRoutes = {
  'POST /api/layout-check': { id: 'checkLayout', v1: true, permission: 'lists:edit', scope: 'read',
    budget: BUDGETS.layouts, body: NewLayout, mostBytes: MOST_LOGO_REQUEST_BYTES, answer: Layout,
    summary: 'Check a layout of your own for emails, and compile it; nothing is stored' },
  'GET /api/look': { id: 'getLook', v1: true, permission: 'lists:read', answer: OrganizationLook,
    summary: 'The email design of the active organization, which its lists inherit' },
  'PUT /api/look': { id: 'updateLook', v1: true, permission: 'organization:edit', scope: 'content',
    budget: BUDGETS.layouts, body: LookChange, mostBytes: MOST_LOGO_REQUEST_BYTES, answer: OrganizationLook,
    summary: 'Change or remove the email design of the organization' },
  'GET /api/email-lists/{list}/look': { id: 'getEmailListLook', v1: true, permission: 'lists:read', answer: ListLook,
    summary: 'The email design of an email list, and the one that it inherits' },
  'PUT /api/email-lists/{list}/look': { id: 'updateEmailListLook', v1: true, permission: 'lists:edit', scope: 'content',
    budget: BUDGETS.layouts, body: LookChange, mostBytes: MOST_LOGO_REQUEST_BYTES, answer: ListLook,
    summary: 'Give an email list a design of its own, or have it inherit that of the organization' },
} as const satisfies RouteTable;
