import { expect, it } from 'vitest';
import { people } from '#local/demo/people.ts';

it('the people of the demo are the same each time, have addresses that nobody has, and are in a list once', () => {
  const span = { from: Date.parse('2030-01-01'), to: Date.parse('2030-03-02') };
  const all = people(500, span);
  expect(people(500, span)).toEqual(all);
  expect(all).toHaveLength(500);
  expect(new Set(all.map(({ list, email }) => `${list} ${email}`)).size).toBe(500);
  expect(all.filter(({ email }) => !/^[a-z]+\.[a-z]+\d+@example\.(com|org|net)$/.test(email))).toEqual([]);
});
