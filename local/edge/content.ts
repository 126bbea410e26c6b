import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type HttpAnswer, text } from '../gateway/response.ts';

const COMPRESSIBLE =
  /^(text\/|application\/(json|javascript|manifest\+json)|image\/(svg\+xml|vnd\.microsoft\.icon))/;
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html
const COMPRESSED_BYTES = { least: 1_000, most: 10_000_000 };

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};
type Encoding = keyof typeof compressors;

/** Serves files by their path, from a directory or a bucket. */
export type Files = (path: string, headers: Record<string, string>, compress: boolean) => Promise<HttpAnswer>;

/** A file, with the compressed versions of it that were made so far. */
export type Content = {
  etag: string;
  type: string;
  headers: Record<string, string>;
  body: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
};

/** Serves a file as CloudFront does: compressed if the client accepts that, 304 if the client has it already. */
export async function serve(
  { etag: plainTag, type, body, compressed, ...content }: Content,
  requestHeaders: Record<string, string>,
  compress: boolean,
): Promise<HttpAnswer> {
  const encoding = compress ? encodingOf(requestHeaders['accept-encoding'], type, body.length) : undefined;
  const etag = encoding ? `W/${plainTag}` : plainTag;
  const headers: Record<string, string> = {
    ...content.headers,
    'content-type': type,
    etag,
    ...(compress && COMPRESSIBLE.test(type) && { vary: 'accept-encoding' }),
  };
  if (matches(requestHeaders['if-none-match'], etag)) return { status: 304, headers, body: Buffer.alloc(0) };
  if (!encoding) return { status: 200, headers, body };
  compressed[encoding] ??= await compressors[encoding](body);
  return { status: 200, headers: { ...headers, 'content-encoding': encoding }, body: compressed[encoding] };
}

function encodingOf(accepted = '', type: string, size: number): Encoding | undefined {
  if (!COMPRESSIBLE.test(type) || size < COMPRESSED_BYTES.least || size > COMPRESSED_BYTES.most)
    return undefined;
  const offered = accepted.split(',').map(part => part.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find(encoding => offered.includes(encoding));
}

const matches = (asked: string | undefined, etag: string) =>
  asked?.split(',').some(item => item.trim().replace(/^W\//, '') === etag.replace(/^W\//, '')) ?? false;

// S3 responds with 403 to a missing key, unless the caller may list the bucket.
export const missing = () => text(403, 'text/plain', '403 Forbidden: there is no such file\n');
