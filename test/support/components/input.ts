import { expect, vi } from 'vitest';
import { commands, type Locator, locators, page } from 'vitest/browser';

/*
 * Playwright asks the page some forty questions by its protocol before it clicks. Here the page answers them, which takes a
 * quarter of the time: as there, an element has to be the only one, visible, enabled, at rest and in front.
 */

const { requestAnimationFrame } = window;
const WAIT = { timeout: 60_000, interval: 20 };
const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const;
const WITHOUT_TEXT = ['color', 'date', 'time', 'datetime-local', 'month', 'range', 'week'];

function expectReady(element: Element): void {
  const { width, height } = element.getBoundingClientRect();
  if (!(width && height && element.checkVisibility({ visibilityProperty: true })))
    throw new Error('The element is not visible');
  if (element.matches(':disabled, [aria-disabled=true], [aria-disabled=true] *'))
    throw new Error('The element is disabled');
}

/** What is in front of the element at a point of the page. */
function inFrontOf(element: Element, x: number, y: number): Element | undefined {
  const top = document.elementFromPoint(x, y) ?? document.documentElement;
  return element.contains(top) ? undefined : top;
}

/** The middle of what is seen of the element. */
async function middleOf(element: Element): Promise<[number, number]> {
  (element as Element & { scrollIntoViewIfNeeded: () => void }).scrollIntoViewIfNeeded();
  await new Promise(requestAnimationFrame);
  const before = element.getBoundingClientRect();
  await new Promise(requestAnimationFrame);
  const { left, top } = element.getBoundingClientRect();
  if (left !== before.left || top !== before.top) throw new Error('The element moves');
  const [box = before] = element.getClientRects();
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
  const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  const other = inFrontOf(element, x, y);
  if (other) {
    // Away from what stays at the edge of the window, such as a toast.
    element.scrollIntoView({ block: 'center' });
    throw new Error(`Another element is in front: ${other.outerHTML.slice(0, 200)}`);
  }
  return [x, y];
}

/** Waits for what can be done with the element. While there is none, `element()` would describe the whole page each time. */
const waitFor = <Of extends Element, Result>(
  locator: Locator,
  act: (element: Of) => Promise<Result> | Result,
): Promise<Result> =>
  vi
    .waitFor(() => {
      const element = locator.query();
      if (!element) throw new Error('There is no such element');
      return act(element as Element as Of);
    }, WAIT)
    .catch(error => {
      locator.element();
      throw error;
    });

const found = <Of extends HTMLElement>(locator: Locator) =>
  waitFor(locator, (element: Of) => {
    expectReady(element);
    if (element.matches('[readonly]')) throw new Error('The field is read-only');
    return element;
  });

async function clickOnce(locator: Locator): Promise<boolean> {
  let target: Element = document.body;
  const [x, y] = await waitFor(locator, (element: HTMLElement) => {
    const isField = element.matches('input, textarea, select');
    target = (!isField && element.closest('button, [role=button], a, [role=link]')) || element;
    expectReady(target);
    return middleOf(target);
  });
  // It may have moved since, or another one is in front of it now.
  let hasMissed: boolean | undefined;
  const watch = (event: MouseEvent) => {
    hasMissed ??= inFrontOf(target, event.clientX, event.clientY) !== undefined;
    if (!hasMissed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const until = new AbortController();
  for (const type of EVENTS) window.addEventListener(type, watch, { capture: true, signal: until.signal });
  const { left = 0, top = 0 } = window.frameElement?.getBoundingClientRect() ?? {};
  await commands.clickAt(left + x, top + y).finally(() => until.abort());
  return !hasMissed;
}

function change(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

const actions = {
  async click(locator: Locator) {
    while (!(await clickOnce(locator)));
  },

  async fill(locator: Locator, text: string) {
    const element = await found<HTMLInputElement>(locator);
    element.select();
    element.focus();
    if (WITHOUT_TEXT.includes(element.type)) {
      // React takes what is set on its element for its own: it replaces the setter there.
      Reflect.set(HTMLInputElement.prototype, 'value', text, element);
      change(element);
    } else if (text) document.execCommand('insertText', false, text);
    else document.execCommand('delete');
  },

  async selectOptions(locator: Locator, name: string) {
    const element = await found<HTMLSelectElement>(locator);
    const option = () => [...element.options].find(({ value, label }) => value === name || label === name);
    await expect.poll(() => option()?.disabled, { message: `the option ${name}` }).toBe(false);
    (option() as HTMLOptionElement).selected = true;
    change(element);
  },
};

const prototype = Object.getPrototypeOf(page.elementLocator(document.body));
for (const [name, act] of Object.entries<(...all: never[]) => Promise<void>>(actions)) {
  const slow = prototype[name];
  // Playwright has what needs options, is in a frame, or waits while a test has a clock of its own.
  locators.extend({
    [name](this: Locator, ...all: never[]) {
      const isOrdinary = !`${this}`.includes('enter-frame') && !vi.isFakeTimers();
      const isText = all.every(one => typeof one === 'string');
      return isOrdinary && isText ? act(this as never, ...all) : slow.apply(this, all);
    },
  } as never);
}
