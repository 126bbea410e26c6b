import { ChakraProvider } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, type InitialEntry, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { mutate, SWRConfig } from 'swr';
import { expect, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import { routes } from '#web/app/routes.tsx';
import { Questions } from '#web/components/questions.tsx';
import Toaster, { toaster } from '#web/components/toaster.tsx';
import { UnsavedChanges } from '#web/components/unsaved-changes.tsx';
import '#web/styles/app.css';
import { system } from '#web/theme/system.ts';
import { type Answers, fakeApi } from './api.ts';
import { signedIn } from './examples.ts';

let root: Root | undefined;
let errors: string[] = [];
let allowed: RegExp[] = [];

/** Renders components as a page of the app would, with toasts and the question about unsaved input. */
export const render = (children: ReactNode, path = '/') =>
  mount(
    [
      {
        path: '*',
        element: (
          <main>
            {children}
            <Toaster />
            <UnsavedChanges />
            <Questions />
          </main>
        ),
      },
    ],
    path,
  );

/** Opens the app at a path, as a signed-in user. */
export function open(path: string, answers: Answers = {}) {
  localStorage.setItem('token', 'any');
  const api = fakeApi({ ...signedIn, ...answers });
  return { api, router: show(path) };
}

/** Opens the app at a path, for tests that have set up the API already. */
export const show = (path: string) => mount(routes, path);

type Router = ReturnType<typeof show>;

/** Simulates a reload by the browser, which keeps the state of the history entry. */
export async function reload({ state: { location } }: Router) {
  root?.unmount();
  await mutate(() => true, undefined);
  return mount(routes, location);
}

/** Allows errors that a test provokes. */
export const allow = (...patterns: RegExp[]) => void allowed.push(...patterns);

export function mount(children: RouteObject[], path: InitialEntry) {
  const router = createMemoryRouter(children, { initialEntries: [path] });
  root = createRoot(document.body.appendChild(document.createElement('div')));
  const app = (
    <ChakraProvider value={system}>
      <SWRConfig value={{ shouldRetryOnError: false }}>
        <RouterProvider router={router} />
      </SWRConfig>
    </ChakraProvider>
  );
  flushSync(() => root?.render(app));
  return router;
}

// Before its font is loaded, a text has another width.
await document.fonts.load('13px "Inter Variable"');

/** Called before each test: clears storage and page, and moves the pointer away. */
export async function prepare() {
  // Left by the previous test, which may have ended before its last message was shown.
  toaster.remove();
  vi.spyOn(console, 'error').mockImplementation((...all) => void errors.push(all.join(' ')));
  // Failed loads are logged as warnings.
  vi.spyOn(console, 'warn').mockReturnValue();
  localStorage.clear();
  sessionStorage.clear();
  await page.viewport(1440, 900);
  await commands.movePointerAway();
}

/** Called after each test. Fails if an error was logged that the test does not allow. */
export async function cleanUp() {
  root?.unmount();
  await mutate(() => true, undefined);
  document.body.replaceChildren();
  const unexpected = errors.filter(text => !allowed.some(pattern => pattern.test(text)));
  errors = [];
  allowed = [];
  expect(unexpected).toEqual([]);
}
