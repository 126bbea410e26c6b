import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createS3 } from '#local/objects/s3.ts';
import type { ObjectStore } from '#local/objects/store.ts';
import { fixtureStack } from './fixture/stack.ts';

const { get, json, stack } = fixtureStack();

const PICTURE = Buffer.from([137, 80, 78, 71, 0, 255, 13, 10, 13, 10]);
const file = (call: string, input: object) => json('POST', '/api/file', { call, ...input });
const put = (Key: string, more: object = {}) =>
  file('put', { Key, Body: PICTURE.toString('base64'), ContentType: 'image/png', ...more });
const listed = async (Prefix: string) =>
  ((await file('list', { Prefix })).body.Contents ?? []).map(({ Key }: { Key: string }) => Key);

/** The path as it is: fetch would normalize it. */
const rawStatus = (path: string) =>
  new Promise<number | undefined>((done, failed) => {
    request(`${stack().url}/`, { path }, response => done(response.resume().statusCode))
      .on('error', failed)
      .end();
  });

describe('A file that a function has stored', () => {
  it('is served byte by byte, with its type, its cache time and the headers of the template', async () => {
    expect((await put('files/a.png', { CacheControl: 'public, max-age=9' })).status).toBe(200);
    const answer = await get('/files/a.png');
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=9',
      'content-length': '10',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PICTURE);
  });

  it('is not sent again to a client that has it, and HEAD gets its headers alone', async () => {
    await put('files/b.png');
    const head = await get('/files/b.png', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    const etag = head.headers.get('etag') ?? '';
    const again = await get('/files/b.png', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/files/b.png', { method: 'PUT', body: 'x' })).status).toBe(403);
  });

  it('is replaced as a whole', async () => {
    await put('files/c.txt');
    await file('put', {
      Key: 'files/c.txt',
      Body: Buffer.from('new').toString('base64'),
      ContentType: 'text/plain',
    });
    const answer = await get('/files/c.txt');
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain', 'new']);
  });

  it('may have any name that S3 takes', async () => {
    const Key = "files/ü & <b>'../%41.png";
    await put(Key);
    expect(await listed('files/ü')).toEqual([Key]);
    expect((await get(`/${encodeURIComponent(Key).replaceAll('%2F', '/')}`)).status).toBe(200);
    await file('removeMany', { Delete: { Objects: [{ Key }] } });
    expect(await listed('files/ü')).toEqual([]);
  });
});

describe('A file that is not there', () => {
  it('is answered 403, as by a bucket that may not be listed', async () => {
    await put('files/gone.png');
    await file('remove', { Key: 'files/gone.png' });
    await file('remove', { Key: 'files/gone.png' });
    for (const path of ['/files/gone.png', '/files/', '/files/%ff', `/files/${'x'.repeat(2000)}`]) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('x-content-type-options')]).toEqual([
        path,
        403,
        'nosniff',
      ]);
    }
  });

  it('is not found outside of the bucket either', async () => {
    for (const path of [
      '/files/../../secrets.json',
      '/files/..%2f..%2fsecrets.json',
      '/files/%2e%2e/stack.json',
    ])
      expect(await rawStatus(path)).toBe(403);
  });
});

describe('A bucket', () => {
  it('is listed in order, as far as a prefix goes', async () => {
    for (const Key of ['files/7/b', 'files/7/a', 'files/70/c', 'other/d']) await put(Key);
    expect(await listed('files/7/')).toEqual(['files/7/a', 'files/7/b']);
    expect((await file('list', { Prefix: 'files/7' })).body).toMatchObject({
      IsTruncated: false,
      Contents: [{ Key: 'files/7/a' }, { Key: 'files/7/b' }, { Key: 'files/70/c' }],
    });
  });

  it('lists a thousand files at once, and says that there are more', async () => {
    const objects = { has: () => true, keys: async () => Array.from({ length: 1001 }, (_, n) => `f${n}`) };
    const s3 = createS3(objects as unknown as ObjectStore);
    const answer = await s3({ method: 'GET', path: '/b?list-type=2', headers: {}, body: Buffer.alloc(0) });
    const document = answer.body.toString();
    expect(document.match(/<Key>/g)).toHaveLength(1000);
    expect(document).toContain('<IsTruncated>true</IsTruncated>');
  });

  it('has several files deleted at once', async () => {
    for (const Key of ['files/8/a', 'files/8/b', 'files/8/c']) await put(Key);
    const Objects = ['files/8/a', 'files/8/c', 'files/8/none'].map(Key => ({ Key }));
    await file('removeMany', { Delete: { Objects, Quiet: true } });
    expect(await listed('files/8/')).toEqual(['files/8/b']);
  });

  it('names what it does not support', async () => {
    const refused = await put('files/e.png', { IfNoneMatch: '*' });
    expect(refused.body.message).toContain('The local stack has no PUT key if-none-match');
    expect((await file('list', { Prefix: 'files/', Delimiter: '/' })).body.message).toContain('delimiter');
    expect((await file('list', { Bucket: 'elsewhere' })).body.message).toContain('no bucket elsewhere');
  });
});
