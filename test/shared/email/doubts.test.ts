import { expect, it } from 'vitest';
import type { Part } from '#shared/email/content.ts';
import { doubtsIn } from '#shared/email/doubts.ts';

const CAPITALS = 'Spam filters suspect lines in capital letters: write it as a sentence.';
const MARKS = 'Spam filters suspect several exclamation marks: one is enough.';
const HTTP = 'Mail programs may warn of links that begin with http://: write https://.';
const long = (length: number) =>
  `Most inboxes show about 60 characters of a subject line, and this has ${length}: begin with what matters.`;

it.each<[Part, string, ...string[]]>([
  ['subject_line', 'x'.repeat(60)],
  ['subject_line', 'x'.repeat(61), long(61)],
  // A placeholder is as long as its default, or its name.
  ['subject_line', `${'x'.repeat(55)}{{a | 'there'}}`],
  ['subject_line', `${'x'.repeat(55)}{{a | 'friend'}}`, long(61)],
  ['preheader', 'x'.repeat(61)],
  ['subject_line', 'ONLY TODAY, {{name}}', CAPITALS],
  ['subject_line', 'USA: new {{NAMES_OF_TEAMS}}'],
  ['subject_line', 'NASA 2030'],
  ['subject_line', 'مرحبا بكم جميعا'],
  ['subject_line', 'Come in! Now!', MARKS],
  ['cta_text', "Go! {{a | '!!'}}"],
  ['cta_text', 'BUY IT NOW!!', CAPITALS, MARKS],
  ['pre_cta_content', 'ONLY TODAY!!'],
  ['pre_cta_content', 'See [it](http://shop.example.com)', HTTP],
  ['cta_url', 'HTTP://shop.example.com', HTTP],
  ['cta_url', 'https://shop.example.com/?to=http'],
  ['footer', 'Hi {name}', '{name} is not a placeholder: write {{name}}'],
  ['preheader', '| Tea | 7 |'],
])('%s “%s”', (part, text, ...doubts) => expect(doubtsIn(part, text)).toEqual(doubts));

it('Markdown that cannot be shown is doubted where it would be rendered', () => {
  expect(doubtsIn('footer', '| Tea | 7 |')).toEqual([expect.stringContaining('is not a table')]);
  expect(doubtsIn('pre_cta_content', '[Read](shop.example.com)')).toEqual([
    'The link [Read](shop.example.com) leads nowhere: write https://shop.example.com',
  ]);
});
