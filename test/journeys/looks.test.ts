import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { matchRoutes, type RouteObject } from 'react-router';
import { beforeAll, expect, it } from 'vitest';
import { routes } from '../../web/src/app/routes.tsx';
import { accessibilityFaults } from '../support/browser/axe.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { type Look, newScene, type Scene } from '../support/browser/look.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { lastingPage, allow } = sharedBrowser(stack.url);
const lasting = lastingPage();

const looks: Look[] = [];
for (const file of globSync('test/journeys/*.looks.ts').sort())
  looks.push(...(await import(resolve(file))).looks);

let scene: Scene;
beforeAll(async () => {
  scene = await newScene(stack);
});

const pathOf = ({ path }: Look) => (typeof path === 'string' ? path : path(scene));

// Both themes and both widths; a look takes a second, so not each with each.
const SIGHTS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

it.each(looks)('$name: nothing for axe to find, nothing too wide, light and dark', async look => {
  allow(/502/);
  const page = lasting.page();
  await page.unrouteAll();
  await page.setViewportSize({ width: SIGHTS[0].width, height: 900 });
  await page.emulateMedia({ colorScheme: SIGHTS[0].colorScheme });
  const { organization, tokens } = scene;
  await lasting.visit(pathOf(look), look.who && { token: tokens[look.who], organization });
  await look.until(page);
  for (const { colorScheme, width } of SIGHTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await accessibilityFaults(page), `${colorScheme}, ${width}`).toEqual([]);
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(tooWide, `${colorScheme}, ${width}`).toBeLessThanOrEqual(0);
  }
});

it('every page of the app is looked at', () => {
  const seen = new Set(looks.flatMap(look => matchRoutes(routes, pathOf(look))?.at(-1)?.route.path ?? []));
  const pages = (all: RouteObject[]): string[] =>
    all.flatMap(({ path, children = [] }) => [...(path ? [path] : []), ...pages(children)]);
  expect(pages(routes).filter(path => !seen.has(path))).toEqual([]);
});
