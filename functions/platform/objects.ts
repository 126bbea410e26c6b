import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { env, withTimeout } from './runtime.ts';

const client = new S3Client(withTimeout(7_000));
const bucket = () => env('OBJECTS_BUCKET');

/** Stores files that are served as they are. Their names are never used twice. */
export const objects = {
  async put(name: string, bytes: Uint8Array, type: string): Promise<void> {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket(),
        Key: name,
        Body: bytes,
        ContentType: type,
        CacheControl: 'public, max-age=31536000, immutable',
      }),
    );
  },

  async remove(name: string): Promise<void> {
    await client.send(new DeleteObjectCommand({ Bucket: bucket(), Key: name }));
  },

  async deletePage(below: string): Promise<boolean> {
    const { Contents = [], IsTruncated } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket(), Prefix: below }),
    );
    if (Contents.length === 0) return false;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({
        Bucket: bucket(),
        Delete: { Objects: Contents.map(({ Key }) => ({ Key })), Quiet: true },
      }),
    );
    if (Errors.length > 0) throw new Error(`${Errors.length} files were not deleted: ${Errors[0]?.Code}`);
    return IsTruncated ?? false;
  },
};
