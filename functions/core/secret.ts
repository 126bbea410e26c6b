import { createHash, randomBytes, randomInt } from 'node:crypto';

/** A random secret of 256 bits, safe in a header or a URL. */
export const newSecret = () => randomBytes(32).toString('base64url');

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const randomText = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
