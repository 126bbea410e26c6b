import { expect, vi } from 'vitest';
import * as value from '#core/reporting/value.ts';
import { needsOf } from './items.ts';
import type { Person } from './member.ts';
import type { Stack } from './stack.ts';

/** Posts a value for a combination, so that it is in today's report, and waits until it is counted. */
export async function newReported(stack: Stack, { token, home }: Person, combination: string): Promise<void> {
  const needs = await needsOf(stack);
  const posted = { emailTemplateCombinationId: combination, eventId: 'order-1', value: 49.9 };
  await value.post(needs, home.id, posted);
  const today = needs.now.toISOString().slice(0, 10);
  const query = { start_date: today, end_date: today };
  const call = { token, organization: home.id, query };
  // `expect.poll` would work only within a test.
  await vi.waitFor(
    async () => {
      const { body } = await stack.call('GET /api/reporting/combinations', call);
      expect(body.combinations).toMatchObject([{ id: combination, value: 49.9 }]);
    },
    { timeout: 60_000, interval: 50 },
  );
}
