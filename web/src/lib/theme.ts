import { readStored, writeStored } from './storage.ts';

const STORED = 'theme';

/** The theme of the system unless another one is chosen. `web/public/theme.js` applies it when a page is loaded. */
export const THEMES = { System: undefined, Light: 'light', Dark: 'dark' } as const;
export type Theme = (typeof THEMES)[keyof typeof THEMES];

export function readTheme(): Theme {
  const stored = readStored(STORED);
  return Object.values(THEMES).find(theme => theme === stored);
}

export function chooseTheme(theme: Theme) {
  writeStored(STORED, theme);
  document.documentElement.style.colorScheme = theme ?? '';
}
