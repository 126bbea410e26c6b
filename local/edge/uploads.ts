import type { ObjectStore } from '../objects/store.ts';
import { type Files, missing, serve } from './content.ts';

/** Serves the files that functions have put into a bucket. */
export function uploads(objects: ObjectStore, bucket: string): Files {
  return async (path, requestHeaders, compress) => {
    const key = keyOf(path);
    const found = key === undefined ? undefined : await objects.get(bucket, key);
    if (!found) return missing();
    const { etag, body, modified } = found;
    const { 'content-type': type = '', ...stored } = found.headers;
    const headers = { ...stored, 'last-modified': new Date(modified).toUTCString() };
    const content = { etag, type, headers, body, compressed: {} };
    return serve(content, requestHeaders, compress && !('content-encoding' in headers));
  };
}

function keyOf(path: string): string | undefined {
  try {
    return decodeURIComponent(path.slice(1));
  } catch {
    return undefined;
  }
}
