import { expect, it } from 'vitest';
import { findCommands } from '#web/lib/commands.ts';

const command = (label: string, group = 'Pages', words = '') => ({
  id: label,
  group,
  label,
  words,
  run: () => undefined,
});
const commands = [
  command('Home'),
  command('Email Templates', 'Pages', 'content'),
  command('A template', 'Help'),
  command('Template list', 'Help'),
];
const found = (typed: string) => findCommands(commands, typed).map(({ label }) => label);

it('the palette offers all commands while nothing is typed', () => {
  expect(found('  ')).toEqual(['Home', 'Email Templates', 'A template', 'Template list']);
});

it('the palette finds commands by the beginnings of words, in any order and case', () => {
  expect(found('TEM em')).toEqual(['Email Templates']);
  expect(found('mplate')).toEqual([]);
});

it('the palette finds commands by their group and by further words', () => {
  expect(found('content')).toEqual(['Email Templates']);
  expect(found('help')).toEqual(['A template', 'Template list']);
});

it('the palette shows pages of that name first, then labels that begin with the query', () => {
  expect(found('template')).toEqual(['Email Templates', 'Template list', 'A template']);
});
