import { expect, it } from 'vitest';
import { documentClient } from '#functions/platform/table.ts';

it('no answer is copied for a log', () => {
  const steps = documentClient({ region: 'eu-central-1' }).middlewareStack.identify();
  expect(steps.some(step => step.startsWith('deserializerMiddleware'))).toBe(true);
  expect(steps.some(step => step.startsWith('loggerMiddleware'))).toBe(false);
});
