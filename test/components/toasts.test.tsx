import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { press, says } from '../support/components/page.ts';
import { letToastsExpire, render } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const shown = () =>
  expect.poll(() => document.querySelectorAll('[data-scope=toast][data-part=root][data-state=open]').length);

beforeEach(() => void render(null));

it('toasts are at most three, the newest ones', async () => {
  for (const tone of ['success', 'error', 'warning', 'info'] as const) toast(`This is ${tone}.`, tone);
  await says('This is info.');
  await shown().toBe(3);
  await expect.element(page.getByText('This is success.')).not.toBeInTheDocument();
});

it('toasts that are equal join, with one Undo for all of them', async () => {
  toast('Copied.');
  toast('Copied.');
  await says('Copied.');
  const undo = vi.fn();
  const done = () => toastUndoable({ message: 'Done.', undo, joined: count => `${count} done.` });
  done();
  await says('Done.');
  done();
  await says('2 done.');
  await shown().toBe(2);
  await press('Undo all');
  expect(undo).toHaveBeenCalledTimes(2);
  await expect.element(page.getByText('2 done.')).not.toBeInTheDocument();
});

describe('a toast', () => {
  beforeEach(async () => {
    // The pointer may be where the last test pressed, which is where a toast appears.
    await userEvent.hover(document.documentElement);
    vi.useFakeTimers();
    letToastsExpire();
    return () => void vi.useRealTimers();
  });

  it('goes after 3000 ms', async () => {
    toast('Copied.');
    await vi.advanceTimersByTimeAsync(2990);
    await says('Copied.');
    // Beside the 3000 ms the time in which it fades.
    await vi.advanceTimersByTimeAsync(300);
    await expect.element(page.getByText('Copied.')).not.toBeInTheDocument();
  });

  proof('that is shown again stays for its whole time', async () => {
    toast('Copied.');
    await vi.advanceTimersByTimeAsync(2000);
    toast('Copied.');
    await vi.advanceTimersByTimeAsync(2900);
    await says('Copied.');
    await vi.advanceTimersByTimeAsync(400);
    await expect.element(page.getByText('Copied.')).not.toBeInTheDocument();
  });

  it('stays while it is pointed at', async () => {
    toast('Copied.');
    await vi.advanceTimersByTimeAsync(500);
    await page.getByText('Copied.').hover();
    await vi.advanceTimersByTimeAsync(10_000);
    await says('Copied.');
  });
});
