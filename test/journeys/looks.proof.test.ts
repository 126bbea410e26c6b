import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { expectGoodLook, goTo, type Look, newScene, type Scene } from '../support/browser/look.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { lastingPage, allow } = sharedBrowser(stack.url);
const lasting = lastingPage();

const looks: Look[] = [];
for (const file of globSync('test/journeys/*.looks.ts').sort())
  looks.push(...(await import(resolve(file))).looks);
const whoOf = ({ who = 'owner' }: Look) => who;

// Those of one person after the other: the app is loaded once for each.
looks.sort((a, b) => (whoOf(a) ?? '').localeCompare(whoOf(b) ?? ''));

let scene: Scene;
beforeAll(async () => {
  scene = await newScene(stack);
});

/** The look before, whose page still runs. */
let before: Look | undefined;

async function open(look: Look): Promise<Page> {
  const page = lasting.page();
  const who = whoOf(look);
  // Who is not signed in may go to a page that is not of the app.
  const isRunning = who && before && whoOf(before) === who && !before.isAround;
  before = look;
  const path = typeof look.path === 'string' ? look.path : look.path(scene);
  const { organization, tokens } = scene;
  if (!isRunning || look.isAround)
    return lasting.visit(path, who ? { token: tokens[who], organization } : undefined);
  await goTo(page, path);
  return page;
}

it.each(looks)('$name: nothing for axe to find, nothing too wide, light and dark', async look => {
  allow(/502/);
  await lasting.page().unrouteAll();
  await lasting.page().setViewportSize({ width: 1440, height: 900 });
  await lasting.page().emulateMedia({ colorScheme: 'light' });
  const page = await open(look);
  await look.until(page);
  await expectGoodLook(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 900 });
  await expectGoodLook(page);
});
