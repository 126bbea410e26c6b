import { createSystem, defaultBaseConfig } from '@chakra-ui/react';
import { controls, slottedControls } from './controls.ts';
import { display, slottedDisplay } from './display.ts';
import { overlays } from './overlays.ts';

/** Chakra's scale: 1 is a quarter of a rem. */
const STEPS = [
  0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 64, 72, 80, 96,
];
const scale = Object.fromEntries(STEPS.map(step => [step, { value: `${step * 0.25}rem` }]));

/** References to custom properties of styles/tokens.css, which has the colours of both themes. */
const properties = (names: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(names).map(([name, property]) => [name, { value: `var(--${property})` }]),
  );
const palette = (solid: string, contrast: string, emphasized: string, fg: string, subtle: string) =>
  properties({ solid, contrast, emphasized, fg, subtle });
const values = <Value extends string | number>(table: Record<string, Value>) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, { value }]));

/** Chakra's components with our recipes and tokens; its own recipes would add about 20 KB to every page. */
export const system = createSystem(defaultBaseConfig, {
  preflight: false,
  theme: {
    breakpoints: { sm: '30rem', md: '48rem', lg: '62rem', xl: '80rem' },
    tokens: {
      colors: {
        ...properties({ focus: 'focus', veil: 'veil' }),
        bg: properties({ DEFAULT: 'page', subtle: 'sunken', panel: 'raised' }),
        fg: properties({
          DEFAULT: 'ink',
          muted: 'muted',
          subtle: 'faint',
          error: 'danger',
          success: 'success',
          warning: 'warning',
          info: 'info',
        }),
        border: properties({ DEFAULT: 'line', emphasized: 'line-strong', error: 'danger' }),
        action: properties({ DEFAULT: 'action', ink: 'action-ink' }),
        brand: properties({
          DEFAULT: 'brand',
          hover: 'brand-hover',
          line: 'brand-line',
          ink: 'brand-ink',
          wash: 'brand-wash',
        }),
        danger: properties({ DEFAULT: 'danger', wash: 'danger-wash' }),
        info: properties({ line: 'info-line', wash: 'info-wash' }),
        // The values of `colorPalette`.
        gray: palette('action', 'action-ink', 'action-hover', 'muted', 'sunken'),
        red: palette('danger-fill', 'on-danger', 'danger-hover', 'danger', 'danger-wash'),
        yellow: {
          ...palette('brand', 'brand-ink', 'brand-hover', 'yellow-ink', 'yellow-hover'),
          // A surface with its text, its lines and its current entry.
          ...properties({
            DEFAULT: 'yellow',
            ink: 'yellow-ink',
            muted: 'yellow-muted',
            line: 'yellow-line',
            current: 'yellow-current',
            currentInk: 'yellow-current-ink',
          }),
        },
      },
      fonts: properties({ body: 'font', mono: 'mono' }),
      fontSizes: values({
        xs: '12px',
        sm: '13px',
        md: '14px',
        lg: '16px',
        xl: '20px',
        input: 'var(--input-text)',
      }),
      fontWeights: values({ medium: 520, semibold: 620 }),
      radii: values({ sm: '4px', md: '6px', lg: '10px', xl: '14px', full: '9999px' }),
      shadows: values({ panel: '0 12px 32px -12px var(--shadow)' }),
      spacing: scale,
      sizes: { ...scale, full: { value: '100%' }, ...properties({ control: 'control' }) },
      zIndex: values({ header: 10, skip: 30, dialog: 40, toast: 50, menu: 60, tooltip: 80 }),
    },
    // Named as in Chakra. A component without a recipe here has no styles.
    recipes: { ...controls, ...display },
    slotRecipes: { ...slottedControls, ...slottedDisplay, ...overlays },
  },
});
