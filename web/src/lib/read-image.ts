import { LOGO_LIMIT, LOGO_NOT_SMALLER, LOGO_TOO_MANY_PIXELS, MOST_LOGO_PIXELS } from '#shared/limits.ts';
import { Problem } from './problem.ts';

const FAILED = 'Failed to process image';

/** The accepted types of image files, and the message for others. */
export type ImageRules = {
  types: readonly string[];
  wrongType: string;
};

/** Reads a file as a data URL. Throws a Problem if it is not an accepted image. */
export async function readImage(file: File, { types, wrongType }: ImageRules): Promise<string> {
  if (!types.includes(file.type)) throw new Problem(wrongType);
  if (file.size >= LOGO_LIMIT) throw new Problem(LOGO_NOT_SMALLER);
  const { url, image } = await decode(file).catch(() => {
    throw new Problem(FAILED);
  });
  if (Math.max(image.naturalWidth, image.naturalHeight) > MOST_LOGO_PIXELS) {
    throw new Problem(LOGO_TOO_MANY_PIXELS);
  }
  return url;
}

const readAsDataUrl = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

async function decode(file: File) {
  const url = await readAsDataUrl(file);
  const image = new Image();
  image.src = url;
  await image.decode();
  return { url, image };
}
