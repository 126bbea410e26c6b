import { expect, it } from 'vitest';
import { assetName } from '#web/entities/content/content.ts';
import { createdText } from '#web/features/content/content-form.tsx';
import { excerptOf } from '#web/features/content/content-list-page.tsx';
import { assetCopy, assetCopyIn } from '#web/features/content/duplicate.ts';
import { asset } from '../support/components/examples.ts';

it('a copy is what was written, without what the original was given', () => {
  const { name, type, value, is_active } = asset;
  expect(assetCopyIn(assetCopy(asset))).toEqual({ name, type, value, is_active });
});

it.each([
  null,
  undefined,
  'text',
  {},
  { type: 'cta_text' },
  { type: '__proto__', value: 'x' },
  { cursor: 'x' },
])('the state %o of a history entry is no copy', state => expect(assetCopyIn(state)).toBeUndefined());

it('an asset without a name is called by its type', () => {
  expect(assetName(asset)).toBe('Spring');
  expect(assetName({ ...asset, name: null })).toBe('[Subject Line]');
});

it('an excerpt is one line, and ends after a word', () => {
  expect(excerptOf(' Two\n lines ')).toBe('Two lines');
  expect(excerptOf('word '.repeat(60))).toMatch(/^(word ){20,}word…$/);
  expect(excerptOf('字'.repeat(200))).toBe(`${'字'.repeat(120)}…`);
  expect(excerptOf('😀'.repeat(200))).toBe(`${'😀'.repeat(120)}…`);
});

it('what became of a set is said with what existed already', () => {
  const text = (created: number, existing: number, isLinked = true) =>
    createdText({ created: Array(created).fill(asset), existing: Array(existing).fill(asset) }, isLinked);
  expect(text(5, 0)).toBe('5 email assets created.');
  expect(text(4, 1)).toBe('4 email assets created, 1 existed already and is linked.');
  expect(text(1, 4)).toBe('1 email asset created, 4 existed already and are linked.');
  expect(text(4, 1, false)).toBe('4 email assets created, 1 existed already.');
  expect(text(0, 5)).toBe('All of these email assets existed already and are linked.');
});
