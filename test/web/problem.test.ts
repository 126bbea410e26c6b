import { expect, it } from 'vitest';
import {
  FAILED,
  messageOf,
  Problem,
  serverMessageOr,
  UNREACHABLE,
  withFallbackMessage,
} from '../../web/src/lib/problem.ts';

const fromServer = new Problem('Not while it rains.', 409, { email: ['Taken'] }, true);
const fromNetwork = new Problem(UNREACHABLE, 502);
const explainedProblem = async (error: unknown) =>
  withFallbackMessage(Promise.reject(error), 'Failed to send').catch((problem: unknown) => problem);

it('the message of the server goes before that of the page', async () => {
  expect(serverMessageOr(fromServer, 'Failed to load')).toBe('Not while it rains.');
  expect(serverMessageOr(fromNetwork, 'Failed to load')).toBe('Failed to load');
  expect(await explainedProblem(fromServer)).toBe(fromServer);
});

it('the server’s sentence for a fault of its own never replaces that of the page', async () => {
  const fault = new Problem('Something went wrong on our side. Please try again.', 500, {}, true);
  expect(serverMessageOr(fault, 'Failed to load')).toBe('Failed to load');
  expect(await explainedProblem(fault)).toMatchObject({ message: 'Failed to send', status: 500 });
});

it('without one, the call fails with the message of the page', async () => {
  expect(await explainedProblem(fromNetwork)).toMatchObject({ message: 'Failed to send', status: 502 });
  expect(await explainedProblem(new TypeError('x is undefined'))).toMatchObject({
    message: 'Failed to send',
  });
});

it('a successful call answers its response', async () => {
  expect(await withFallbackMessage(Promise.resolve(7), 'Failed to send')).toBe(7);
});

it('any other error shows no technical message', () => {
  expect(messageOf(new TypeError('x is undefined'))).toBe(FAILED);
});
