import { headersOf } from '../objects/s3.ts';
import type { ObjectStore } from '../objects/store.ts';
import { type Files, missing, serve } from './content.ts';

/** What functions have put into a bucket, as it is. */
export function uploads(objects: ObjectStore, bucket: string): Files {
  return async (path, requestHeaders, compress) => {
    const key = keyOf(path);
    const found = key === undefined ? undefined : await objects.get(bucket, key);
    if (!found) return missing();
    const { 'content-type': type = '', ...headers } = headersOf(found);
    const content = { etag: found.etag, type, headers, body: found.body, compressed: {} };
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
