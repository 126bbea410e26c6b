import { describe, expect, it } from 'vitest';
import { compose, fill } from '#shared/email/email.ts';
import type { Reader } from '#shared/email/encode.ts';
import {
  colorsOf,
  contrast,
  contrastFault,
  DEFAULT_LOOK,
  type Look as EmailLook,
  PRESETS,
} from '#shared/email/look.ts';
import { NewLook } from '#shared/look.ts';
import { LOOK } from '#test/support/look.ts';
import { PLAIN } from './corpus.ts';

const readerOf = (tracked = (url: string) => url): Reader => ({
  values: new Map([['name', '<Ann> -->']]),
  language: 'en',
  files: 'https://mail.example.com',
  unsubscribe: 'https://mail.example.com/t/u/token',
  tracked,
  pixel: 'https://mail.example.com/t/o/token.gif',
});

const LOGO = 'https://mail.example.com/files/1/0a.png';
const CONTENT = {
  ...PLAIN,
  pre_cta_content: 'Hello {{name}},\n\nsee [the shop](https://shop.example.com/a).',
  cta_text: 'Track {{parcel | "it"}} now',
};
const render = (look: EmailLook, { language = 'en', name = 'Post office', logo = LOGO } = {}) =>
  fill(
    compose(CONTENT, { language, unsubscribeWord: 'Unsubscribe', design: { look, logo, name } }),
    readerOf(),
  );

describe('An email with a look', () => {
  it.each<[string, Partial<EmailLook>, string]>([
    ['pill', {}, 'en'],
    ['card-rounded', { ...PRESETS.card, shape: 'rounded', frame: 'card', logo_align: 'end' }, 'en'],
    ['square', { ...PRESETS.classic, accent: '#facc15', button_text: 'dark' }, 'en'],
    ['right-to-left', { button_align: 'start', logo_align: 'start' }, 'he'],
  ])('is rendered as expected: %s', async (name, fields, language) => {
    const { label: _, ...look } = { label: '', ...LOOK, ...fields };
    const { html, text } = render(look, { language });
    await expect(html).toMatchFileSnapshot(`expected/look-${name}.html`);
    if (name === 'pill') await expect(text).toMatchFileSnapshot(`expected/look-${name}.txt`);
  });

  it('holds nothing that nobody has written, in the parts for Outlook neither', () => {
    const { html } = render(
      { ...LOOK, address: '<b>&"\'', links: [{ label: '<i> -->', url: 'https://a.example.com/?a="<b>&c' }] },
      { name: '" onerror="alert(1)' },
    );
    const known = ['<!--[if mso]>', '<!--[if !mso]><!-->', '<!--<![endif]-->', '<![endif]-->'];
    expect(known.reduce((rest, comment) => rest.replaceAll(comment, ''), html)).not.toMatch(/<!-|->/);
    expect(html).toContain('&lt;b&gt;&amp;&quot;&#39;<');
    expect(html).toContain('&lt;i&gt; --&gt;</a>');
    expect(html).toContain('alt="&quot; onerror=&quot;alert(1)"');
    expect(html).toContain('Hello &lt;Ann&gt; --&gt;,');
    expect(html).not.toMatch(/<(?:b|i|script)>/);
    expect(html).not.toMatch(/href="[^"]*[<>]/);
  });

  it('has its links tracked as those of the footer', () => {
    const tracked: string[] = [];
    const design = { look: LOOK, name: '' };
    const email = compose(PLAIN, { language: 'en', unsubscribeWord: 'Unsubscribe', design });
    fill(email, { ...readerOf(), tracked: (url, part) => `${tracked.push(`${part} ${url}`)}` });
    expect(tracked).toContain('footer https://shop.example.com/');
  });

  it('stays far below the 102 KB at which Gmail cuts, with all that a look can have', () => {
    const links = Array.from({ length: 6 }, (_, at) => ({
      label: `${at}${'x'.repeat(39)}`,
      url: `https://a.example.com/${at}${'y'.repeat(450)}`,
    }));
    const address = Array.from({ length: 6 }, () => 'z'.repeat(100)).join('\n');
    expect(render({ ...LOOK, address, links }).html.length).toBeLessThan(14_000);
  });

  it('is without a logo the same as plain, but for what only Outlook reads, if nothing else is chosen', () => {
    const wording = { language: 'en', unsubscribeWord: 'Unsubscribe' };
    const design = { look: { ...DEFAULT_LOOK }, name: 'Post office' };
    const text = (html: string) => html.replace(/<!--.*?-->/gs, '').replace(/<[^>]+>/g, '');
    const [own, plain] = [design, undefined].map(design =>
      text(fill(compose(CONTENT, { ...wording, design }), readerOf()).html.split('</style>')[1] ?? ''),
    );
    expect(own).toBe(plain);
  });
});

describe('The colors', () => {
  it('differ as WCAG computes it', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#ff0000', '#ffffff')).toBeCloseTo(4, 1);
  });

  it.each([
    ['#1d4ed8', 'light', undefined],
    ['#777777', 'light', 'Choose a darker one, or dark text.'],
    ['#facc15', 'light', 'Choose a darker one, or dark text.'],
    ['#facc15', 'dark', undefined],
    ['#1d4ed8', 'dark', 'Choose a lighter one, or light text.'],
  ] as const)(
    'of a button %s with %s text can be read, or it is said what to do',
    (accent, button_text, fault) => {
      const said = contrastFault({ accent, button_text });
      if (!fault) return expect(said).toBeUndefined();
      expect(said).toBe(`The button’s text would be hard to read on this color. ${fault}`);
      const refused = NewLook.safeParse({ accent, button_text });
      expect(refused.error?.issues).toMatchObject([{ path: ['accent'], message: said }]);
    },
  );

  it('can be read in light and in dark mode, whatever the accent', () => {
    const shades = [0, 0x33, 0x66, 0x99, 0xcc, 0xff];
    const hex = (of: number) => of.toString(16).padStart(2, '0');
    for (const red of shades)
      for (const green of shades)
        for (const blue of shades)
          for (const button_text of ['light', 'dark'] as const)
            for (const frame of ['card', 'plain'] as const) {
              const accent = `#${hex(red)}${hex(green)}${hex(blue)}`;
              if (contrastFault({ accent, button_text })) continue;
              const { light, dark } = colorsOf({ ...DEFAULT_LOOK, accent, button_text, frame });
              expect(light.button).toBe(accent);
              for (const { sheet, button, buttonText, link } of [light, dark]) {
                expect(contrast(button, buttonText)).toBeGreaterThanOrEqual(4.5);
                expect(contrast(link, sheet)).toBeGreaterThanOrEqual(4.5);
              }
              expect(contrast(dark.button, dark.sheet)).toBeGreaterThanOrEqual(3);
            }
  });
});

describe('A look of a call', () => {
  const faultsOf = (look: object) =>
    NewLook.safeParse(look).error?.issues.map(({ path, message }) => [path.join('.'), message]);

  it('has the defaults where it says nothing, and is normalized', () => {
    expect(NewLook.parse({})).toEqual(DEFAULT_LOOK);
    const links = [{ label: ' Shop ', url: ' HTTPS://Shop.Example.com ' }];
    expect(NewLook.parse({ accent: ' 1D4ED8', address: ' Post office \r\n\n Dublin\n', links })).toEqual({
      ...DEFAULT_LOOK,
      accent: '#1d4ed8',
      address: 'Post office\nDublin',
      links: [{ label: 'Shop', url: 'https://shop.example.com/' }],
    });
    expect(NewLook.parse({ address: ' \n' }).address).toBeNull();
  });

  it.each([
    [{ accent: 'blue' }, 'accent', 'Enter a color such as #1d4ed8'],
    [{ font: 'comic' }, 'font', 'Font must be one of system, arial, verdana, georgia, palatino'],
    [{ logo_height: 500 }, 'logo_height', 'Enter a height from 16 to 120 pixels'],
    [{ address: 'a\n'.repeat(7) }, 'address', 'The postal address must be at most 6 lines'],
    [{ address: 'see www.example.com' }, 'address', 'A line of the postal address must not contain a link'],
    [
      { address: '{{city}}' },
      'address',
      'Placeholders are not filled in here. Write the text that everybody gets.',
    ],
    [
      { links: [{ label: 'Shop', url: 'http://a.example.com' }] },
      'links.0.url',
      'Enter a link that begins with https://',
    ],
    [
      { links: [{ label: 'Shop', url: 'javascript:alert(1)' }] },
      'links.0.url',
      'Enter a link that begins with https://',
    ],
    [{ links: [{ label: ' ', url: 'https://a.example.com' }] }, 'links.0.label', 'Enter what the link says'],
    [
      { links: Array.from({ length: 7 }, () => ({ label: 'Shop', url: 'https://a.example.com' })) },
      'links',
      'At most 6 links can be in the footer',
    ],
  ])('with %j is refused at the field', (look, field, message) => {
    expect(faultsOf(look)).toEqual([[field, message]]);
  });
});
