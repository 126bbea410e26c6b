import { expect, it } from 'vitest';
import { FAILED, messageOf, Problem, serverMessageOr, UNREACHABLE } from '#web/lib/problem.ts';

const fromServer = new Problem('Not while it rains.', 409, { email: ['Taken'] }, true);
const fromNetwork = new Problem(UNREACHABLE, 502);

it('the message of the server goes before that of the page', () => {
  expect(serverMessageOr(fromServer, 'Failed to load')).toBe('Not while it rains.');
  expect(serverMessageOr(fromNetwork, 'Failed to load')).toBe('Failed to load');
});

it('the server’s sentence for a fault of its own never replaces that of the page', () => {
  const fault = new Problem('Something went wrong on our side. Please try again.', 500, {}, true);
  expect(serverMessageOr(fault, 'Failed to load')).toBe('Failed to load');
});

it('any other error shows no technical message', () => {
  expect(messageOf(new TypeError('x is undefined'))).toBe(FAILED);
});
