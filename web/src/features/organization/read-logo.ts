import { LOGO_TOO_LARGE, MOST_LOGO_BYTES, NOT_AN_IMAGE } from '../../../../shared/organization.ts';
import { Problem } from '../../lib/problem.ts';

export const UNPROCESSED = 'Failed to process image';

/** SVG is no image here: it can carry scripts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** A chosen file as a data URL, once it proved to be an image that the server takes. */
export async function readLogo(file: File): Promise<string> {
  if (!LOGO_TYPES.includes(file.type)) throw new Problem(NOT_AN_IMAGE);
  if (file.size > MOST_LOGO_BYTES) throw new Problem(LOGO_TOO_LARGE);
  try {
    const url = await dataUrl(file);
    await decoded(url);
    return url;
  } catch {
    throw new Problem(UNPROCESSED);
  }
}

const dataUrl = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

function decoded(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  return image.decode();
}
