import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { objects } from '#functions/platform/objects.ts';
import { mockedClient } from '../support/mocked-client.ts';

/** The local stack's bucket deletes everything, and a test would have to fill it with more than a thousand files. */
const s3 = mockedClient(S3Client);
beforeEach(() => {
  s3.reset();
  vi.stubEnv('OBJECTS_BUCKET', 'files');
});
afterEach(() => void vi.unstubAllEnvs());

const listed = (IsTruncated: boolean) => ({
  Contents: [{ Key: 'files/7/a' }, { Key: 'files/7/b' }],
  IsTruncated,
});

it.each([true, false])(
  'of many files some are deleted at a time, and whether there are more is answered: %s',
  async more => {
    s3.on(ListObjectsV2Command).resolves(listed(more));
    s3.on(DeleteObjectsCommand).resolves({});
    expect(await objects.deletePage('files/7/')).toBe(more);
    expect(s3.commandCalls(ListObjectsV2Command)[0]?.args[0].input).toMatchObject({ Prefix: 'files/7/' });
    expect(s3.commandCalls(DeleteObjectsCommand)[0]?.args[0].input.Delete?.Objects).toEqual([
      { Key: 'files/7/a' },
      { Key: 'files/7/b' },
    ]);
  },
);

it('where there is no file, nothing is deleted', async () => {
  s3.on(ListObjectsV2Command).resolves({});
  expect(await objects.deletePage('files/7/')).toBe(false);
  expect(s3.commandCalls(DeleteObjectsCommand)).toEqual([]);
});

it('files that S3 did not delete fail the call, so that it is repeated', async () => {
  s3.on(ListObjectsV2Command).resolves(listed(false));
  s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'files/7/b', Code: 'SlowDown' }] });
  await expect(objects.deletePage('files/7/')).rejects.toThrow('1 files were not deleted: SlowDown');
});
