/** The parts of an email. A template has all of them, an asset is one of them. */
export const PARTS = {
  subject_line: 'Subject Line',
  preheader: 'Preheader',
  pre_cta_content: 'Pre-CTA Content',
  cta_text: 'CTA Text',
  cta_url: 'CTA URL',
  after_cta_content: 'After-CTA Content',
  footer: 'Footer',
} as const;
export type Part = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as [Part, ...Part[]];

/** The parts in Markdown. The others are lines of plain text. */
export const MARKDOWN_PARTS = ['pre_cta_content', 'after_cta_content', 'footer'] as const satisfies Part[];
export const isMarkdown = (part: Part) => (MARKDOWN_PARTS as readonly Part[]).includes(part);

export const REQUIRED_PARTS = ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url', 'footer'] as const;
type RequiredPart = (typeof REQUIRED_PARTS)[number];

/** As its author wrote them: markdown with placeholders; subject, preheader and button are plain text. */
export type Content = Record<RequiredPart, string> & Partial<Record<Part, string | null | undefined>>;
