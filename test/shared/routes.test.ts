import { expect, it } from 'vitest';
import { routes } from '../../shared/routes.ts';

it('no two routes differ in the names of their path parameters alone', () => {
  const shapes = Object.keys(routes).map(key => key.replace(/{\w+}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
});
