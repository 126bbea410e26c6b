import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutMetadata } from '#core/content/image.ts';
import * as images from '#test/support/images.ts';
import { extent } from '#test/support/prove.ts';

const SECRET = 'N 48.8584 E 2.2945 ';

const stripped = (type: 'image/jpeg' | 'image/png' | 'image/webp', bytes: Buffer, orientation?: number) =>
  withoutMetadata({ type, bytes, extension: '', width: 40, height: 20, orientation });

it.each([
  ['image/jpeg', images.photo, 'JFIF ICC_PROFILE Adobe'],
  ['image/png', images.drawing, 'IHDR iCCP IDAT IEND'],
  ['image/webp', images.sticker, 'VP8X ICCP VP8L'],
] as const)('what a %s says about itself is removed, its pixels and colors stay', (type, imageOf, kept) => {
  const bytes = imageOf(SECRET);
  expect(bytes.toString('latin1')).toContain(SECRET);
  const after = stripped(type, bytes);
  expect(after?.toString('latin1')).not.toContain(SECRET);
  for (const name of kept.split(' ')) expect(after?.toString('latin1')).toContain(name);
  expect(after && stripped(type, after)).toEqual(after);
});

it('the scans of a photo are whole, and nothing follows them', () => {
  const after = stripped('image/jpeg', images.photo(SECRET)) as Buffer;
  const scans = after.subarray(after.indexOf(Buffer.from('ffda', 'hex'))).toString('hex');
  expect(scans.match(/ffda00080101\w{8}12ff0034ffd056/g)).toHaveLength(2);
  expect(scans.slice(-4)).toBe('ffd9');
});

it('how a photo is turned stays, and nothing else of its EXIF', () => {
  const after = stripped('image/jpeg', images.photo(SECRET, 6), 6) as Buffer;
  expect(after.subarray(0, 38).toString('hex')).toBe(
    'ffd8ffe1002245786966000' + '04d4d002a000000080001011200030000000100060000' + '00000000',
  );
});

it('the header of a WebP says no more that it has EXIF or XMP, and its length is right', () => {
  const after = stripped('image/webp', images.sticker(SECRET)) as Buffer;
  expect(after).toEqual(images.sticker('', 0x30));
});

it.each([
  ['image/jpeg', images.photo],
  ['image/png', images.drawing],
  ['image/webp', images.sticker],
] as const)('a %s that ends too soon is refused wherever that is', (type, imageOf) => {
  const whole = imageOf('');
  for (let length = 12; length < whole.length; length++) {
    expect(stripped(type, whole.subarray(0, length)), `${length} bytes`).toBeUndefined();
  }
});

it('any bytes are read in bounded work, and never beyond their end', () => {
  const types = ['image/jpeg', 'image/png', 'image/webp'] as const;
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.constantFrom(
      ...['ff', 'ffda0002', 'ffe10002', 'ffd9', 'ffffff', '0000000049444154', '00000000'].map(text =>
        Buffer.from(text, 'hex'),
      ),
    ),
  );
  const property = fc.property(
    fc.constantFrom(...types),
    fc.array(piece, { maxLength: 20 }),
    (type, pieces) => {
      const begins = { 'image/jpeg': images.jpeg, 'image/png': images.png, 'image/webp': images.webp }[type](
        1,
        1,
      );
      const bytes = Buffer.concat([begins, ...pieces]);
      const after = stripped(type, bytes);
      expect(after?.length ?? 0).toBeLessThanOrEqual(bytes.length + 2);
    },
  );
  fc.assert(property, { numRuns: extent(300, 20_000) });
  const many = Buffer.concat([
    images.jpeg(1, 1),
    Buffer.alloc(2_000_000, Buffer.from('ffe00002ffda0002', 'hex')),
  ]);
  expect(stripped('image/jpeg', many)).toBeUndefined();
});
