import { expect, it } from 'vitest';
import { compareNames } from '../../shared/names.ts';

it('numbers within names are ordered by their value', () => {
  const names = ['List 10', 'List 7', 'list 8', 'Another'];
  expect(names.toSorted(compareNames)).toEqual(['Another', 'List 7', 'list 8', 'List 10']);
});
