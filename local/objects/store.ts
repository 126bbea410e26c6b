import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type StoredObject = { etag: string; modified: string; headers: Record<string, string>; body: Buffer };

export type ObjectStore = ReturnType<typeof createObjectStore>;

const STORED = '.object';
const UNFINISHED = '.new';

/** The buckets of the template, as directories. A put that was acknowledged survives any end of the stack. */
export function createObjectStore(directory: string, now: () => number) {
  for (const file of globSync(`*/*${UNFINISHED}`, { cwd: directory })) rmSync(join(directory, file));
  const bucketIn = (bucket: string) => join(directory, bucket);
  const fileOf = (bucket: string, key: string) => join(bucketIn(bucket), encodeURIComponent(key) + STORED);

  return {
    createBucket: (bucket: string) => void mkdirSync(bucketIn(bucket), { recursive: true, mode: 0o700 }),
    has: (bucket: string) => existsSync(bucketIn(bucket)),
    async put(bucket: string, key: string, body: Buffer, headers: Record<string, string>) {
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      const about = { etag, modified: new Date(now()).toISOString(), headers };
      // One file for headers and body, renamed when it is complete: a reader never sees a partial file.
      const unfinished = join(bucketIn(bucket), randomUUID() + UNFINISHED);
      const content = Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), body]);
      await writeFile(unfinished, content, { mode: 0o600 });
      await rename(unfinished, fileOf(bucket, key));
      return { ...about, body };
    },
    async get(bucket: string, key: string): Promise<StoredObject | undefined> {
      const file = await readFile(fileOf(bucket, key)).catch(absent);
      if (!file) return undefined;
      const end = file.indexOf('\n');
      return { ...JSON.parse(file.toString('utf8', 0, end)), body: file.subarray(end + 1) };
    },
    remove: (bucket: string, key: string) => rm(fileOf(bucket, key), { force: true }),
    /** In byte order, as S3 lists them. */
    async keys(bucket: string) {
      const files = (await readdir(bucketIn(bucket))).filter(name => name.endsWith(STORED));
      const keys = files.map(name => decodeURIComponent(name.slice(0, -STORED.length)));
      return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    },
  };
}

function absent(error: NodeJS.ErrnoException): undefined {
  // A file whose name is too long cannot exist.
  if (error.code !== 'ENOENT' && error.code !== 'ENAMETOOLONG') throw error;
}
