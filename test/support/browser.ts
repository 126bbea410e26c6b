import { AxeBuilder } from '@axe-core/playwright';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

type Visit = {
  /** Signed in with this token. */
  token?: string;
  theme?: 'light' | 'dark';
  /** In pixels; 1440 × 900 and 390 × 844 are what pages are looked at in. */
  width?: number;
  /** What the local storage holds besides. */
  stored?: Record<string, string>;
};

/** A refused call is part of the game; the browser notes each in its console. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** One Chromium for a test file. A journey fails when its pages log an error or break their content policy. */
export function freshBrowser(url: () => string) {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let troubles: string[] = [];
  let allowed: RegExp[] = [];

  beforeAll(async () => {
    // Only --no-sandbox: what else sparticuz suggests would crash it here, or switch the same-origin policy off.
    const executablePath = process.env.CHROMIUM_PATH || (await sparticuz.executablePath());
    browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const unexpected = troubles.filter(text => !allowed.some(pattern => pattern.test(text)));
    await Promise.all(contexts.map(context => context.close()));
    contexts = [];
    troubles = [];
    allowed = [];
    expect(unexpected).toEqual([]);
  });

  function watch(page: Page) {
    page.setDefaultTimeout(10_000);
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', message => {
      const quiet = message.type() !== 'error' || REFUSED.test(message.text());
      if (!quiet) troubles.push(`${message.text()} (${message.location().url})`);
    });
  }

  /** Somebody's browser, with storage of its own and any number of tabs. */
  async function visitor({ token, theme = 'light', width = 1440, stored = {} }: Visit = {}) {
    const context = await browser.newContext({
      baseURL: url(),
      viewport: { width, height: width < 500 ? 844 : 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    contexts.push(context);
    context.on('page', watch);
    const entries = { ...stored, ...(token && { token }) };
    if (Object.keys(entries).length > 0) await store(context, entries);
    return {
      context,
      async open(path: string): Promise<Page> {
        const page = await context.newPage();
        await page.goto(path);
        return page;
      },
    };
  }

  /** Once, not at every load: what the app changes later must stay changed. */
  async function store(context: BrowserContext, entries: Record<string, string>) {
    const page = await context.newPage();
    await page.goto('/favicon.svg');
    await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(entries)})`);
    await page.close();
  }

  /** A visitor's first page. */
  const visit = async (path: string, as?: Visit) => (await visitor(as)).open(path);

  /** Errors that a journey provokes. */
  const allow = (...patterns: RegExp[]) => {
    allowed.push(...patterns);
  };

  return { visitor, visit, allow };
}

/** What axe finds on a page, a line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? help}`),
  );
}
