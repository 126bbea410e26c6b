import { mockClient } from 'aws-sdk-client-mock';
import { afterAll } from 'vitest';

/** Mocks a client of the AWS SDK for the tests of one file. Its prototype is shared with the files that run later in the same worker. */
export const mockedClient: typeof mockClient = client => {
  const mocked = mockClient(client);
  afterAll(() => mocked.restore());
  return mocked;
};
