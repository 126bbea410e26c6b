import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';

export const button = (name: string | RegExp) => page.getByRole('button', { name });
export const heading = (name: string) => page.getByRole('heading', { name });
export const dialog = () => page.getByRole('dialog');
export const menuItem = (name: string) => page.getByRole('menuitem', { name });
export const link = (name: string | RegExp) => page.getByRole('link', { name });
export const checkbox = (name: string | RegExp) => page.getByRole('checkbox', { name });
export const tab = (name: string) => page.getByRole('tab', { name });

export const textsOf = (selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

export const shows = (locator: Locator) => expect.element(locator).toBeVisible();
export const leadsTo = (name: string | RegExp, href: string) =>
  expect.element(link(name)).toHaveAttribute('href', href);
export const says = (text: string | RegExp) => shows(page.getByText(text));
export const press = (name: string | RegExp) => button(name).click();
export const keys = (text: string) => userEvent.keyboard(text);

export async function choose(menu: string, action: string) {
  await press(menu);
  await menuItem(action).click();
}
export const rowAction = (row: string, action: string) => choose(`Actions for ${row}`, action);

/** The menu item that Enter would choose. */
export const highlighted = () =>
  expect.poll(() => document.querySelector('[role=menuitem][data-highlighted]')?.textContent);

export const warns = (text: string) =>
  expect.element(page.getByRole('alert').getByText(text).first()).toBeVisible();

export const field = (label: string) => page.getByLabelText(label);
export const isGone = (locator: Locator) => expect.element(locator).not.toBeInTheDocument();

export const pressInDialog = (name: string) => dialog().getByRole('button', { name }).click();

export async function answer(name: string) {
  await pressInDialog(name);
  await isGone(dialog());
}

export async function focus(target: Locator) {
  await expect.element(target).toBeVisible();
  target.element().focus();
}
