import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';

export const button = (name: string) => page.getByRole('button', { name });
export const heading = (name: string) => page.getByRole('heading', { name });
export const dialog = () => page.getByRole('dialog');
export const menuItem = (name: string) => page.getByRole('menuitem', { name });

/** Waits until this is shown. */
export const says = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible();
export const press = (name: string) => button(name).click();
export const keys = (text: string) => userEvent.keyboard(text);
export const focus = (element: { element: () => HTMLElement | SVGElement }) => element.element().focus();

/** Chooses an action in the menu of a row. */
export async function rowAction(row: string, action: string) {
  await press(`Actions for ${row}`);
  await menuItem(action).click();
}

/** The entry of a menu that Enter takes. */
export const highlighted = () =>
  expect.poll(() => document.querySelector('[role=menuitem][data-highlighted]')?.textContent);
