import { expect, it } from 'vitest';
import { errorsByField } from '#web/components/form.tsx';
import { FAILED, Problem } from '#web/lib/problem.ts';

const known = ['name', 'email'];

it('a field shows the first of its messages', () => {
  const refused = new Problem('Invalid', 422, { name: ['Too long', 'Too odd'], email: ['Taken'] });
  expect(errorsByField(refused, known)).toEqual({
    fields: [
      ['name', 'Too long'],
      ['email', 'Taken'],
    ],
    general: undefined,
  });
});

it('an error of a field that the form does not have becomes the general message', () => {
  expect(errorsByField(new Problem('Invalid', 422, { template: ['Already exists'] }), known)).toEqual({
    fields: [],
    general: 'Already exists',
  });
});

it('without errors of fields, the form shows the message of the server, or its own', () => {
  expect(errorsByField(new Problem('Not now', 500), known).general).toBe('Not now');
  expect(errorsByField(new Problem('Not now', 500), known, 'Failed to save').general).toBe('Failed to save');
});

it('a form says why the server refused, and else what failed', () => {
  const refused = new Problem('Not while it rains.', 409, {}, true);
  const fault = new Problem('Something went wrong on our side.', 500, {}, true);
  expect(errorsByField(refused, known, 'Failed to save').general).toBe('Not while it rains.');
  expect(errorsByField(fault, known, 'Failed to save').general).toBe('Failed to save');
});

it('an error in our code shows no technical message', () => {
  expect(errorsByField(new TypeError('x is undefined'), known).general).toBe(FAILED);
});
