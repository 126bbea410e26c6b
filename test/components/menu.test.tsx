import { beforeEach, expect, it, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import { MenuButton } from '#web/components/menu.tsx';
import { button, focus, highlighted, keys, menuItem, press } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const deactivate = vi.fn();
const actions = () => button('Actions');
const menu = () => page.getByRole('menu');

beforeEach(() => deactivate.mockReset());

const open = () =>
  render(
    <MenuButton
      items={[
        { id: 'deactivate', label: 'Deactivate', group: 'one', run: deactivate },
        { id: 'edit', label: 'Edit', group: 'one', to: '/edit' },
        { id: 'move', label: 'Move', group: 'two', disabled: true, run: () => undefined },
      ]}
    >
      Actions
    </MenuButton>,
  );

/** As on a slow machine: what is left to the next frame comes later than the next key. */
function delayFrames() {
  const nextFrame = requestAnimationFrame;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) =>
    setTimeout(() => nextFrame(callback), 200),
  );
}

it.each(['{Enter}', '{ }', '{ArrowDown}'])(
  'a menu that is opened by keyboard begins with its first entry: %s',
  async key => {
    open();
    delayFrames();
    await focus(actions());
    await keys(key);
    await highlighted().toBe('Deactivate');
    await keys('{ArrowDown}');
    await highlighted().toBe('Edit');
    await keys('{Escape}');
    await expect.element(menu()).not.toBeInTheDocument();
  },
);

it('a menu that is opened by the pointer begins with no entry', async () => {
  open();
  await press('Actions');
  await expect.element(menu()).toHaveFocus();
  await highlighted().toBeUndefined();
});

proof('Enter that is held down opens a menu and chooses nothing', async () => {
  open();
  await focus(actions());
  await keys('{Enter>}');
  await highlighted().toBe('Deactivate');
  for (let times = 0; times < 3; times++) await commands.repeatKey('Enter');
  await keys('{/Enter}');
  await highlighted().toBe('Deactivate');
  expect(deactivate).not.toHaveBeenCalled();
  await keys('{Enter}');
  await expect.poll(() => deactivate.mock.calls.length).toBe(1);
});

it('an entry that cannot be chosen says so', async () => {
  open();
  await press('Actions');
  await expect.element(menuItem('Move')).toHaveAttribute('aria-disabled', 'true');
});

it('an entry that leads to a page is a link, which a browser opens in a new tab with Control', async () => {
  const router = open();
  await press('Actions');
  await expect.element(menuItem('Edit')).toHaveAttribute('href', '/edit');
  const left = Promise.withResolvers<boolean>();
  addEventListener(
    'click',
    event => {
      left.resolve(!event.defaultPrevented);
      event.preventDefault();
    },
    { once: true },
  );
  await menuItem('Edit').click({ modifiers: ['Control'] });
  expect(await left.promise).toBe(true);
  expect(router.state.location.pathname).toBe('/');
});

proof('an entry that leads to a page is followed by a click, and by its first letter and Enter', async () => {
  const router = open();
  await press('Actions');
  await menuItem('Edit').click();
  await expect.poll(() => router.state.location.pathname).toBe('/edit');
  await router.navigate('/');
  await focus(actions());
  await keys('{Enter}');
  await highlighted().toBe('Deactivate');
  await keys('e');
  await highlighted().toBe('Edit');
  await keys('{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/edit');
});
