import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { decoded } from '../parse.ts';
import { type Content, type Files, missing, serve } from './content.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'text/xml',
};

type File = Pick<Content, 'etag' | 'body' | 'compressed'> & { modified: number };

// Like the copies in the bucket: files under /assets/ have a hash in their names, so a new build changes the name.
const cacheControlOf = (path: string) =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

export function fileServer(directory: string): Files {
  const files = new Map<string, File>();

  return async (path, requestHeaders, compress) => {
    const file = await load(path);
    if (!file) return missing();
    const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
    const headers = { 'cache-control': cacheControlOf(path) };
    return serve({ ...file, type, headers }, requestHeaders, compress);
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

/** The name of a file inside the directory; undefined if the path leads out of it. */
function nameOf(path: string): string | undefined {
  const name = normalize(decoded(path) ?? '\0');
  return name.includes('\0') || name.split('/').includes('..') ? undefined : name;
}
