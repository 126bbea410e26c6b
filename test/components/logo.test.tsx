import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import LogoUpload from '#web/components/logo-upload.tsx';
import { api } from '#web/lib/api.ts';
import { Problem } from '#web/lib/problem.ts';
import { held } from '../support/components/api.ts';
import { button, field, focus, isGone, keys, press, says, warns } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), character => character.charCodeAt(0));
const PIXEL = bytesOf(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);
/** Of 4,097 pixels in a row. */
const WIDE = bytesOf(
  'iVBORw0KGgoAAAANSUhEUgAAEAEAAAABAQAAAACZmD3vAAAADklEQVR4nGNgGAUjGwAAAgIAAWWVueUAAAAASUVORK5CYII=',
);
const RULES = { types: ['image/png', 'image/jpeg'], wrongType: 'Please upload an image file.' };

const file = (type: string, content: BlobPart) => new File([content], 'logo', { type });
const choose = (chosen = file('image/png', PIXEL)) => field('Choose a logo').upload(chosen);
type Save = (logo: string | null, onUploadProgress: (share: number) => void) => Promise<unknown>;
const show = (save: Save, logo: string | null = null) =>
  render(<LogoUpload of={{ name: 'Depot', logo }} rules={RULES} hint="Smaller than 500 KB." save={save} />);

it('a logo is refused where it is no image, too large, too wide or broken', async () => {
  show(async () => undefined);
  for (const [type, content, message] of [
    ['image/svg+xml', '<svg/>', 'Please upload an image file.'],
    ['image/png', new Uint8Array(500 * 1024), 'File must be smaller than 500 KB'],
    ['text/plain', 'hello', 'Please upload an image file.'],
    ['image/png', 'hello', 'Failed to process image'],
    ['image/png', WIDE, 'The image must be at most 4,096 pixels wide and high.'],
  ] as const) {
    await choose(file(type, content));
    await warns(message);
    await isGone(button('Save logo'));
  }
});

it('a logo stays as it was when the server does not answer', async () => {
  const logo = `data:image/png;base64,${btoa(String.fromCharCode(...PIXEL))}`;
  const save = vi.fn(() => Promise.reject(new Problem('Letterflow is not answering.', 502)));
  show(save, logo);
  await press('Remove logo');
  await warns('Failed to remove logo');
  await choose();
  await press('Save logo');
  await warns('Failed to update logo');
  await press('Discard');
  expect(save.mock.calls).toHaveLength(2);
  await expect.element(button('Remove logo')).toBeVisible();
  expect(document.querySelector('main img')?.getAttribute('src')).toBe(logo);
});

it('the focus stays with a logo that is discarded, and with one that is saved', async () => {
  const { answer: saved, release } = held<void>();
  show(saved);
  await choose();
  await press('Discard');
  await expect.element(button('Upload logo')).toHaveFocus();
  await choose();
  await press('Save logo');
  await focus(button('Discard'));
  await keys('{Enter}');
  release();
  await says('Logo saved.');
  await expect.element(page.getByRole('main')).toContainElement(document.activeElement as HTMLElement);
});

it('a logo says how much of it has been sent', async () => {
  const { answer: saved, release } = held<void>();
  show((_, onUploadProgress) => {
    onUploadProgress(0.426);
    return saved();
  });
  await choose();
  await press('Save logo');
  await expect.element(button('Saving... 42%')).toBeVisible();
  release();
  await says('Logo saved.');
});

it('an upload tells how much of it has been sent, and what the server answered', async () => {
  const shares: number[] = [];
  const sent = api('PUT /api/organizations/{organization}/logo', {
    params: { organization: '7' },
    body: { logo: 'x'.repeat(300_000) },
    onUploadProgress: share => shares.push(share),
  });
  // The server of the tests has no such page.
  await expect(sent).rejects.toMatchObject({ status: 404 });
  expect(shares.at(-1)).toBe(1);
});

it('an upload can be stopped', async () => {
  const caller = new AbortController();
  const sent = api('PUT /api/organizations/{organization}/logo', {
    params: { organization: '7' },
    body: { logo: 'x'.repeat(300_000) },
    onUploadProgress: () => caller.abort(),
    signal: caller.signal,
  });
  await expect(sent).rejects.toMatchObject({ status: undefined });
});

it('a logo that is chosen while another one is being saved is still to be saved', async () => {
  const { answer, release } = held<void>();
  const save = vi.fn<Save>(answer);
  show(save);
  await choose();
  await press('Save logo');
  await choose(file('image/jpeg', PIXEL));
  await expect.poll(() => document.querySelector('img')?.src).toMatch(/^data:image\/jpeg/);
  release();
  await says('Logo saved.');
  await press('Save logo');
  await expect
    .poll(() => save.mock.calls.map(([logo]) => logo?.slice(0, 15)))
    .toEqual(['data:image/png;', 'data:image/jpeg']);
});
