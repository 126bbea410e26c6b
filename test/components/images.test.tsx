import { expect, it } from 'vitest';
import { dialog, field, isGone, pressInDialog, says, warns } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const url = `/files/1/${'0a'.repeat(32)}.jpg`;

async function imageOf(width: number, height: number, type: string) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d')?.fillRect(0, 0, width / 2, height);
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, type));
  return new File([blob ?? ''], 'image', { type });
}

/** As a browser does it: the caret is where the field has it. */
function hand(kind: 'paste' | 'drop', file: File) {
  const clipboardData = new DataTransfer();
  clipboardData.items.add(file);
  const given = { bubbles: true, cancelable: true };
  const event =
    kind === 'paste'
      ? new ClipboardEvent(kind, { ...given, clipboardData })
      : new DragEvent(kind, { ...given, dataTransfer: clipboardData });
  field('Pre-CTA Content').element().dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
}

const openForm = () =>
  open('/email-templates/new', {
    'GET /api/automations-for-templates': [],
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    'POST /api/images': () =>
      Response.json({ url, width: 1_200, height: 600, bytes: 250_000 }, { status: 201 }),
  });

it('an image that is pasted into a text is described, made smaller, uploaded, and stands at the caret', async () => {
  const { api } = openForm();
  await field('Pre-CTA Content').fill('Above.\n\nBelow.');
  (field('Pre-CTA Content').element() as HTMLTextAreaElement).setSelectionRange(6, 6);
  hand('paste', await imageOf(2_400, 1_200, 'image/jpeg'));
  await expect.element(dialog().getByLabelText('Width in pixels')).toHaveValue(520);
  await pressInDialog('Add image');
  await warns('Say what the image shows');
  expect(api.changes()).toEqual([]);
  await dialog().getByLabelText('Description').fill('Our [new] shop');
  await dialog().getByLabelText('Link').fill('https://shop.example.com/a b');
  await pressInDialog('Add image');
  await isGone(dialog());
  await expect
    .element(field('Pre-CTA Content'))
    .toHaveValue(`Above.\n\n[![Our new shop](${url} "520")](https://shop.example.com/a%20b)\n\nBelow.`);

  const [{ body } = { body: {} }] = api.changes();
  const sent = Object.assign(new Image(), { src: (body as { image: string }).image });
  await sent.decode();
  expect([sent.src.slice(0, 15), sent.naturalWidth, sent.naturalHeight]).toEqual([
    'data:image/jpeg',
    1_200,
    600,
  ]);
  await says(/^Images: 244\.1 KB\. More than 200 KB load slowly/);
});

it('a file that mail programs do not show is refused before it is uploaded, and the text stays', async () => {
  const { api } = openForm();
  await field('Pre-CTA Content').fill('Text');
  hand('drop', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.svg', { type: 'image/svg+xml' }));
  await warns('Choose a JPEG, PNG, GIF or WebP image. Mail programs show no others.');
  await pressInDialog('Close');
  await expect.element(field('Pre-CTA Content')).toHaveValue('Text');
  expect(api.changes()).toEqual([]);
});

it('what a text in Markdown cannot show is said below it while it is typed', async () => {
  openForm();
  await field('Pre-CTA Content').fill('| Tea | 7 |');
  await expect.element(field('Pre-CTA Content')).toHaveAccessibleDescription(/is not a table/);
  await field('Pre-CTA Content').fill('| Tea | 7 |\n|---|---|\n| Cups | 30 |');
  await expect.element(field('Pre-CTA Content')).toHaveAccessibleDescription(/^---/);
});
