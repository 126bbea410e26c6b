import { ChakraProvider } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, type InitialEntry, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { mutate, SWRConfig } from 'swr';
import { expect, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { routes } from '#web/app/routes.tsx';
import { PendingConfirmation, UnsavedChanges } from '#web/components/confirm-dialog.tsx';
import Toaster, { toaster } from '#web/components/toaster.tsx';
import { resetAll } from '#web/lib/store.ts';
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
            <PendingConfirmation />
          </main>
        ),
      },
    ],
    path,
  );

export function open(path: string, answers: Answers = {}) {
  localStorage.setItem('token', 'any');
  const api = fakeApi({ ...signedIn, ...answers });
  return { api, router: show(path) };
}

/** Opens the app at a path, for tests that have set up the API already. */
export const show = (path: string) => mount(routes, path);

type Router = ReturnType<typeof show>;

export async function reload({ state: { location } }: Router) {
  root?.unmount();
  resetAll();
  await mutate(() => true, undefined);
  return mount(routes, location);
}

/** Allows errors that a test provokes. */
export const allow = (...patterns: RegExp[]) => void allowed.push(...patterns);

/** Whether a page that is focused again requests its data anew depends on how long it was shown. */
const SWR = { shouldRetryOnError: false, revalidateOnFocus: false };

export function mount(children: RouteObject[], path: InitialEntry) {
  const router = createMemoryRouter(children, { initialEntries: [path] });
  // A test may render a second time: a root that is left behind would take the questions of later tests.
  root?.unmount();
  root = createRoot(document.body.appendChild(document.createElement('div')));
  const app = (
    <ChakraProvider value={system}>
      <SWRConfig value={SWR}>
        <RouterProvider router={router} />
      </SWRConfig>
    </ChakraProvider>
  );
  flushSync(() => root?.render(app));
  return router;
}

// Before its font is loaded, a text has another width.
await document.fonts.load('13px "Inter Variable"');

/** A page as a browser opens it: attributes that the app has set there since are removed. */
const roots = [document.documentElement, document.body].map(root => ({
  root,
  initial: new Map(root.getAttributeNames().map(name => [name, root.getAttribute(name) ?? ''])),
}));

/** Called before each test: the page, its input devices, storage and clipboard are as in a browser that was just started. */
export async function prepare() {
  resetAll();
  localStorage.clear();
  sessionStorage.clear();
  for (const { root, initial } of roots) {
    for (const name of root.getAttributeNames()) if (!initial.has(name)) root.removeAttribute(name);
    for (const [name, value] of initial) root.setAttribute(name, value);
  }
  fakeClipboard();
  holdTime();
  vi.spyOn(console, 'error').mockImplementation((...all) => void errors.push(all.join(' ')));
  // Failed loads are logged as warnings.
  vi.spyOn(console, 'warn').mockReturnValue();
  await userEvent.cleanup();
  await commands.resetPage();
  if (innerWidth !== 1440 || innerHeight !== 900) await page.viewport(1440, 900);
  window.focus();
}

/** The real clipboard belongs to the browser, which the workers share. */
function fakeClipboard() {
  let copied = '';
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async text => {
    copied = text;
  });
  vi.spyOn(navigator.clipboard, 'readText').mockImplementation(async () => copied);
}

/** Milliseconds. Shorter delays, such as that of a search, only postpone what a test waits for. */
const HELD = 1000;
const NEVER = 2 ** 31 - 1;

/**
 * What the app does after a second or more, it does in no test by itself, however slow the machine: a toast stays, a request
 * does not time out, nothing is requested again. A test about that has a clock of its own (`vi.useFakeTimers`).
 */
function holdTime() {
  const { setTimeout, setInterval } = window;
  const held = (delay = 0) => (delay < HELD ? delay : NEVER);
  vi.stubGlobal('setTimeout', (run: TimerHandler, delay?: number, ...all: unknown[]) =>
    setTimeout(run, held(delay), ...all),
  );
  vi.stubGlobal('setInterval', (run: TimerHandler, delay?: number, ...all: unknown[]) =>
    setInterval(run, held(delay), ...all),
  );
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const { create } = toaster;
  vi.spyOn(toaster, 'create').mockImplementation(toast =>
    create({ ...toast, duration: Number.POSITIVE_INFINITY, meta: { duration: toast.duration } }),
  );
}

/** Called by tests with a clock of their own: toasts disappear after their duration. */
export const letToastsExpire = () => void vi.mocked(toaster.create).mockRestore();

/** Called after each test. Fails if an error was logged that the test does not allow. */
export async function cleanUp() {
  vi.useRealTimers();
  root?.unmount();
  await mutate(() => true, undefined);
  document.body.replaceChildren();
  const unexpected = errors.filter(text => !allowed.some(pattern => pattern.test(text)));
  errors = [];
  allowed = [];
  expect(unexpected).toEqual([]);
}
