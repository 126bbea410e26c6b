import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render } from '#shared/email/markdown.ts';
import { markdownFaults } from '#shared/email/markdown-faults.ts';
import { extent } from '#test/support/prove.ts';

it.each([
  '![Our shop](https://example.com/a.png)',
  '![](https://example.com/a_(1).png "300")',
  '![{{name}}]({{picture}}) ![a](/files/1/ab.png "520")',
  '[![a](https://example.com/a.png)](https://example.com)',
  '[a](http://example.com "now") [b](mailto:a@example.com) [c](tel:+123) [d](<https://example.com/a b>)',
  '[a]({{UNSUB_LINK}}) [b]({{page}}/x) [c](https://example.com/{{id}}?a=(1)) \\[d](e) [f] (g) [h](i j)',
  '| a | b |\n|---|---|\n| c | d |',
  'Text:\n\na | b\n:-|-:\nc | d\n\nMore.',
  "| {{a | 'x'}} |\n|---|\n| {{b | 'y|z'}} |",
  '{{UNSUB_LINK}} | Example Ltd, 1 High Street',
  'a | b',
  'Above.\n---\nBelow.\n\n***',
  'I <3 you, 1 < 2 and 3 > 2, a<b',
  '\\`code\\` \\| a \\| \\!\\[a](x) ~5 minutes, it`s',
  '# One\n\n- two\n- three\n\n> four',
])('%j has no fault', text => expect(markdownFaults(text)).toEqual([]));

it.each([
  ['![logo](http://example.com/a.png)', 'write an address that begins with https://'],
  ['![logo](logo.png)', 'write an address that begins with https://, or upload it'],
  ['![logo](data:image/png;base64,AA)', 'or upload it'],
  ['![logo]', '![logo] is not an image: write ![description](https://example.com/image.png)'],
  ['![logo](https://example.com/my logo.png)', 'is not an image'],
  [
    '![logo](https://example.com/a.png "Our logo")',
    '“Our logo” is not the width of an image: write pixels up to 600',
  ],
  ['![logo](https://example.com/a.png "601")', 'write pixels up to 600'],
  [
    '[Read](shop.example.com)',
    'The link [Read](shop.example.com) leads nowhere: write https://shop.example.com',
  ],
  ['[Read](//shop.example.com/{{id}}?a=b)', 'write https://shop.example.com/{{…}}?a=b'],
  ['[![a](https://example.com/a.png)](www.example.com "now")', 'write https://www.example.com'],
  ['[write](us@example.com)', 'write mailto:us@example.com'],
  ['[Read](https://)', 'The link [Read](https://) leads nowhere: write an address that begins with https://'],
  ['[Read]()', 'write an address that begins with https://'],
  ['[Read](<our shop>)', 'write an address that begins with https://'],
  ['[Read](javascript:alert(1))', 'write an address that begins with https://'],
  [
    '| a | b |',
    '| a | b | is not a table: that has an empty line above it, a heading such as | a | b |, and |---|---| below',
  ],
  ['| a | b |\n| c | d |', '|---|---| below'],
  ['| a | b |\n|---|', '|---|---| below'],
  ['Text\n| a |\n|---|', 'an empty line above it'],
  ['- | a |', 'is not a table'],
  ['> | a |', 'is not a table'],
  ['|---|---|', 'This is not a table'],
  ['    | a |\n    |---|', 'is not a table'],
  ['<b>now</b>', '<b> is shown as it is typed: write **text**'],
  ['<img src="x">', 'write ![description](https://example.com/image.png)'],
  ['one<br/>two', 'write a new line'],
  ['<div class="x">', 'leave out the HTML'],
  ['```\nx\n```', 'no blocks of code'],
  ['Use `code`.', 'leave out the ` signs'],
  ['~~$20~~ $10', 'leave out the ~ signs'],
  ['Heading\n=======', 'write # before the line above'],
  ['[a]: https://example.com', 'write the address where the link is'],
])('%j is told what to write instead', (text, said) =>
  expect(markdownFaults(text)).toEqual([expect.stringContaining(said)]),
);

it('tables have five hundred cells at most', () => {
  const tableOf = (rows: number) => `| a | b |\n|---|---|\n${'c\n'.repeat(rows)}`;
  expect(markdownFaults(tableOf(248))).toEqual([]);
  expect(markdownFaults(tableOf(250))).toEqual([expect.stringContaining('at most 500 cells')]);
});

it('the first faults are told, each once, in bounded work', () => {
  expect(markdownFaults('![a]\n![b]\n<b> <b> `c` ~~d~~')).toHaveLength(3);
  for (const piece of [
    '![',
    '![a](',
    '![](a(',
    '|',
    '| ',
    '|-',
    '- ',
    '> ',
    'a\n',
    '|a\n',
    '<a ',
    '`',
    '~~',
    '[',
    '[a](',
    '[](<',
    '[](a(',
    '|-|\n',
  ]) {
    markdownFaults(piece.repeat(10_000 / piece.length));
    markdownFaults(`${piece.repeat(9_000 / piece.length)}\n`);
  }
});

describe('what has no fault', () => {
  const pieces = [
    '| a | b |',
    '|---|---|',
    '| c |',
    'a | b',
    '-|-',
    '|',
    'text',
    '- item',
    '> quote',
    '# heading',
    '---',
    '![a](https://x.example.com/a.png)',
    '![a](b)',
    '  ',
    '[x](https://x.example.com)',
    '**b**',
    '[y](z.example.com)',
    '[z](<a b>)',
  ];
  const text = fc.array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('\n', '\n\n', ' ')), {
    maxLength: 12,
  });

  it('prints no exclamation mark of an image, no line between bars, and no link to nowhere', () => {
    const property = fc.property(text, all => {
      const written = all.flat().join('');
      fc.pre(markdownFaults(written).length === 0);
      const { html } = render(written, { part: 'footer', unsubscribeWord: 'x', rightToLeft: false });
      const seen = html
        .map(piece => (typeof piece === 'string' ? piece : ''))
        .join('')
        .replace(/<br>|<\/?(?:p|td|th|li|h1|blockquote)\b[^>]*>/g, '\n');
      expect(seen).not.toMatch(/!\[|^ *\|.*\| *$|^ *\|[-|: ]+$/m);
      expect(html.join('')).not.toContain('!<a');
      const links = html.flatMap(piece =>
        typeof piece === 'object' && piece.in === 'href' ? piece.url : [],
      );
      expect(links.filter(url => url !== 'https://x.example.com')).toEqual([]);
    });
    fc.assert(property, { numRuns: extent(500, 50_000) });
  });
});
