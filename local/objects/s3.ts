import { type HttpAnswer, text } from '../gateway/response.ts';
import { messageOf } from '../mistake.ts';
import type { ObjectStore } from './store.ts';

type Headers = Record<string, string | string[] | undefined>;
type Call = { method: string; path: string; headers: Headers; body: Buffer };
type Request = Call & { bucket: string; key: string; query: URLSearchParams };
type Operation = { query: string[]; answer: (request: Request) => Promise<HttpAnswer> };

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
const KEPT = /^(content-(type|disposition|language|encoding)|cache-control|expires|x-amz-meta-.+)$/;
/** Headers that would change the meaning of a call. Checksums and signatures are ignored. */
const UNKNOWN_HEADERS = ['x-amz-copy-source', 'if-match', 'if-none-match', 'x-amz-decoded-content-length'];
const MOST_LISTED = 1000;

/** The part of the S3 API that the product uses, in its path style: `/<bucket>/<key>`. */
export function createS3(objects: ObjectStore): (call: Call) => Promise<HttpAnswer> {
  const operations: Record<string, Operation> = {
    'PUT key': { query: [], answer: request => put(objects, request) },
    'DELETE key': { query: [], answer: request => remove(objects, request) },
    'GET bucket': { query: ['list-type', 'prefix'], answer: request => list(objects, request) },
    'POST bucket': { query: ['delete'], answer: request => removeMany(objects, request) },
  };

  return async call => {
    try {
      const request = parse(call);
      const name = `${call.method} ${request.key ? 'key' : 'bucket'}`;
      const operation = operations[name];
      const known = [...(operation?.query ?? []), 'x-id'];
      const unknown = [
        ...[...request.query.keys()].filter(parameter => !known.includes(parameter)),
        ...UNKNOWN_HEADERS.filter(header => call.headers[header] !== undefined),
      ];
      if (!operation || unknown.length > 0) {
        return failure(501, 'NotImplemented', `The local stack has no ${name} ${unknown.join(' ')}`.trim());
      }
      if (!objects.has(request.bucket)) {
        return failure(404, 'NoSuchBucket', `The template has no bucket ${request.bucket}`);
      }
      return await operation.answer(request);
    } catch (error) {
      return failure(500, 'InternalError', messageOf(error));
    }
  };
}

function parse(call: Call): Request {
  const [path = '', query = ''] = call.path.split('?', 2);
  const [, bucket = '', ...key] = path.split('/').map(decodeURIComponent);
  return { ...call, bucket, key: key.join('/'), query: new URLSearchParams(query) };
}

async function put(objects: ObjectStore, { bucket, key, headers, body }: Request): Promise<HttpAnswer> {
  const kept = Object.entries(headers).filter(([name, value]) => KEPT.test(name) && value);
  const { etag } = await objects.put(bucket, key, body, {
    'content-type': 'application/octet-stream',
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
  });
  return { status: 200, headers: { etag }, body: Buffer.alloc(0) };
}

async function remove(objects: ObjectStore, { bucket, key }: Request): Promise<HttpAnswer> {
  await objects.remove(bucket, key);
  return { status: 204, headers: {}, body: Buffer.alloc(0) };
}

async function list(objects: ObjectStore, { bucket, query }: Request): Promise<HttpAnswer> {
  const prefix = query.get('prefix') ?? '';
  const keys = (await objects.keys(bucket)).filter(key => key.startsWith(prefix));
  const contents = keys.slice(0, MOST_LISTED).map(Key => element('Contents', { Key }));
  const truncated = element('IsTruncated', keys.length > MOST_LISTED);
  return xml(200, `<ListBucketResult>${truncated}${contents.join('')}</ListBucketResult>`);
}

async function removeMany(objects: ObjectStore, { bucket, body }: Request): Promise<HttpAnswer> {
  const keys = [...body.toString().matchAll(/<Key>([\s\S]*?)<\/Key>/g)].map(([, key = '']) => unescaped(key));
  await Promise.all(keys.map(key => objects.remove(bucket, key)));
  return xml(200, '<DeleteResult></DeleteResult>');
}

const failure = (status: number, Code: string, Message: string): HttpAnswer =>
  xml(status, element('Error', { Code, Message }));

const xml = (status: number, document: string) =>
  text(status, 'application/xml', `<?xml version="1.0" encoding="UTF-8"?>${document}`);

const element = (name: string, content: object | string | boolean): string => {
  const children = () => Object.entries(content).map(([child, value]) => element(child, value));
  return `<${name}>${typeof content === 'object' ? children().join('') : escaped(String(content))}</${name}>`;
};

const ENTITIES: [string, string][] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
];
const escaped = (plainText: string) =>
  ENTITIES.reduce((result, [plain, entity]) => result.replaceAll(plain, entity), plainText);
const unescaped = (xmlText: string) =>
  ENTITIES.reduceRight((result, [plain, entity]) => result.replaceAll(entity, plain), xmlText);
