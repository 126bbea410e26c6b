import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

type Visit = {
  /** Signed in with this token. */
  token?: string;
  /** The organization that is active. */
  organization?: number;
  /** In pixels; 1440 × 900 and 390 × 844 are what pages are looked at in. */
  width?: number;
  /** What the local storage holds besides. */
  stored?: Record<string, string>;
};

/** A refused call is part of the game; the browser notes each in its console. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

let launched: Promise<Browser> | undefined;

// Only --no-sandbox: what else sparticuz suggests would crash it here, or switch the same-origin policy off.
const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '',
    headless: true,
    args: ['--no-sandbox'],
  });

/**
 * One Chromium for all test files of a worker, each visitor in a context of their own. A journey fails when its pages
 * log an error or break their content policy.
 */
export function sharedBrowser(url: () => string) {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let troubles: string[] = [];
  let allowed: RegExp[] = [];

  beforeAll(async () => {
    launched ??= launch();
    browser = await launched;
  });
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

  async function newContext(as: Visit = {}) {
    const { width = 1440 } = as;
    const isPhone = width < 500;
    const context = await browser.newContext({
      baseURL: url(),
      viewport: { width, height: isPhone ? 844 : 900 },
      isMobile: isPhone,
      hasTouch: isPhone,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.on('page', watch);
    const entries = storageOf(as);
    if (Object.keys(entries).length > 0) await store(context, entries);
    return context;
  }

  /** A visitor's browser, with storage of its own and any number of tabs, until the test ends. */
  async function visitor(as?: Visit) {
    const context = await newContext(as);
    contexts.push(context);
    return {
      context,
      async open(path: string): Promise<Page> {
        const page = await context.newPage();
        await page.goto(path);
        return page;
      },
    };
  }

  /** A visitor's first page; `prepare` is done before it is opened. */
  async function visit(path: string, as?: Visit, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
    const { context } = await visitor(as);
    const page = await context.newPage();
    await prepare?.(page);
    await page.goto(path);
    return page;
  }

  /** One page for all tests of a block: a page of its own for each would cost more than what is opened in it. */
  function lastingPage(width?: number, prepare?: (page: Page) => Promise<unknown>) {
    let page: Page;
    beforeAll(async () => {
      page = await (await newContext({ ...(width && { width }) })).newPage();
      await prepare?.(page);
    });
    afterAll(() => page?.context().close());
    return {
      page: () => page,
      /** Opens a path in it for another visitor, who finds nothing of the one before. */
      async visit(path: string, as: Pick<Visit, 'token' | 'organization'> = {}): Promise<Page> {
        // A page of this origin on which nothing runs, so that the one before it is gone.
        await page.goto('/favicon.svg');
        await page.context().clearCookies();
        await page.evaluate(entries => {
          localStorage.clear();
          sessionStorage.clear();
          Object.assign(localStorage, entries);
        }, storageOf(as));
        await page.goto(path);
        return page;
      },
    };
  }

  /** Errors that a journey provokes. */
  const allow = (...patterns: RegExp[]) => {
    allowed.push(...patterns);
  };

  return { visitor, visit, lastingPage, allow };
}

const storageOf = ({ token, organization, stored }: Visit): Record<string, string> => ({
  ...stored,
  ...(token && { token }),
  ...(organization && { activeOrganizationId: String(organization) }),
});

/**
 * Before the first script of the first page, not at every load: what the app changes later must stay changed. The
 * `storageState` of a context would open a page of its own for it, which costs a third of what a page does.
 */
const store = (context: BrowserContext, entries: Record<string, string>) =>
  context.addInitScript(values => {
    if (!location.protocol.startsWith('http') || document.cookie.includes('stored')) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the app has no cookies, and a script at this point cannot wait.
    document.cookie = 'stored=yes';
    Object.assign(localStorage, values);
  }, entries);
