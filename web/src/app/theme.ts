import { createSystem, defaultBaseConfig } from '@chakra-ui/react';

/** Chakra's scale: 1 is a quarter of a rem. */
const STEPS = [
  0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 64, 72, 80, 96,
];
const scale = Object.fromEntries(STEPS.map(step => [step, { value: `${step * 0.25}rem` }]));

/** A colour of styles/tokens.css, which knows both themes. */
const named = (name: string) => ({ value: `var(--${name})` });
const values = <Value extends string | number>(table: Record<string, Value>) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, { value }]));

/** Chakra without its recipes: names as Chakra has them, so that a recipe taken from it later fits in. */
export const system = createSystem(defaultBaseConfig, {
  preflight: false,
  theme: {
    breakpoints: { sm: '30rem', md: '48rem', lg: '62rem', xl: '80rem' },
    tokens: {
      colors: {
        bg: { DEFAULT: named('page'), subtle: named('sunken'), panel: named('raised') },
        fg: {
          DEFAULT: named('ink'),
          muted: named('muted'),
          subtle: named('faint'),
          error: named('danger'),
          success: named('success'),
          warning: named('warning'),
          info: named('info'),
        },
        border: { DEFAULT: named('line'), emphasized: named('line-strong'), error: named('danger') },
        action: { DEFAULT: named('action'), hover: named('action-hover'), ink: named('action-ink') },
        brand: {
          DEFAULT: named('brand'),
          hover: named('brand-hover'),
          line: named('brand-line'),
          ink: named('brand-ink'),
          muted: named('brand-muted'),
          wash: named('brand-wash'),
        },
        danger: { DEFAULT: named('danger'), fill: named('danger-fill'), wash: named('danger-wash') },
        focus: named('focus'),
        veil: named('veil'),
      },
      fonts: {
        body: { value: 'var(--font)' },
        heading: { value: 'var(--font)' },
        mono: { value: 'var(--mono)' },
      },
      fontSizes: values({ xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' }),
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
      sizes: { ...scale, full: { value: '100%' } },
      zIndex: values({ header: 10, skip: 30 }),
      durations: values({ quick: '120ms' }),
    },
  },
});
