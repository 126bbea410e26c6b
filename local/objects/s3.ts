import { messageOf } from '../mistake.ts';
import type { ObjectStore, StoredObject } from './store.ts';

type Call = {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};
type Answer = { status: number; headers: Record<string, string>; body: Buffer };
type Asked = Call & { bucket: string; key: string; query: URLSearchParams };
type Operation = { query: string[]; answer: (asked: Asked) => Promise<Answer> };

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
const KEPT = /^(content-(type|disposition|language|encoding)|cache-control|expires|x-amz-meta-.+)$/;
/** What would change the meaning of a call is refused; checksums and signatures mean little on one machine. */
const UNKNOWN_HEADERS = ['x-amz-copy-source', 'if-match', 'if-none-match', 'range'];
const MOST_LISTED = 1000;

/** The part of the S3 API that files need, in its path style: `/<bucket>/<key>`. */
export function createS3(objects: ObjectStore): (call: Call) => Promise<Answer> {
  const operations: Record<string, Operation> = {
    'PUT key': { query: [], answer: asked => put(objects, asked) },
    'GET key': { query: [], answer: asked => get(objects, asked) },
    'HEAD key': { query: [], answer: asked => get(objects, asked) },
    'DELETE key': { query: [], answer: asked => remove(objects, asked) },
    'GET bucket': {
      query: ['list-type', 'prefix', 'max-keys', 'start-after', 'continuation-token'],
      answer: asked => list(objects, asked),
    },
    'POST bucket': { query: ['delete'], answer: asked => removeMany(objects, asked) },
  };

  return async call => {
    try {
      const asked = ask(call);
      const name = `${call.method} ${asked.key ? 'key' : 'bucket'}`;
      const operation = operations[name];
      const known = [...(operation?.query ?? []), 'x-id'];
      const unknown = [
        ...[...asked.query.keys()].filter(parameter => !known.includes(parameter)),
        ...UNKNOWN_HEADERS.filter(header => call.headers[header] !== undefined),
      ];
      if (!operation || unknown.length > 0) {
        return failure(501, 'NotImplemented', `The local stack has no ${name} ${unknown.join(' ')}`.trim());
      }
      if (!objects.has(asked.bucket)) {
        return failure(404, 'NoSuchBucket', `The template has no bucket ${asked.bucket}`);
      }
      return await operation.answer(asked);
    } catch (error) {
      return failure(500, 'InternalError', messageOf(error));
    }
  };
}

function ask(call: Call): Asked {
  const [path = '', query = ''] = call.path.split('?', 2);
  const [, bucket = '', ...key] = path.split('/').map(decodeURIComponent);
  return { ...call, bucket, key: key.join('/'), query: new URLSearchParams(query) };
}

async function put(objects: ObjectStore, { bucket, key, headers, body }: Asked): Promise<Answer> {
  const chunked = String(headers['content-encoding'] ?? '').includes('aws-chunked');
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    const said = String(value).replace(/(^|,\s*)aws-chunked\s*,?\s*/, '');
    return KEPT.test(name) && said ? [[name, said]] : [];
  });
  const { etag } = await objects.put(bucket, key, chunked ? unchunk(body) : body, {
    'content-type': 'application/octet-stream',
    ...Object.fromEntries(kept),
  });
  return { status: 200, headers: { etag }, body: Buffer.alloc(0) };
}

/** How the SDK sends a stream: lengths in hexadecimal before each part, checksums behind the last. */
function unchunk(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = body.indexOf('\r\n', at) + 2;
    const length = Number.parseInt(body.toString('latin1', at, start), 16);
    if (!length) return Buffer.concat(parts);
    parts.push(body.subarray(start, start + length));
    at = start + length + 2;
  }
}

async function get(objects: ObjectStore, { bucket, key }: Asked): Promise<Answer> {
  const found = await objects.get(bucket, key);
  if (!found) return failure(404, 'NoSuchKey', 'The specified key does not exist.');
  return { status: 200, headers: headersOf(found), body: found.body };
}

export const headersOf = ({ headers, etag, modified }: StoredObject): Record<string, string> => ({
  ...headers,
  etag,
  'last-modified': new Date(modified).toUTCString(),
});

async function remove(objects: ObjectStore, { bucket, key }: Asked): Promise<Answer> {
  await objects.remove(bucket, key);
  return { status: 204, headers: {}, body: Buffer.alloc(0) };
}

async function list(objects: ObjectStore, { bucket, query }: Asked): Promise<Answer> {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const most = Math.min(Number(query.get('max-keys') ?? MOST_LISTED), MOST_LISTED);
  const all = (await objects.keys(bucket)).filter(key => key.startsWith(prefix));
  const rest = all.slice(
    all.findLastIndex(key => Buffer.compare(Buffer.from(key), Buffer.from(after)) <= 0) + 1,
  );
  const page = rest.slice(0, most);
  const truncated = rest.length > page.length;
  const contents = await Promise.all(
    page.map(async key => {
      const found = await objects.get(bucket, key);
      // It may have been removed meanwhile.
      return found
        ? element('Contents', {
            Key: key,
            Size: found.body.length,
            ETag: found.etag,
            LastModified: found.modified,
          })
        : '';
    }),
  );
  const about = {
    Name: bucket,
    Prefix: prefix,
    MaxKeys: most,
    KeyCount: page.length,
    IsTruncated: truncated,
    ...(truncated && { NextContinuationToken: page.at(-1) }),
  };
  return xml(200, `<ListBucketResult>${elements(about)}${contents.join('')}</ListBucketResult>`);
}

async function removeMany(objects: ObjectStore, { bucket, body }: Asked): Promise<Answer> {
  const asked = body.toString();
  const keys = [...asked.matchAll(/<Key>([\s\S]*?)<\/Key>/g)].map(([, key = '']) => unescaped(key));
  await Promise.all(keys.map(key => objects.remove(bucket, key)));
  const told = /<Quiet>true<\/Quiet>/.test(asked) ? [] : keys;
  return xml(200, `<DeleteResult>${told.map(Key => element('Deleted', { Key })).join('')}</DeleteResult>`);
}

const failure = (status: number, Code: string, Message: string): Answer =>
  xml(status, element('Error', { Code, Message }));

const xml = (status: number, document: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${document}`),
});

const element = (name: string, fields: object) => `<${name}>${elements(fields)}</${name}>`;
const elements = (fields: object) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`)
    .join('');

const ENTITIES: [string, string][] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
];
const escaped = (text: string) =>
  ENTITIES.reduce((said, [plain, entity]) => said.replaceAll(plain, entity), text);
const unescaped = (text: string) =>
  ENTITIES.reduceRight((said, [plain, entity]) => said.replaceAll(entity, plain), text);
