import { expect, it } from 'vitest';
import { isNameKey, personName } from '#shared/person-name.ts';

it.each([
  [{ full_name: 'Ada Lovelace', name: 'Ada' }, 'Ada Lovelace'],
  [{ 'Full Name': '', Name: ' Ada ' }, 'Ada'],
  [{ firstName: 'Ada', LAST_NAME: 'Lovelace' }, 'Ada Lovelace'],
  [{ last_name: 'Lovelace', 'First  Name': 'Ada' }, 'Ada Lovelace'],
  [{ last_name: 'Lovelace' }, 'Lovelace'],
  [{ nickname: 'Ada', company_name: 'Analytical Engines', plan: 'pro' }, undefined],
  [{}, undefined],
])('the name in %o is %s', (metadata, name) => {
  expect(personName(metadata)).toBe(name);
});

it('a column of a name is known, whatever its case, spaces and underscores', () => {
  const keys = ['name', 'Full Name', 'first_name', 'lastName', 'username', 'company_name'];
  expect(keys.filter(isNameKey)).toEqual(['name', 'Full Name', 'first_name', 'lastName']);
});
