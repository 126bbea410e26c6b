import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchOptions } from '../chromium.ts';
import { BROWSER } from '../mail.ts';

type Visit = {
  token?: string;
  organization?: number;
  /** In pixels. Pages are inspected at 1440 × 900 and 390 × 844. */
  width?: number;
  stored?: Record<string, string>;
};

/** Refused requests are expected; the browser logs each of them. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

let launched: Promise<Browser> | undefined;
/** A page for desktops and one for phones, which tests reuse. */
const kept = new Map<boolean, Page>();
const inUse = new Set<Page>();
/** Pages with an installed clock or script, which cannot be removed: they are closed after their test. */
const spoilt = new Set<Page>();
let troubles: string[] = [];

/**
 * One Chromium for all test files of a worker. The first visitor of a test gets a page that was used before and is reset: a
 * new page would cost half as much again as what is opened in it. Each further visitor has a context of their own. A test
 * fails if its pages log an error or violate their content policy.
 */
export function sharedBrowser(url: () => string) {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let allowed: RegExp[] = [];

  beforeAll(async () => {
    launched ??= chromium.launch(launchOptions);
    browser = await launched;
  });
  afterEach(async () => {
    const unexpected = troubles.filter(text => !allowed.some(pattern => pattern.test(text)));
    await Promise.all([...contexts.map(context => context.close()), ...[...inUse].map(leave)]);
    contexts = [];
    troubles = [];
    allowed = [];
    expect(unexpected).toEqual([]);
  });

  async function newContext(as: Visit = {}) {
    const isPhone = isPhoneOf(as);
    const context = await browser.newContext({
      // Its own says HeadlessChrome, which is a machine to the links of emails.
      userAgent: BROWSER,
      baseURL: url(),
      viewport: viewportOf(as),
      isMobile: isPhone,
      hasTouch: isPhone,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.on('page', watch);
    return context;
  }

  /** The browser of a visitor: its own storage, and any number of tabs, until the test ends. */
  async function visitor(as: Visit = {}) {
    const context = await newContext(as);
    contexts.push(context);
    const entries = storageOf(as);
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

  /** Opens the first page of a visitor. `prepare` is called before that. */
  async function visit(path: string, as?: Visit, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
    const page = (await keptPage(as)) ?? (await (await visitor(as)).context.newPage());
    await prepare?.(page);
    await page.goto(path);
    return page;
  }

  async function keptPage(as: Visit = {}): Promise<Page | undefined> {
    const page = kept.get(isPhoneOf(as)) ?? noticeScripts(await (await newContext(as)).newPage());
    if (inUse.has(page)) return undefined;
    kept.set(isPhoneOf(as), page);
    inUse.add(page);
    const viewport = viewportOf(as);
    if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport);
    await enter(page, as);
    return page;
  }

  /** One page for all tests of a block: a page for each test would cost more than what is opened in it. */
  function lastingPage(width?: number, prepare?: (page: Page) => Promise<unknown>) {
    let page: Page;
    beforeAll(async () => {
      page = await (await newContext({ ...(width && { width }) })).newPage();
      await prepare?.(page);
    });
    afterAll(() => page?.context().close());
    return {
      page: () => page,
      /** Opens a path for another visitor, in a page that is reset first. */
      async visit(path: string, as: Pick<Visit, 'token' | 'organization'> = {}): Promise<Page> {
        await enter(page, as);
        await page.goto(path);
        return page;
      },
    };
  }

  /** Allows errors that a test provokes. */
  const allow = (...patterns: RegExp[]) => {
    allowed.push(...patterns);
  };

  return { visitor, visit, lastingPage, allow };
}

const isPhoneOf = ({ width = 1440 }: Visit) => width < 500;
const viewportOf = (as: Visit) => ({ width: as.width ?? 1440, height: isPhoneOf(as) ? 844 : 900 });

function watch(page: Page) {
  page.setDefaultTimeout(60_000);
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', message => {
    const quiet = message.type() !== 'error' || REFUSED.test(message.text());
    if (!quiet) troubles.push(`${message.text()} (${message.location().url})`);
  });
}

/** A page of this origin without scripts, so that the previous page is unloaded. */
const NOWHERE = '/favicon.svg';

/** Resets a used page for another visitor. */
async function enter(page: Page, as: Visit): Promise<void> {
  // The page may be about to navigate by itself, but not twice.
  if (!page.url().endsWith(NOWHERE)) await page.goto(NOWHERE).catch(() => page.goto(NOWHERE));
  await page.context().clearCookies();
  await page.evaluate(entries => {
    localStorage.clear();
    sessionStorage.clear();
    Object.assign(localStorage, entries);
  }, storageOf(as));
}

function noticeScripts(page: Page): Page {
  for (const [of, name] of [
    [page, 'addInitScript'],
    [page.context(), 'addInitScript'],
    [page.clock, 'install'],
  ] as const) {
    const add = (of[name as keyof typeof of] as (...args: unknown[]) => Promise<unknown>).bind(of);
    const noticed = (...args: unknown[]) => {
      spoilt.add(page);
      return add(...args);
    };
    Object.assign(of, { [name]: noticed });
  }
  return page;
}

/** Resets a kept page and its browser after a test. If that is not possible, the page is closed. */
async function leave(page: Page): Promise<void> {
  inUse.delete(page);
  if (page.isClosed() || spoilt.delete(page)) return forget(page);
  const context = page.context();
  await Promise.all(context.pages().map(other => other !== page && other.close()));
  await Promise.all([page.unrouteAll(), context.unrouteAll()]);
  for (const event of ['request', 'response', 'dialog'] as const) page.removeAllListeners(event);
  try {
    await page.goto(NOWHERE);
    await page.mouse.move(0, 0);
  } catch {
    // It was about to navigate by itself, as after signing in.
    await forget(page);
  }
}

async function forget(page: Page): Promise<void> {
  for (const [isPhone, one] of kept) if (one === page) kept.delete(isPhone);
  await page.context().close();
}

const storageOf = ({ token, organization, stored }: Visit): Record<string, string> => ({
  ...stored,
  ...(token && { token }),
  ...(organization && { activeOrganizationId: String(organization) }),
});

/**
 * Runs before the first script of the first page only, as later changes by the app must stay. The `storageState` of a context
 * would open a page for that, which costs a third of a page.
 */
const store = (context: BrowserContext, entries: Record<string, string>) =>
  context.addInitScript(values => {
    if (!location.protocol.startsWith('http') || document.cookie.includes('stored')) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the app has no cookies, and a script at this point cannot wait.
    document.cookie = 'stored=yes';
    Object.assign(localStorage, values);
  }, entries);
