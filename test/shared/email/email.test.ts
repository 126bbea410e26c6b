import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Content } from '#shared/email/content.ts';
import { compose, fill, type Rendered } from '#shared/email/email.ts';
import type { Reader } from '#shared/email/encode.ts';
import type { Design } from '#shared/email/layout.ts';
import { ownValues } from '#shared/email/own-values.ts';
import type { MetadataValue } from '#shared/metadata.ts';
import { compiled, layoutWith } from '#test/support/layout.ts';
import { LOOK } from '#test/support/look.ts';
import { extent } from '#test/support/prove.ts';
import { type Case, CORPUS, PLAIN } from './corpus.ts';

const campaign = (name: string) => `utm_medium=email&utm_source=lf&utm_campaign=${name}`;
const OWN: [string, MetadataValue][] = [
  ['automation_name', 'welcome'],
  ['automation_id', 'a1b2c3d4e5f6'],
  ['days_since_trigger', 3],
  ['utm_tags_automation_id', campaign('a1b2c3d4e5f6')],
  ['utm_tags_automation_name', campaign('welcome')],
  ['utm_tags_combination_id', campaign('0123456789ab')],
  ['utm_tags_template_id', campaign('t1b2c3d4e5f6')],
  ['combination_id', '0123456789ab'],
  ['template_id', 't1b2c3d4e5f6'],
  ['template_combination_id', '0123456789ab'],
];

const readerOf = (metadata: Record<string, MetadataValue> = {}, language = 'en'): Reader => ({
  values: new Map([...Object.entries(metadata), ...OWN]),
  language,
  unsubscribe: 'https://mail.example.com/t/u/token',
  files: 'https://mail.example.com',
  tracked: url => url,
  pixel: 'https://mail.example.com/t/o/token.gif',
});

const LAYOUT = await compiled(layoutWith());

function composed({
  content,
  language = 'en',
  unsubscribeWord = 'Unsubscribe',
  design,
}: Case & { design?: Design }) {
  return compose({ ...PLAIN, ...content }, { language, unsubscribeWord, design });
}

// biome-ignore format: one tag a line would hide the whole
const TAGS = /<\/?(?:!doctype html|html|head|meta|title|style|body|div|table|tr|th|td|p|br|strong|em|ul|ol|li|blockquote|hr|h[1-6]|a|img)(?: [a-z-]+="[^"<>]*")*>/g;

/** What of an email can be a tag, an attribute or a line that nobody has written. */
function expectHarmless({ subject, html }: Rendered) {
  const style = /<style>[^<]*<\/style>/;
  expect(html.replace(style, '').replace(TAGS, '')).not.toMatch(/[<>]/);
  const attributes = html
    .match(/<[^<>]*>/g)
    ?.join('')
    .replace(/"[^"]*"/g, '""');
  expect(attributes).not.toMatch(/ on\w+=/);
  expect(html).not.toMatch(/ src="(?!https:\/\/)/);
  for (const [, address = ''] of html.matchAll(/ href="([^"]*)"/g)) {
    expect(address).toMatch(/^(?:https?:\/\/|mailto:|tel:)/);
  }
  expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
}

const FRAME = fill(composed({}), readerOf()).html.split('\n');

/** The lines that the plain email does not have; how many of its lines stand between them. */
function changedLines(html: string): string {
  const marked = html.split('\n').map(line => (FRAME.includes(line) ? '…' : line));
  return marked.join('\n').replace(/^…(\n…)*$/gm, run => `… ${run.split('\n').length}`);
}

describe.each(Object.entries(CORPUS))('%s', (name, one) => {
  const email = composed(one);
  const reader = readerOf(one.metadata, one.language);

  it('is rendered as expected', async () => {
    const { html, text } = fill(email, reader);
    await expect(one === CORPUS.plain ? html : changedLines(html)).toMatchFileSnapshot(
      `expected/${name}.html`,
    );
    await expect(text).toMatchFileSnapshot(`expected/${name}.txt`);
  });

  it('holds nothing that nobody has written', () => expectHarmless(fill(email, reader)));

  it('has in a layout of one’s own the parts that it has in the standard one', () => {
    const [standard, own] = [LOOK, { ...LOOK, layout: LAYOUT }].map(look =>
      fill(composed({ ...one, design: { look, name: '' } }), reader),
    ) as [Rendered, Rendered];
    const parts = own.html.split(
      /<div class="of-\w+">|<\/div>(?=<div class="of-|<img src="https:\/\/mail\.)/,
    );
    expect(own.html.match(/<div class="of-/g)).toHaveLength(5);
    for (const part of parts.slice(1, -1)) expect(standard.html).toContain(part);
    expect(own.text).toBe(standard.text);
  });
});

it('a value of a member is neither a part of the layout nor HTML in it', () => {
  const value = '{{cta}}{{footer}}{{href https://a.example.com/}}<b>';
  const texts = {
    subject_line: 'Hello {{name}}',
    preheader: '{{name}}',
    pre_cta_content: '{{name}}',
    footer: '{{name}} {{UNSUB_LINK}}',
  };
  const { html } = fill(
    composed({ content: texts, design: { look: { ...LOOK, layout: LAYOUT }, name: '' } }),
    readerOf({ name: value }),
  );
  expect(html.split(value.replace('<b>', '&lt;b&gt;'))).toHaveLength(5);
  expect(html.match(/<div class="of-/g)).toHaveLength(5);
  expect(html).not.toContain('<b>');
});

it('links of a layout are tracked, its images and its pixel have whole addresses, and its language is that of the email', async () => {
  const html = layoutWith(
    '<a href="https://shop.example.com/?a=1&b={c}">Shop</a><a href="mailto:a@example.com">Mail</a><img src="/files/7/ab.png"><!--[if mso]><v:rect href="https://shop.example.com/vml"></v:rect><![endif]-->',
  );
  const tracked: string[] = [];
  const email = fill(
    composed({ language: 'he', design: { look: { ...LOOK, layout: await compiled(html) }, name: '' } }),
    { ...readerOf(), tracked: (url, part) => `https://t.example.com/${tracked.push(`${part} ${url}`)}` },
  );
  expect(tracked).toEqual(
    expect.arrayContaining([
      'footer https://shop.example.com/?a=1&b=%7Bc%7D',
      'footer mailto:a@example.com',
      'footer https://shop.example.com/vml',
    ]),
  );
  expect(email.html).not.toContain('shop.example.com');
  expect(email.html).toContain(
    '<html lang="he" dir="rtl"><head><title>Your order is on its way</title></head>',
  );
  expect(email.html).toContain('<img src="https://mail.example.com/files/7/ab.png">');
  expect(email.html).toMatch(
    /<img src="https:\/\/mail\.example\.com\/t\/o\/token\.gif"[^>]*><\/body><\/html>$/,
  );
  expect(email.html).not.toContain('{{');
});

it('the text begins with the subject, and says in its third line what stands beside it in an inbox', () => {
  const [subject, empty, snippet] = fill(composed({}), readerOf()).text.split('\n');
  expect([subject, empty, snippet]).toEqual([PLAIN.subject_line, '', PLAIN.preheader]);
  const without = fill(composed({ content: { preheader: null } }), readerOf()).text.split('\n');
  expect(without[2]).toBe('Hello,');
});

it('every link but the one to unsubscribe is tracked, with the part in which it stands', () => {
  const tracked: string[] = [];
  const reader: Reader = {
    ...readerOf(),
    tracked(url, part) {
      tracked.push(`${part} ${url}`);
      return 'https://mail.example.com/t/c/token';
    },
  };
  const content = {
    pre_cta_content: '[a](https://a.example.com/)',
    after_cta_content: '[b](https://b.example.com/?{{utm_tags_template_id}}) {{UNSUB_LINK}}',
    footer: '[leave]({{UNSUB_LINK}}) [c](https://c.example.com/)',
  };
  const { html, text } = fill(composed({ content }), reader);
  expect(new Set(tracked)).toEqual(
    new Set([
      'pre_cta_content https://a.example.com/',
      'cta_url https://shop.example.com/track',
      `after_cta_content https://b.example.com/?${campaign('t1b2c3d4e5f6')}`,
      'footer https://c.example.com/',
    ]),
  );
  for (const body of [html, text]) expect(body).not.toMatch(/\b[abc]\.example\.com/);
  expect(html.match(/href="https:\/\/mail\.example\.com\/t\/u\/token"/g)).toHaveLength(2);
});

const RUNS = extent(100, 10_000);

describe('whatever is written', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      ...'{{ }} {{name}} {{x|" {{UNSUB_LINK}} {{__proto__}} {{utm_tags_template_id}} [ ]( ) ](https://x.example.com/'.split(
        ' ',
      ),
      ...'< > <https:// ** * _ --- \n \n\n \r\n \\ " \' & &#60; %recipient. % javascript: text'.split(' '),
      ...'\uE000 \uE001 <script> </p> --> \u202E \uD800 \u0000'.split(' '),
      "{{name | 'x'}}",
      '# ',
      '![',
      '![a](https://x.example.com/a.png "30")',
      '|',
      '\n\n| a | b |\n|---|---|\n',
      '- ',
      '1. ',
      '> ',
      '  ',
    ),
    fc.string({ maxLength: 8 }),
  );
  const text = fc.array(fragment, { maxLength: 24 }).map(pieces => pieces.join(''));
  const content: fc.Arbitrary<Content> = fc.record({
    subject_line: text,
    preheader: text,
    pre_cta_content: text,
    cta_text: text,
    cta_url: text,
    after_cta_content: text,
    footer: text,
  });
  const values = fc.dictionary(fc.constantFrom('name', 'x', 'text'), text, { noNullPrototype: true });

  it('is rendered without harm', () => {
    fc.assert(
      fc.property(content, values, values, (written, first, second) => {
        const email = compose(written, { language: 'en', unsubscribeWord: '<Leave> %recipient.x%' });
        for (const reader of [readerOf(first), readerOf(second)]) expectHarmless(fill(email, reader));
      }),
      { numRuns: RUNS },
    );
  });
});

it('ten thousand characters of anything are rendered in bounded work', () => {
  for (const piece of [
    '![',
    '![a](',
    '|a',
    'a|',
    '|-|\n',
    '|a|b|c|\n|-|-|-|\n',
    'a\n',
    '{{',
    "{{a|'",
    '[',
    '[a](',
    '**a',
    '> ',
    '- ',
    '<',
    '`',
    '\\',
    '{{a}}',
    '&',
    '*_',
  ]) {
    const email = composed({ content: { pre_cta_content: piece.repeat(10_000 / piece.length) } });
    expectHarmless(fill(email, readerOf()));
  }
});

it.each([
  ['2030-03-01', 'March 1, 2030'],
  ['2030-03-01T00:00:00Z', 'March 1, 2030'],
  ['2030-03-01 14:30', 'March 1, 2030 at 14:30'],
  ['2030-03-01T14:30:59.5Z', 'March 1, 2030 at 14:30'],
  ['2030-03-01T00:30:00+02:00', 'March 1, 2030 at 00:30'],
])('the date %j is written in words, with its time of day as the member has it', (value, words) => {
  const email = composed({ content: { subject_line: 'See you on {{appointment}}' } });
  expect(fill(email, readerOf({ appointment: value })).subject).toBe(`See you on ${words}`);
});

it('the tags of a campaign name the combination where an email consists of assets', () => {
  const of = { automation: { id: 'a', name: 'welcome' }, days: 1, send: '', email: 'ann@example.com' };
  const { utm_tags_template_id, template_id } = ownValues({
    ...of,
    combination: '0123456789ab',
    template: undefined,
  });
  expect([utm_tags_template_id, template_id]).toEqual([campaign('0123456789ab'), '']);
});
