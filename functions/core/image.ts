import { randomBytes } from 'node:crypto';
import { LOGO_TOO_LARGE, MOST_LOGO_BYTES, NOT_AN_IMAGE } from '../../../shared/organization.ts';
import { invalid } from '../refusal.ts';

export type Image = { type: string; extension: string; bytes: Buffer };

type Kind = { type: string; extension: string; matches: (bytes: Buffer) => boolean };
const begins = (hex: string) => (bytes: Buffer) => bytes.subarray(0, hex.length / 2).toString('hex') === hex;

// By their first bytes, not by what the sender calls them. SVG is none of them: it can carry scripts.
const KINDS: Kind[] = [
  { type: 'image/png', extension: 'png', matches: begins('89504e470d0a1a0a') },
  { type: 'image/jpeg', extension: 'jpg', matches: begins('ffd8ff') },
  {
    type: 'image/gif',
    extension: 'gif',
    matches: bytes => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  },
  {
    type: 'image/webp',
    extension: 'webp',
    matches: bytes => /^RIFF[\s\S]{4}WEBP/.test(bytes.toString('latin1', 0, 12)),
  },
];

/** The image in a data URL; whatever is none, or too large, is refused. */
export function readImage(dataUrl: string): Image {
  const encoded = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl)?.[1];
  if (!encoded) throw invalid('logo', NOT_AN_IMAGE);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > MOST_LOGO_BYTES) throw invalid('logo', LOGO_TOO_LARGE);
  const kind = KINDS.find(({ matches }) => matches(bytes));
  if (!kind) throw invalid('logo', NOT_AN_IMAGE);
  return { type: kind.type, extension: kind.extension, bytes };
}

/** Where an organization's files lie, below the path of the same name on the product's domain. */
export const filesOf = (organization: number) => `files/${organization}/`;

/** A name that nobody guesses, and that no other image ever has: it may be cached for good. */
export const newFile = (organization: number, { extension }: Image) =>
  `${filesOf(organization)}${randomBytes(16).toString('hex')}.${extension}`;
