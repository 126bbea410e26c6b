import { afterEach } from 'vitest';
import type { Stack } from './stack.ts';

const MINUTE = 60;

/** What tests of sending do with the product; its faults end with each test. */
export function sendingOn(stack: Stack) {
  const faults = (wanted: { provider?: string; kill?: string; of?: string; account?: object }) =>
    stack.fetchJson('PUT', '/_local/faults', { body: JSON.stringify({ provider: 'ok', ...wanted }) });
  afterEach(() => faults({}));
  return {
    faults,
    mailed: async ({ email }: { email: string }) => (await stack.inbox(email)).length,
    /** So long that the queue delivers again what failed; of the schedules, the last minute is enough. */
    async pass(seconds: number): Promise<void> {
      await stack.advance(seconds - MINUTE, { outage: true });
      await stack.advance(MINUTE);
    },
  };
}
