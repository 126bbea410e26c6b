import { expect, it } from 'vitest';
import { handler } from '../../functions/tracking/open.ts';

it('answers a transparent GIF of one pixel, which is not cached', async () => {
  const { statusCode, headers, body = '', isBase64Encoded } = await handler();
  expect(statusCode).toBe(200);
  expect(headers).toEqual({ 'content-type': 'image/gif', 'cache-control': 'no-store' });
  expect(isBase64Encoded).toBe(true);
  const gif = Buffer.from(body, 'base64');
  expect(gif.toString('latin1', 0, 6)).toBe('GIF89a');
  expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([1, 1]);
  // The graphic control extension, with its flag for a transparent colour.
  expect(gif.indexOf(Buffer.from([0x21, 0xf9, 0x04, 0x01]))).toBeGreaterThan(0);
  expect(gif.at(-1)).toBe(0x3b);
});
