import { expect, it } from 'vitest';
import { explained, FAILED, messageOf, Problem, saidOr, UNREACHABLE } from '../../web/src/lib/problem.ts';

const said = new Problem('Not while it rains.', 409, { email: ['Taken'] }, true);
const silent = new Problem(UNREACHABLE, 502);
const told = async (error: unknown) =>
  explained(Promise.reject(error), 'Failed to send').catch((problem: unknown) => problem);

it('what the server says goes before the sentence of the page', async () => {
  expect(saidOr(said, 'Failed to load')).toBe('Not while it rains.');
  expect(saidOr(silent, 'Failed to load')).toBe('Failed to load');
  expect(await told(said)).toBe(said);
});

it('where it says nothing, the call fails with that sentence', async () => {
  expect(await told(silent)).toMatchObject({ message: 'Failed to send', status: 502 });
  expect(await told(new TypeError('x is undefined'))).toMatchObject({ message: 'Failed to send' });
});

it('a call that works out is what it answers', async () => {
  expect(await explained(Promise.resolve(7), 'Failed to send')).toBe(7);
});

it('anything else that is thrown says nothing technical', () => {
  expect(messageOf(new TypeError('x is undefined'))).toBe(FAILED);
});
