import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HELP_TOPICS } from '#web/lib/help.ts';
import { helpSections } from '../../web/plugins/help.ts';

const sections = helpSections(readFileSync('docs/help.md', 'utf8'));

it('every question mark and every empty page leads to a section with a text', () => {
  const ids = sections.filter(({ text }) => text.length > 0).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...HELP_TOPICS]));
  expect(ids).toEqual([...new Set(ids)]);
});

it('the help has elements for what is emphasized and what is typed', () => {
  const [section] = helpSections('# Help\n\n## A part\n\n**Save** writes\n`{{name}}`.\n');
  expect(section).toEqual({
    id: 'a-part',
    title: 'A part',
    isChapter: true,
    text: [['p', ['strong', 'Save'], ' writes', ' ', ['code', '{{name}}'], '.']],
  });
});
