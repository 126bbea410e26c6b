// npm run screenshots: writes the pictures of README.md, light and dark, from the demo data of a new local stack
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Locator, type Page } from 'playwright-core';
import { FULL } from '#local/demo/demo.ts';
import { DEMO_ADDRESS } from '#local/demo/setup.ts';
import { startStack } from '#local/stack.ts';
import { launchOptions, unpackChromium } from '../support/chromium.ts';

const PICTURES = resolve('docs/screenshots');
const THEMES = ['light', 'dark'] as const;

/** What a picture shows. `open` begins at the path, and ends when all of it is there. */
type Picture = { name: string; path: string; open?: (page: Page) => Promise<unknown> };

const opens = (name: string, shown: (page: Page) => Locator) => async (page: Page) => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await shown(page).waitFor();
};
const anAutomation = opens('Recipes', page => page.getByRole('list', { name: 'Emails per day' }));
const aSequence = opens('Welcome to the club', page => page.getByRole('link', { name: /Three things/ }));
const aBroadcast = opens('The new harvest is here', page =>
  page.getByRole('grid', { name: 'Results by template' }).getByRole('link').first(),
);

const PICTURES_OF: Picture[] = [
  { name: 'home', path: '/' },
  { name: 'automation', path: '/automations', open: anAutomation },
  { name: 'sequence', path: '/automations', open: aSequence },
  { name: 'broadcast', path: '/broadcasts', open: aBroadcast },
  { name: 'report', path: '/reporting' },
  { name: 'log', path: '/sending-log' },
];

mkdirSync(resolve('.tmp'), { recursive: true });
process.env.TMPDIR = resolve('.tmp');
await unpackChromium();
const dataDir = mkdtempSync(join(resolve('.tmp'), 'screenshots-'));
const stack = await startStack({ port: 0, dataDir, demo: FULL, log: console.error });
const browser = await chromium.launch(launchOptions);
try {
  await stack.filled;
  const token = await signIn();
  mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of THEMES) {
    const context = await browser.newContext({
      baseURL: stack.url,
      viewport: { width: 1280, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.addInitScript(value => localStorage.setItem('token', value), token);
    for (const { name, path, open } of PICTURES_OF) {
      await page.goto(path);
      await shown(page);
      await open?.(page);
      await shown(page);
      await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
      console.log(`docs/screenshots/${name}-${colorScheme}.png`);
    }
  }
} finally {
  await browser.close();
  await stack.close();
  rmSync(dataDir, { recursive: true });
}

/** Nothing is loading any more, neither from the server nor in the shape of what comes. */
async function shown(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.evaluate(() => document.fonts.ready);
}

async function signIn(): Promise<string> {
  await post('/api/login/request', { email: DEMO_ADDRESS });
  const [message] = await stack.inbox.messages(DEMO_ADDRESS);
  const [code] = /^[A-Z0-9]{6}$/m.exec(message?.text ?? '') ?? [];
  const { token } = await post('/api/login/verify', { email: DEMO_ADDRESS, code });
  return token;
}

async function post(path: string, body: object): Promise<{ token: string }> {
  const response = await fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { token: string };
}
