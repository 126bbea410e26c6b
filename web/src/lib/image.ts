import {
  EMAIL_IMAGE_LIMIT,
  EMAIL_IMAGE_TOO_LARGE,
  EMAIL_IMAGE_TYPES,
  NOT_AN_EMAIL_IMAGE,
} from '#shared/image-limits.ts';
import { MOST_IMAGE_PIXELS, TOO_MANY_PIXELS } from '#shared/limits.ts';
import { Problem } from './problem.ts';

export const readAsDataUrl = (file: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

export async function decode(file: Blob) {
  const url = await readAsDataUrl(file);
  const image = new Image();
  image.src = url;
  await image.decode();
  return { url, image };
}

/** Twice the width of an email, for screens with small pixels. */
const WIDEST = 1_200;
/** A browser would run out of memory. */
const LARGEST_FILE = 40 * 1024 * 1024;
const QUALITY = 0.85;

export type EmailImage = { url: string; width: number };

/** An image as it is uploaded: at most 1,200 pixels wide. Throws a Problem if it cannot be one. */
export async function prepareForEmail(file: File): Promise<EmailImage> {
  if (!EMAIL_IMAGE_TYPES.some(type => type === file.type)) throw new Problem(NOT_AN_EMAIL_IMAGE);
  if (file.size > LARGEST_FILE) throw new Problem(EMAIL_IMAGE_TOO_LARGE);
  const { url, image } = await decode(file).catch(() => {
    throw new Problem('This image cannot be read. Save it again, and choose that.');
  });
  const { naturalWidth, naturalHeight } = image;
  const width = moves(await file.slice(0, 64 * 1024).arrayBuffer())
    ? naturalWidth
    : Math.min(WIDEST, naturalWidth);
  const height = Math.round((naturalHeight * width) / naturalWidth);
  if (Math.max(width, height) > MOST_IMAGE_PIXELS) throw new Problem(TOO_MANY_PIXELS);
  const prepared = width === naturalWidth ? url : drawn(image, { width, height, type: file.type });
  // Four characters of Base64 are three bytes.
  if ((prepared.length - prepared.indexOf(',')) * 0.75 > EMAIL_IMAGE_LIMIT + 3)
    throw new Problem(EMAIL_IMAGE_TOO_LARGE);
  return { url: prepared, width };
}

/** A canvas keeps the first frame alone. Where the second frame of a GIF begins is not known, so every GIF counts as moving. */
function moves(beginning: ArrayBuffer): boolean {
  const text = new TextDecoder('latin1').decode(beginning);
  const isMovingWebp = text.startsWith('WEBPVP8X', 8) && (text.charCodeAt(20) & 2) > 0;
  return text.startsWith('GIF8') || isMovingWebp || text.includes('acTL');
}

/** The browser turns a photo as its EXIF says when it draws it. A type that it cannot write becomes a PNG. */
function drawn(
  image: HTMLImageElement,
  { width, height, type }: { width: number; height: number; type: string },
) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL(type, QUALITY);
}
