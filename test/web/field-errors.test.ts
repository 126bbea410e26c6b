import { expect, it } from 'vitest';
import { tellErrors } from '../../web/src/lib/field-errors.ts';
import { FAILED, Problem } from '../../web/src/lib/problem.ts';

const known = ['name', 'email'];

it('a field shows the first of its messages', () => {
  const refused = new Problem('Invalid', 422, { name: ['Too long', 'Too odd'], email: ['Taken'] });
  expect(tellErrors(refused, known)).toEqual({
    fields: [
      ['name', 'Too long'],
      ['email', 'Taken'],
    ],
    general: undefined,
  });
});

it('what is wrong with a field that the form has not is said for all of it', () => {
  expect(tellErrors(new Problem('Invalid', 422, { template: ['Already exists'] }), known)).toEqual({
    fields: [],
    general: 'Already exists',
  });
});

it('without fields, the form says what the server said, or its own sentence', () => {
  expect(tellErrors(new Problem('Not now', 500), known).general).toBe('Not now');
  expect(tellErrors(new Problem('Not now', 500), known, 'Failed to save').general).toBe('Failed to save');
});

it('a mistake of ours says nothing technical', () => {
  expect(tellErrors(new TypeError('x is undefined'), known).general).toBe(FAILED);
});
