import { expect, it } from 'vitest';
import { compareNames, nameOfCopy } from '#shared/names.ts';

it('numbers within names are ordered by their value', () => {
  const names = ['List 10', 'List 7', 'list 8', 'Another'];
  expect(names.toSorted(compareNames)).toEqual(['Another', 'List 7', 'list 8', 'List 10']);
});

it('the name of a copy says that it is one, and is never too long', () => {
  expect(nameOfCopy('Spring', 100)).toBe('Spring (copy)');
  expect(nameOfCopy('x'.repeat(100), 100)).toBe(`${'x'.repeat(93)} (copy)`);
});
