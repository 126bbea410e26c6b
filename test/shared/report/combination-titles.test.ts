import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PARTS, type Part } from '#shared/email/content.ts';
import { combinationTitles, type Titled, variantLabels } from '#shared/report/combination-titles.ts';

/** Texts by part; a name before the text, separated by a colon. */
type Texts = Partial<Record<Part, string>>;
const REST: Texts = {
  pre_cta_content: 'Body: Hello',
  cta_text: 'Go: Look around',
  cta_url: 'Shop: https://example.com/',
  footer: 'Footer: {{UNSUB_LINK}}',
};

const names: Record<string, string> = {};

/** A combination of assets: equal texts are the same asset. */
function row(id: string, texts: Texts): Titled {
  const parts = Object.entries(texts).map(([part, written]) => {
    const [, name = null, text = ''] = /^(?:(\w[^:]*): )?(.*)$/s.exec(written) ?? [];
    const id = `${part}-${written}`;
    if (name) names[id] = name;
    return { part, id, name, text };
  });
  const by = <T>(of: (one: (typeof parts)[number]) => T) =>
    Object.fromEntries(parts.map(one => [one.part, of(one)]));
  return {
    id,
    type: 'asset',
    combination: parts.flatMap(({ name }) => name ?? []).join(' / '),
    asset_ids: by(one => one.id),
    assets: by(one => one.text),
  };
}
const template = (id: string, combination: string): Titled => ({
  id,
  type: 'template',
  combination,
  asset_ids: {},
  assets: {},
});
const titles = (...rows: Titled[]) => [...combinationTitles(rows, names).values()];

describe('combinations are called', () => {
  it('by the part in which they differ, whatever else they have in common', () => {
    expect(
      titles(
        row('a', { subject_line: 'Plain: Coffee news', ...REST }),
        row('b', { subject_line: 'Question: Have you tried it?', ...REST }),
      ),
    ).toEqual(['Plain', 'Question']);
  });

  it('by all parts in which some of them differ, in the order of an email', () => {
    const rows = ['Plain: a', 'Question: b'].flatMap(subject_line =>
      ['Blue: c', 'Red: d'].map(cta_text => ({ ...REST, subject_line, cta_text })),
    );
    expect(titles(...rows.map((texts, at) => row(String(at), texts)))).toEqual([
      'Plain / Blue',
      'Plain / Red',
      'Question / Blue',
      'Question / Red',
    ]);
  });

  it('apart from those of other automations, which share nothing with them', () => {
    const other = { subject_line: 'S: s', pre_cta_content: 'B: b', cta_text: 'C: c', cta_url: 'U: u' };
    expect(
      titles(
        row('a', { subject_line: 'Plain: a', ...REST }),
        row('b', { ...other, footer: 'Short: 1' }),
        row('c', { subject_line: 'Question: b', ...REST }),
        row('d', { ...other, footer: 'Long: 2' }),
      ),
    ).toEqual(['Plain', 'Short', 'Question', 'Long']);
  });

  it('by their texts where assets have no names, or the same ones', () => {
    expect(
      titles(
        row('a', { subject_line: 'Coffee\n news', ...REST }),
        row('b', { subject_line: 'Same: Have you tried it?', ...REST }),
        row('c', { subject_line: 'Same: What is new', ...REST }),
      ),
    ).toEqual(['Coffee news', 'Have you tried it?', 'What is new']);
  });

  it('without a part that others have', () => {
    const plain = { subject_line: 'Plain: a', ...REST };
    expect(titles(row('a', plain), row('b', { ...plain, preheader: 'Teaser: b' }))).toEqual([
      'Without Preheader',
      'Teaser',
    ]);
  });

  it('by all of their names where they are alone, by that of a set once, and as templates by theirs', () => {
    const spring = Object.keys(REST).map(part => [part, `Spring: ${part}`]);
    expect(
      titles(
        row('a', { subject_line: 'Plain: a', ...REST }),
        row('b', Object.fromEntries(spring)),
        row('c', { subject_line: 'no name' }),
        template('d', 'Welcome'),
      ),
    ).toEqual(['Plain / Body / Go / Shop / Footer', 'Spring', '', 'Welcome']);
  });

  it('shorter the more they differ in, and never alike', () => {
    const variants = (part: string) => [`${part} ${'long '.repeat(20)}A`, `${part} ${'long '.repeat(20)}B`];
    const rows = variants('Subject').flatMap(subject_line =>
      variants('Text').flatMap(pre_cta_content =>
        variants('Button').map(cta_text => ({ ...REST, subject_line, pre_cta_content, cta_text })),
      ),
    );
    const called = titles(...rows.map((texts, at) => row(String(at), texts)));
    expect(new Set(called).size).toBe(8);
    expect(Math.max(...called.map(({ length }) => length))).toBeLessThanOrEqual(84);
    expect(called[0]).toBe('…long long long long A / …long long long long A / …long long long long A');
    const [long] = titles(...['A', 'B'].map(one => row(one, { ...REST, subject_line: one.repeat(100) })));
    expect(long).toHaveLength(81);
    const [all] = combinationTitles([row('a', { ...rows[0] }), row('b', { ...rows[7] })], names, 12).values();
    expect(all).toBe('…long A / …long A / …long A');
  });
});

describe('variants are called', () => {
  const labels = (texts: string[], length: number) => [
    ...variantLabels(new Map(texts.map((text, at) => [String(at), { text }])), length).values(),
  ];

  it('by their beginning where that tells them apart, else by where they differ', () => {
    expect(labels(['Coffee of the month is here', 'Tea'], 12)).toEqual(['Coffee of t…', 'Tea']);
    expect(labels(['The coffee of spring', 'The coffee of summer'], 12)).toEqual([
      '…of spring',
      '…of summer',
    ]);
    expect(labels(['The coffee of spring is here', 'The coffee of summer is here'], 12)).toEqual([
      '…spring is…',
      '…summer is…',
    ]);
    expect(labels(['The coffee of spring', 'The coffee of spring is here'], 12)).toEqual([
      'The coffee…',
      '…ring is he…',
    ]);
    expect(labels(['😀'.repeat(9), `${'😀'.repeat(9)}!`], 6)).toEqual(['😀😀😀😀😀…', '…😀😀😀😀!']);
  });

  it('by their text where their name is what another one says', () => {
    const variants = new Map(
      Object.entries({
        a: { name: 'Coffee', text: 'Have a cup' },
        b: { text: 'Coffee' },
        c: { name: 'Tea' },
      }),
    );
    expect([...variantLabels(variants, 20).values()]).toEqual(['Have a cup', 'Coffee', 'Tea']);
  });

  it('never alike where they differ', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀'), maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 2, maxLength: 8 }),
        fc.integer({ min: 4, max: 20 }),
        (texts, length) => {
          const lines = texts.map((one, at) => one.replace(/\s+/g, ' ').trim() || String(at));
          expect(new Set(labels(texts, length)).size).toBe(new Set(lines).size);
        },
      ),
    );
  });

  it('by each part of an email', () => {
    for (const part of Object.keys(PARTS) as Part[]) {
      const both = titles(row('a', { ...REST, [part]: 'One: 1' }), row('b', { ...REST, [part]: 'Two: 2' }));
      expect(both, part).toEqual(['One', 'Two']);
    }
  });
});

it('the versions of a template have one name, and titles with their number', () => {
  const versions = [1, 2].map(version => ({ ...template(`t${version}`, 'Welcome'), version }));
  expect(titles(...versions, template('t3', 'Other'))).toEqual([
    'Welcome, version 1',
    'Welcome, version 2',
    'Other',
  ]);
});
