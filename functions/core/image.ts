import { randomBytes } from 'node:crypto';
import { invalid } from './refusal.ts';

export type Image = { type: string; extension: string; bytes: Buffer };
/** Which images are taken as a logo, and what is said of any other. */
export type ImageLaw = { types?: string[]; mostBytes: number; wrongType: string; tooLarge: string };

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

/** The logo in a data URL; whatever is none, or too large, is refused. */
export function readLogo(dataUrl: string, { types, mostBytes, wrongType, tooLarge }: ImageLaw): Image {
  const encoded = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl)?.[1];
  if (!encoded) throw invalid('logo', wrongType);
  const bytes = Buffer.from(encoded, 'base64');
  const kind = KINDS.find(({ type, matches }) => (types?.includes(type) ?? true) && matches(bytes));
  if (!kind) throw invalid('logo', wrongType);
  if (bytes.length > mostBytes) throw invalid('logo', tooLarge);
  return { type: kind.type, extension: kind.extension, bytes };
}

export const dataUrlOf = ({ type, bytes }: Image) => `data:${type};base64,${bytes.toString('base64')}`;

/** Where an organization's files lie, below the path of the same name on the product's domain. */
export const filesOf = (organization: number) => `files/${organization}/`;

/** A name that nobody guesses, and that no other image ever has: it may be cached for good. */
export const newFile = (organization: number, { extension }: Image) =>
  `${filesOf(organization)}${randomBytes(16).toString('hex')}.${extension}`;
