import type { ObjectStore } from '../objects/store.ts';
import { decoded } from '../parse.ts';
import { type Files, missing, serve } from './content.ts';

export function uploads(objects: ObjectStore, bucket: string): Files {
  return async (path, requestHeaders, compress) => {
    const key = decoded(path.slice(1));
    const found = key === undefined ? undefined : await objects.get(bucket, key);
    if (!found) return missing();
    const { etag, body, modified } = found;
    const { 'content-type': type = '', ...stored } = found.headers;
    const headers = { ...stored, 'last-modified': new Date(modified).toUTCString() };
    const content = { etag, type, headers, body, compressed: {} };
    return serve(content, requestHeaders, compress && !('content-encoding' in headers));
  };
}
