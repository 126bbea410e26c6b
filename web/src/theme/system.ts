import { createSystem, defaultBaseConfig } from '@chakra-ui/react';
import { recipes, slotRecipes } from './recipes.ts';

/** Chakra's scale: 1 is a quarter of a rem. */
const STEPS = [
  0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 64, 72, 80, 96,
];
const scale = Object.fromEntries(STEPS.map(step => [step, { value: `${step * 0.25}rem` }]));

/** A custom property of styles/tokens.css, which has the colours of both themes. */
const cssVariable = (name: string) => ({ value: `var(--${name})` });
const palette = (solid: string, contrast: string, emphasized: string, fg: string, subtle: string) => ({
  solid: cssVariable(solid),
  contrast: cssVariable(contrast),
  emphasized: cssVariable(emphasized),
  fg: cssVariable(fg),
  subtle: cssVariable(subtle),
});
const values = <Value extends string | number>(table: Record<string, Value>) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, { value }]));

/** Chakra's components with our recipes and tokens; its own recipes would add about 20 KB to every page. */
export const system = createSystem(defaultBaseConfig, {
  preflight: false,
  theme: {
    breakpoints: { sm: '30rem', md: '48rem', lg: '62rem', xl: '80rem' },
    tokens: {
      colors: {
        bg: { DEFAULT: cssVariable('page'), subtle: cssVariable('sunken'), panel: cssVariable('raised') },
        fg: {
          DEFAULT: cssVariable('ink'),
          muted: cssVariable('muted'),
          subtle: cssVariable('faint'),
          error: cssVariable('danger'),
          success: cssVariable('success'),
          warning: cssVariable('warning'),
          info: cssVariable('info'),
        },
        border: {
          DEFAULT: cssVariable('line'),
          emphasized: cssVariable('line-strong'),
          error: cssVariable('danger'),
        },
        action: {
          DEFAULT: cssVariable('action'),
          hover: cssVariable('action-hover'),
          ink: cssVariable('action-ink'),
        },
        // The palettes of `colorPalette`.
        gray: palette('action', 'action-ink', 'action-hover', 'muted', 'sunken'),
        red: palette('danger-fill', 'on-danger', 'danger-hover', 'danger', 'danger-wash'),
        yellow: palette('brand', 'brand-ink', 'brand-hover', 'brand-ink', 'brand-hover'),
        brand: {
          DEFAULT: cssVariable('brand'),
          hover: cssVariable('brand-hover'),
          line: cssVariable('brand-line'),
          ink: cssVariable('brand-ink'),
          muted: cssVariable('brand-muted'),
          wash: cssVariable('brand-wash'),
        },
        danger: {
          DEFAULT: cssVariable('danger'),
          fill: cssVariable('danger-fill'),
          wash: cssVariable('danger-wash'),
        },
        focus: cssVariable('focus'),
        veil: cssVariable('veil'),
      },
      fonts: {
        body: { value: 'var(--font)' },
        heading: { value: 'var(--font)' },
        mono: { value: 'var(--mono)' },
      },
      fontSizes: values({
        xs: '12px',
        sm: '13px',
        md: '14px',
        lg: '16px',
        xl: '20px',
        input: 'var(--input-text)',
      }),
      fontWeights: values({ normal: 420, medium: 520, semibold: 620 }),
      radii: values({
        sm: '4px',
        md: '6px',
        lg: '10px',
        xl: '14px',
        full: '9999px',
        l1: '4px',
        l2: '6px',
        l3: '10px',
      }),
      shadows: values({ panel: '0 12px 32px -12px var(--shadow)', edge: '0 1px 2px var(--shadow)' }),
      spacing: scale,
      sizes: { ...scale, full: { value: '100%' }, control: cssVariable('control') },
      zIndex: values({ header: 10, skip: 30, dialog: 40, menu: 60, tooltip: 80, toast: 90 }),
    },
    recipes,
    slotRecipes,
  },
});
