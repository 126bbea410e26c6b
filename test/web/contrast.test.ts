import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('web/src/styles/tokens.css', 'utf8');

const colors = new Map(
  [...css.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name = '', light, dark, both = '']) => [name, { light: light ?? both, dark: dark ?? both }],
  ),
);

// Contrast and luminance as WCAG 2 defines them: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const TEXTS: Record<string, string[]> = {
  page: ['ink', 'muted', 'faint', 'danger', 'success', 'warning', 'info'],
  sunken: ['ink', 'muted', 'faint', 'danger', 'success', 'warning', 'info'],
  raised: ['ink', 'muted', 'faint', 'danger', 'success', 'warning', 'info'],
  action: ['action-ink'],
  'action-hover': ['action-ink'],
  brand: ['brand-ink'],
  'brand-hover': ['brand-ink'],
  'brand-wash': ['ink', 'muted', 'warning'],
  yellow: ['yellow-ink', 'yellow-muted'],
  'yellow-hover': ['yellow-ink', 'yellow-muted'],
  'yellow-current': ['yellow-current-ink'],
  'danger-fill': ['on-danger'],
  'danger-hover': ['on-danger'],
  'danger-wash': ['ink', 'muted', 'danger'],
  'info-wash': ['ink', 'muted', 'info'],
};
/** What shows where a control is, or that it has the focus. */
const EDGES: Record<string, string[]> = {
  page: ['line-strong', 'focus', 'action'],
  sunken: ['line-strong', 'focus', 'action'],
  raised: ['line-strong', 'focus', 'action'],
  yellow: ['focus'],
};
const pairs = (of: Record<string, string[]>, least: number) =>
  Object.entries(of).flatMap(([surface, names]) => names.map(name => ({ surface, name, least })));

describe.each(['light', 'dark'] as const)('in the %s theme', theme => {
  it.each([...pairs(TEXTS, 4.5), ...pairs(EDGES, 3)])(
    '$name has a contrast of $least to $surface',
    ({ surface, name, least }) => {
      const [one, other] = [colors.get(name)?.[theme], colors.get(surface)?.[theme]];
      expect(contrast(one ?? '', other ?? '')).toBeGreaterThanOrEqual(least);
    },
  );
});

it('each text colour of the tokens has its surfaces', () => {
  const texts = new Set(Object.values(TEXTS).flat());
  const isText = (name: string) =>
    /(^|-)(ink|muted|faint)$|^(on-\w+|danger|success|warning|info)$/.test(name);
  expect([...colors.keys()].filter(name => isText(name) && !texts.has(name))).toEqual([]);
});
