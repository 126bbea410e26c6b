/** How the emails of a list look. Beside its schema, so that the renderer loads no zod. */
export type Look = {
  /** The color of the button and of links, as `#rrggbb`. */
  accent: string;
  button_text: 'light' | 'dark';
  shape: keyof typeof SHAPES;
  button_align: Align;
  font: keyof typeof FONTS;
  frame: 'card' | 'plain';
  logo_align: Align | 'none';
  /** In pixels. */
  logo_height: number;
  address: string | null;
  links: { label: string; url: string }[];
  /** HTML in place of the standard layout, in which markers stand for the parts. */
  layout?: { html: string } | undefined;
};
/** The parts of an email, in the places that a layout of one's own has for them. */
export const SLOTS = ['preheader', 'pre_cta_content', 'cta', 'after_cta_content', 'footer'] as const;
export type LayoutSlot = (typeof SLOTS)[number];

/** Where lines begin: in a right-to-left language, on the right. */
export type Align = 'start' | 'center' | 'end';

const INK = '#1c1917';
const PAPER = '#f5f5f4';
const SHEET = '#ffffff';

/** The radius of its corners in pixels; that of Outlook, in percent of its height. */
export const SHAPES = {
  square: { radius: 0, arc: 0 },
  rounded: { radius: 6, arc: 13 },
  pill: { radius: 24, arc: 50 },
} as const;

/** Only fonts that computers and phones have, each with the ones that others have in its place. */
export const FONTS = {
  system: "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  arial: "Arial,'Helvetica Neue',Helvetica,sans-serif",
  verdana: 'Verdana,Geneva,Tahoma,sans-serif',
  georgia: "Georgia,'Times New Roman',Times,serif",
  palatino: "Palatino,'Palatino Linotype','Book Antiqua',Georgia,serif",
} as const;

/** Emails without a look are rendered with it, and with neither a logo nor what only Outlook needs. */
export const DEFAULT_LOOK: Omit<Look, 'layout'> = {
  accent: INK,
  button_text: 'light',
  shape: 'rounded',
  button_align: 'start',
  font: 'system',
  frame: 'card',
  logo_align: 'start',
  logo_height: 40,
  address: null,
  links: [],
};

/** All but the colors, the address and the links, which are those of the company. */
export const PRESETS = {
  simple: {
    label: 'Simple',
    shape: 'rounded',
    button_align: 'start',
    font: 'system',
    frame: 'plain',
    logo_align: 'start',
    logo_height: 32,
  },
  card: {
    label: 'Card',
    shape: 'pill',
    button_align: 'center',
    font: 'arial',
    frame: 'card',
    logo_align: 'center',
    logo_height: 48,
  },
  classic: {
    label: 'Classic',
    shape: 'square',
    button_align: 'start',
    font: 'georgia',
    frame: 'card',
    logo_align: 'start',
    logo_height: 40,
  },
} as const satisfies Record<string, Partial<Look> & { label: string }>;

// https://www.w3.org/TR/WCAG22/#contrast-minimum and #non-text-contrast
const READABLE = 4.5;
const VISIBLE = 3;

const channels = (color: string) => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(channel => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const textColor = (text: Look['button_text']) => (text === 'light' ? SHEET : INK);

export function contrastFault({ accent, button_text }: Pick<Look, 'accent' | 'button_text'>) {
  if (contrast(accent, textColor(button_text)) >= READABLE) return undefined;
  return button_text === 'light'
    ? 'The button’s text would be hard to read on this color. Choose a darker one, or dark text.'
    : 'The button’s text would be hard to read on this color. Choose a lighter one, or light text.';
}

const STEPS = 50;

/** The color itself if it is fit, else the nearest one on the way to another color. */
function towards(color: string, end: string, isFit: (color: string) => boolean): string {
  const [from, to] = [channels(color), channels(end)];
  for (let step = 0; step < STEPS; step++) {
    const mixed = from.map((channel, at) =>
      Math.round(channel + (((to[at] ?? 0) - channel) * step) / STEPS)
        .toString(16)
        .padStart(2, '0'),
    );
    const shown = `#${mixed.join('')}`;
    if (isFit(shown)) return shown;
  }
  return end;
}

const MOST_GREY = 24;
const isGrey = (color: string) => Math.max(...channels(color)) - Math.min(...channels(color)) < MOST_GREY;

export type Colors = { page: string; sheet: string; button: string; buttonText: string; link: string };

/** The colors of light mode, and those of dark mode, which are derived: as near to the accent as can be read. */
export function colorsOf({ accent, button_text, frame }: Look): { light: Colors; dark: Colors } {
  const light = {
    page: frame === 'card' ? '#fafaf9' : SHEET,
    sheet: SHEET,
    button: accent,
    buttonText: textColor(button_text),
    link: towards(accent, '#000000', color => contrast(color, SHEET) >= READABLE),
  };
  const [page, sheet] = [INK, frame === 'card' ? '#292524' : INK];
  // A black button becomes a white one.
  if (isGrey(accent)) {
    return { light, dark: { page, sheet, button: PAPER, buttonText: INK, link: PAPER } };
  }
  const textOn = (color: string) => {
    const texts = [textColor(button_text), INK, SHEET];
    return texts.find(text => contrast(color, text) >= READABLE);
  };
  const button = towards(
    accent,
    SHEET,
    color => contrast(color, sheet) >= VISIBLE && textOn(color) !== undefined,
  );
  const link = towards(accent, SHEET, color => contrast(color, sheet) >= READABLE);
  return { light, dark: { page, sheet, button, buttonText: textOn(button) ?? INK, link } };
}
