import { createHash } from 'node:crypto';
import { invalid } from '#core/refusal.ts';
import { type ImageRules, readImage } from '#core/storage/image.ts';
import { withoutMetadata } from '#core/storage/image-metadata.ts';
import { filesOf, type Objects } from '#core/storage/logo.ts';
import type { StoredImage } from '#shared/image.ts';
import {
  EMAIL_IMAGE_LIMIT,
  EMAIL_IMAGE_TOO_LARGE,
  EMAIL_IMAGE_TYPES,
  NOT_AN_EMAIL_IMAGE,
} from '#shared/image-limits.ts';

const RULES: ImageRules = {
  field: 'image',
  types: EMAIL_IMAGE_TYPES,
  wrongType: NOT_AN_EMAIL_IMAGE,
  mostBytes: EMAIL_IMAGE_LIMIT,
  tooLarge: EMAIL_IMAGE_TOO_LARGE,
};

const INCOMPLETE = 'This image is damaged or incomplete. Save it again, and upload that.';

/** The name follows from the bytes: the same image twice is one file, and a repeated upload changes nothing. */
export async function upload(
  { objects }: { objects: Pick<Objects, 'put'> },
  organization: number,
  dataUrl: string,
): Promise<StoredImage> {
  const image = readImage(dataUrl, RULES);
  const bytes = withoutMetadata(image);
  if (!bytes) throw invalid(RULES.field, INCOMPLETE);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const name = `${filesOf(organization)}${hash}.${image.extension}`;
  await objects.put(name, bytes, image.type);
  // From 5 on, it is shown lying on its side.
  const isOnItsSide = (image.orientation ?? 1) >= 5;
  const [width, height] = isOnItsSide ? [image.height, image.width] : [image.width, image.height];
  return { url: `/${name}`, width, height, bytes: bytes.length };
}
