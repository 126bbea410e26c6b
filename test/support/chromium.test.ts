import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchOptions, UNPACKED } from './chromium.ts';

describe.skipIf(process.env.CHROMIUM_PATH)('the browser of the tests brings what it needs', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions);
  });
  afterAll(() => browser?.close());

  it('its libraries are its own, also where the machine has them', async () => {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const { id } = processInfo.find(({ type }) => type === 'browser') ?? {};
    const mapped = readFileSync(`/proc/${id}/maps`, 'utf8').match(/\/\S+\/lib(nspr4|nss3)\.so$/gm);
    expect([...new Set(mapped)].toSorted()).toEqual([
      `${UNPACKED}/al2023/lib/libnspr4.so`,
      `${UNPACKED}/al2023/lib/libnss3.so`,
    ]);
  });

  it('its fonts are its own, so that a text is as wide on every machine', async () => {
    const page = await browser.newPage();
    await page.setContent('<p style="font-family: monospace">Hello</p>');
    const session = await page.context().newCDPSession(page);
    await Promise.all([session.send('DOM.enable'), session.send('CSS.enable')]);
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts).toMatchObject([{ familyName: 'Open Sans', glyphCount: 5 }]);
  });
});
