import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press } from '../support/browser/page.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visitor, allow } = sharedBrowser(stack.url);

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The page with an email that tries everything, and every request that leaves for another host. */
async function hostile(width = 1440) {
  // What the browser refuses is in the console, also what Playwright does in the frame.
  allow(/Content Security Policy/, /^(Blocked|Refused).*sandboxed/);
  const { context, open } = await visitor({ width });
  const left: string[] = [];
  await context.route(/^(?!http:\/\/127\.0\.0\.1)/, route => {
    left.push(route.request().url());
    return route.fulfill({ contentType: 'image/png', body: PICTURE });
  });
  const page = await open('/_local/pieces');
  const refused: string[] = [];
  page.on('requestfailed', (request: Request) => refused.push(request.url()));
  await press(page, 'Show a hostile email');
  const frame = page.frameLocator('iframe[title="A hostile email"]');
  await frame.getByText('A harmless sentence.').waitFor();
  return { page, context, frame, left, refused };
}

const hacked = (page: Page) => page.evaluate(() => 'hacked' in window);
const pathOf = (page: Page) => new URL(page.url()).pathname;

it('a hostile email runs nothing, loads nothing and leads nowhere', async () => {
  const { page, context, frame, left, refused } = await hostile();
  // It tries: the last thing that the browser refuses has been refused.
  await expect.poll(() => refused.some(url => url.endsWith('picture.png'))).toBe(true);
  await expect.poll(() => refused.some(url => url.endsWith('font.woff2'))).toBe(true);
  for (const gone of [
    'script',
    'svg',
    'math',
    'form',
    'input',
    'button',
    'iframe',
    'object',
    'embed',
    'video',
    'link',
  ])
    expect(await frame.locator(gone).count(), gone).toBe(0);
  expect(await frame.locator('meta[http-equiv=refresh]').count()).toBe(0);
  expect(await frame.locator('base[href]').count()).toBe(0);
  const handlers = await frame
    .locator('*')
    .evaluateAll(all =>
      all.flatMap(element => element.getAttributeNames().filter(name => /^on|^ping$/.test(name))),
    );
  expect(handlers).toEqual([]);
  await frame.getByText('A harmless sentence.').click();
  await frame.getByText('runs a script').click();
  expect(await frame.locator('#script').getAttribute('href')).toBeNull();
  expect(left).toEqual([]);
  expect(await hacked(page)).toBe(false);
  expect(context.pages()).toHaveLength(1);
  expect(pathOf(page)).toBe('/_local/pieces');
});

it('its links open in a new tab, which knows nothing of the app', async () => {
  const { page, context, frame, left } = await hostile();
  const opened = context.waitForEvent('page');
  await frame.getByText('replaces the app').click();
  const tab = await opened;
  await tab.waitForLoadState();
  expect(tab.url()).toBe('https://evil.example.com/top');
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
  expect(left).toEqual(['https://evil.example.com/top']);
  expect(pathOf(page)).toBe('/_local/pieces');
});

it('even without its own cleaning, the sandbox and the policy hold', async () => {
  const { page, left } = await hostile();
  const srcdoc = await page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>('iframe[title="A hostile email"]');
    const head = frame?.srcdoc.match(/^.*?base-uri 'none'">/s)?.[0] ?? '';
    const body = `<script>parent.hacked=1</script><img src="http://evil.example.com/a.png" onerror="parent.hacked=1">
      <form action="https://evil.example.com/form"><button>Send</button></form>
      <meta http-equiv="refresh" content="0;url=https://evil.example.com/refresh">
      <iframe src="https://evil.example.com/frame"></iframe><p>uncleaned</p>`;
    if (frame) frame.srcdoc = head + body;
    return head;
  });
  expect(srcdoc).toMatch(/^<!doctype html><html[^>]*><head><meta http-equiv="Content-Security-Policy"/);
  const frame = page.frameLocator('iframe[title="A hostile email"]');
  await frame.getByText('uncleaned').waitFor();
  await frame.getByRole('button', { name: 'Send' }).click();
  expect(left).toEqual([]);
  expect(await hacked(page)).toBe(false);
  expect(pathOf(page)).toBe('/_local/pieces');
});

it('images are loaded when the reader wants them, only those by https', async () => {
  const { page, left } = await hostile();
  expect(left).toEqual([]);
  await press(page, 'Load images');
  await expect.poll(() => left).toContain('https://images.example.com/picture.png');
  await page.frameLocator('iframe[title="A hostile email"]').getByText('A harmless sentence.').waitFor();
  const kinds = new Set(left.map(url => new URL(url).pathname));
  for (const never of ['/import.css', '/font.woff2', '/script.js', '/frame', '/video', '/link.css']) {
    expect(kinds.has(never), never).toBe(false);
  }
  expect(left.filter(url => url.startsWith('http:'))).toEqual([]);
  expect(await hacked(page)).toBe(false);
});
