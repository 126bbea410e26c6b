import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpAnswer } from '../gateway/response.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'text/xml',
};

const COMPRESSIBLE =
  /^(text\/|application\/(json|javascript|manifest\+json)|image\/(svg\+xml|vnd\.microsoft\.icon))/;
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html
const COMPRESSED_BYTES = { least: 1_000, most: 10_000_000 };

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};
type Encoding = keyof typeof compressors;

type File = { modified: number; etag: string; body: Buffer; compressed: Partial<Record<Encoding, Buffer>> };

/** Serves the files of a directory as a bucket behind CloudFront does. */
export function fileServer(directory: string, cacheControl: (path: string) => string | undefined) {
  const files = new Map<string, File>();

  return async (
    path: string,
    requestHeaders: Record<string, string>,
    compress: boolean,
  ): Promise<HttpAnswer> => {
    const file = await load(path);
    if (!file) return missing();
    const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
    const encoding = compress
      ? encodingOf(requestHeaders['accept-encoding'], type, file.body.length)
      : undefined;
    const etag = encoding ? `W/${file.etag}` : file.etag;
    const cached = cacheControl(path);
    const headers: Record<string, string> = {
      'content-type': type,
      etag,
      ...(cached && { 'cache-control': cached }),
      ...(compress && COMPRESSIBLE.test(type) && { vary: 'accept-encoding' }),
    };
    if (matches(requestHeaders['if-none-match'], etag))
      return { status: 304, headers, body: Buffer.alloc(0) };
    if (!encoding) return { status: 200, headers, body: file.body };
    file.compressed[encoding] ??= await compressors[encoding](file.body);
    const body = file.compressed[encoding];
    return { status: 200, headers: { ...headers, 'content-encoding': encoding }, body };
  };

  async function load(path: string): Promise<File | undefined> {
    const name = nameOf(path);
    if (name === undefined) return undefined;
    const location = join(directory, name);
    const found = await stat(location).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const known = files.get(name);
    if (known && known.modified === found.mtimeMs) return known;
    const body = await readFile(location);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const file = { modified: found.mtimeMs, etag, body, compressed: {} };
    files.set(name, file);
    return file;
  }
}

/** The file's name inside the directory, or undefined for what leads out of it. */
function nameOf(path: string): string | undefined {
  try {
    const name = normalize(decodeURIComponent(path));
    return name.includes('\0') || name.split('/').includes('..') ? undefined : name;
  } catch {
    return undefined;
  }
}

function encodingOf(accepted = '', type: string, size: number): Encoding | undefined {
  if (!COMPRESSIBLE.test(type) || size < COMPRESSED_BYTES.least || size > COMPRESSED_BYTES.most)
    return undefined;
  const offered = accepted.split(',').map(part => part.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find(encoding => offered.includes(encoding));
}

const matches = (asked: string | undefined, etag: string) =>
  asked?.split(',').some(item => item.trim().replace(/^W\//, '') === etag.replace(/^W\//, '')) ?? false;

// A bucket that may not be listed does not say which keys it lacks.
const missing = (): HttpAnswer => ({
  status: 403,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from('403 Forbidden: there is no such file\n'),
});
