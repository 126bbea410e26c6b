export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding of the byte order mark, if the file has one. */
export const markedEncoding = (bytes: Uint8Array): Encoding | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

/** Checks, part by part, whether bytes are UTF-8. A file in another encoding is read as windows-1252. */
export function utf8Check() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  return (bytes: Uint8Array, isLast: boolean): boolean => {
    try {
      if (isUtf8) decoder.decode(bytes, { stream: !isLast });
    } catch {
      isUtf8 = false;
    }
    return isUtf8;
  };
}

const SIGNATURES: [name: string, bytes: number[]][] = [
  ['an Excel or zip file', [0x50, 0x4b, 0x03, 0x04]],
  ['an old Excel file', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['a compressed file', [0x1f, 0x8b]],
];

/** The name of a file format that is not text; undefined if the file may be text. */
export function notText(bytes: Uint8Array): string | undefined {
  const named = SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))?.[0];
  if (named) return named;
  const isWide = markedEncoding(bytes)?.startsWith('utf-16');
  return !isWide && bytes.includes(0) ? 'not a text file' : undefined;
}
