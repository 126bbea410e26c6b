// Its types add page and context to those of a command.
import type {} from '@vitest/browser-playwright';
import type { BrowserContext } from 'playwright-core';
import type { BrowserCommand } from 'vitest/node';

type Watched = { left: string[]; refused: string[] };

declare module 'vitest/internal/browser' {
  interface BrowserCommands {
    /** To the corner of the page, where nothing follows the pointer. */
    movePointerAway: () => Promise<void>;
    /** A key that is held down is pressed once more. */
    repeatKey: (key: string) => Promise<void>;
    /** From here on, requests to other hosts are answered with a picture, and remembered. */
    watchRequests: () => Promise<void>;
    /** The requests that went to other hosts, those that the browser refused, and the tabs that were opened. */
    requests: () => Promise<Watched & { tabs: string[] }>;
    /** What a tab knows of the page that opened it, before it is closed. */
    closeTab: (url: string) => Promise<unknown>;
    /** Evaluates an expression about `root`, the document of a frame that runs no script itself. */
    inFrame: (title: string, expression: string) => Promise<unknown>;
  }
}

const ELSEWHERE = /^https?:\/\/(?!localhost:)/;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const watched = new WeakMap<BrowserContext, Watched>();

const movePointerAway: BrowserCommand<[]> = ({ page }) => page.mouse.move(0, 0);

const repeatKey: BrowserCommand<[string]> = ({ page }, key) => page.keyboard.down(key);

const watchRequests: BrowserCommand<[]> = async ({ context }) => {
  const seen: Watched = { left: [], refused: [] };
  if (!watched.has(context)) {
    await context.route(ELSEWHERE, route => {
      watched.get(context)?.left.push(route.request().url());
      return route.fulfill({ contentType: 'image/png', body: PICTURE });
    });
    context.on('requestfailed', request => watched.get(context)?.refused.push(request.url()));
  }
  watched.set(context, seen);
};

const requests: BrowserCommand<[]> = async ({ context }) => {
  const { left = [], refused = [] } = watched.get(context) ?? {};
  const tabs = context.pages().map(tab => tab.url());
  return { left, refused, tabs: tabs.filter(url => ELSEWHERE.test(url)) };
};

const closeTab: BrowserCommand<[string]> = async ({ context }, url) => {
  const tab = context.pages().find(one => one.url() === url);
  const known = await tab?.evaluate('[window.opener, document.referrer]');
  await tab?.close();
  return known;
};

const inFrame: BrowserCommand<[string, string]> = ({ iframe }, title, expression) =>
  iframe
    .frameLocator(`iframe[title="${title}"]`)
    .locator('html')
    .evaluate(new Function('root', `return ${expression}`) as () => unknown);

export const commands = { movePointerAway, repeatKey, watchRequests, requests, closeTab, inFrame };
