import { Problem } from './problem.ts';

const UNPROCESSED = 'Failed to process image';

/** What an image may be, and what is said of one that is not. */
export type ImageRules = {
  types: readonly string[];
  wrongType: string;
  fits: (bytes: number) => boolean;
  tooLarge: string;
};

/** A chosen file as a data URL, once it proved to be an image that the server takes. */
export async function readImage(
  file: File,
  { types, wrongType, fits, tooLarge }: ImageRules,
): Promise<string> {
  if (!types.includes(file.type)) throw new Problem(wrongType);
  if (!fits(file.size)) throw new Problem(tooLarge);
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
