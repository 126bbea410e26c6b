import { describe, expect, it } from 'vitest';
import { compileLayout } from '#core/content/layout.ts';
import { LAYOUT_EXAMPLES } from '#shared/layout-examples.ts';
import type { NewLayout } from '#shared/look.ts';

const ORGANIZATION = 7;
const compile = async (kind: NewLayout['kind'], source: string) =>
  (await compileLayout(ORGANIZATION, { kind, source })).html;
const faultsOf = (kind: NewLayout['kind'], source: string): Promise<string[]> =>
  compile(kind, source).then(
    () => [],
    error => error.errors.layout,
  );

const SLOTS = '{{preheader}}{{pre_cta_content}}{{cta}}{{after_cta_content}}{{footer}}';
const page = (body: string, head = '') =>
  `<!doctype html>\n<html><head>${head}</head><body><div>${body}</div>${SLOTS}</body></html>`;
const mail = (body: string, head = '') =>
  `<mjml><mj-head>${head}</mj-head>\n<mj-body><mj-section><mj-column>${body}\n<mj-text>${SLOTS}</mj-text></mj-column></mj-section></mj-body></mjml>`;

describe('A layout', () => {
  it.each(['html', 'mjml'] as const)('of the example is compiled: %s', async kind => {
    const html = await compile(kind, LAYOUT_EXAMPLES[kind]);
    expect(html.match(/\{\{\w+/g)?.toSorted()).toEqual(
      [
        'after_cta_content',
        'cta',
        'footer',
        'href',
        'language',
        'pixel',
        'pre_cta_content',
        'preheader',
        'subject',
      ].map(name => `{{${name}`),
    );
    expect(html).toContain('<a{{href https://example.com/}} style=');
    expect(html).not.toMatch(/<link|<script|fonts\.googleapis/);
  });

  it('keeps what it may have, with its addresses marked', async () => {
    const own = `/files/${ORGANIZATION}/ab.png`;
    const html = await compile(
      'html',
      page(
        `<IMG src='https://a.example.com/x.png?a=1&amp;b="2"' alt="a > b"><img src="${own}"><a HREF=https://a.example.com/?a=1&b=2>x</a>
<a href="mailto:a@example.com">y</a><td background="${own}" style="background:url(${own}) &#117;"></td><!-- left out -->
<!--[if gte mso 9]><v:rect fillcolor="red"><v:fill src="${own}"/><style>a{color:red}</style></v:rect><a href="https://b.example.com/">z</a><![endif]-->
<!--[if !mso]><!-- --><b>shown</b><!-- <![endif]-->`,
        '<title>Mine</title><style>@media (min-width:1px){.sm\\:w{color:red}}</style><meta http-equiv="Content-Type" content="text/html">',
      ),
    );
    for (const text of [
      '<html {{language}}>',
      '<title>{{subject}}</title>',
      '<IMG src="https://a.example.com/x.png?a=1&amp;b=&quot;2&quot;" alt="a &gt; b">',
      `<img src="{{files}}${own}">`,
      '<a{{href https://a.example.com/?a=1&b=2}}>x</a>',
      '<a{{href mailto:a@example.com}}>y</a>',
      `<td background="{{files}}${own}" style="background:url({{files}}${own}) u">`,
      `<!--[if gte mso 9]><v:rect fillcolor="red"><v:fill src="{{files}}${own}" /><style>a{color:red}</style></v:rect><a{{href https://b.example.com/}}>z</a><![endif]-->`,
      '<!--[if !mso]><!--><b>shown</b><!--<![endif]-->',
      '{{pixel}}</body>',
    ])
      expect(html).toContain(text);
    expect(html).not.toMatch(/left out|Mine/);
  });

  const PARTS = '{{preheader}}, {{pre_cta_content}}, {{cta}}, {{after_cta_content}}, {{footer}}';
  const UNKNOWN = `is not filled in here. Use ${PARTS}, which has the link to unsubscribe.`;
  const HTTPS = 'Images need an address that begins with https://, or that of an image uploaded here.';

  it.each<[source: string, fault: string]>([
    [
      '<script>alert(1)</script>',
      'Line 2: <script> cannot be used: mail programs run no scripts, and filters refuse them.',
    ],
    ['<SCRIPT src="https://a.example.com/">', 'Line 2: <script> cannot be used'],
    ['<script/x>', 'Line 2: <script> is not complete'],
    [
      '<img src="https://a.example.com/" onerror="alert(1)">',
      'Line 2: Remove onerror: it does not work in emails.',
    ],
    ['<img src="https://a.example.com/"onerror=alert(1)>', 'Line 2: <img> is not complete'],
    ['<b ONCLICK=x>a</b>', 'Line 2: Remove onclick'],
    [
      '<a href="javascript:alert(1)">a</a>',
      'Line 2: A link needs a whole address such as https://, not javascript:alert(1)',
    ],
    ['<a href=" java&#115;cript:alert(1)">a</a>', 'Line 2: A link needs a whole address'],
    ['<a href="java&Tab;script:alert(1)">a</a>', 'Line 2: A link needs a whole address'],
    ['<a href="data:text/html,x">a</a>', 'Line 2: A link needs a whole address'],
    ['<a href="https://a:b@example.com/">a</a>', 'Line 2: A link needs a whole address'],
    ['<a href="/shop">a</a>', 'Line 2: A link needs a whole address such as https://, not /shop'],
    ['<a href="{{url}}">a</a>', 'Line 2: Placeholders work between elements only.'],
    ['<q cite="java\nscript:x">a</q>', 'Line 2: Remove cite.'],
    [
      '<iframe src="https://a.example.com/"></iframe>',
      'Line 2: <iframe> cannot be used: mail programs show no pages and players.',
    ],
    ['<form action="https://a.example.com/"></form>', 'Line 2: Remove action'],
    ['<input>', 'Line 2: <input> cannot be used: forms do not work in emails. Link to a page with the form.'],
    [
      '<meta http-equiv="refresh" content="0;url=https://a.example.com/">',
      'Line 2: Remove http-equiv="refresh": emails do not lead elsewhere.',
    ],
    [
      '<link rel="stylesheet" href="https://a.example.com/a.css">',
      'Line 2: <link> cannot be used: style sheets of other addresses are not loaded. Write the styles into a <style>.',
    ],
    ['<style>@IMPORT "https://a.example.com/a.css";</style>', 'Line 2: @import cannot be used'],
    [
      '<style>@\\69mport "https://a.example.com/a.css";</style>',
      'Line 2: Remove the < or the \\ from the style.',
    ],
    ['<style></style x', 'Line 2: <style> is not complete'],
    ['<style>a{}', 'Line 2: <style> is not closed.'],
    ['<b style="width:expression(alert(1))">a</b>', 'Line 2: Styles cannot run code. Remove it.'],
    ['<b style="background:url(http://a.example.com/)">a</b>', `Line 2: ${HTTPS}`],
    ['<b style="background:url(&quot;javascript:alert(1)&quot;)">a</b>', 'Line 2: '],
    [
      '<b style="background:url&lpar;//a.example.com)">a</b>',
      'Line 2: Write the character itself in place of the & in the style.',
    ],
    [
      '<b style="background:url(a(b)">a</b>',
      'Line 2: Write url() with an address that begins with https://.',
    ],
    [
      '<base href="https://a.example.com/">',
      'Line 2: <base> cannot be used: write whole addresses, which begin with https://.',
    ],
    ['<svg><a>x</a></svg>', 'Line 2: <svg> cannot be used: many mail programs do not show it. Use an image.'],
    ['<blink>x</blink>', 'Line 2: <blink> cannot be used: it is unknown in emails.'],
    ['<img src="http://a.example.com/a.png">', `Line 2: ${HTTPS}`],
    ['<img src="data:image/png;base64,AAAA">', `Line 2: ${HTTPS}`],
    ['<img src="/files/8/ab.png">', `Line 2: ${HTTPS}`],
    ['<img srcset="https://a.example.com/a.png 2x">', 'Line 2: Remove srcset'],
    ['<!--[if mso]><script>x</script><![endif]-->', 'Line 2: <script> cannot be used'],
    ['<!--[if mso]><b onclick="x"><![endif]-->', 'Line 2: Remove onclick'],
    ['<!--[if mso]><a title="<![endif]--><script>x</script>">', 'Line 2: <a> is not complete'],
    ['<!--[if mso]><a title="-->" href="x"><![endif]-->', 'Line 2: Write this comment without others in it'],
    ['<!--[if mso]>{{footer}}<![endif]-->', 'Line 2: Placeholders work between elements only.'],
    ['<!--> <script>x</script> -->', 'Line 2: Write this comment without others in it'],
    ['<!-- --!> <script>x</script> -->', 'Line 2: Write this comment without others in it'],
    ['<!-- a', 'Line 2: This comment is not closed by -->.'],
    ['<![CDATA[<script>x</script>]]>', 'Line 2: Write &lt; in place of this <.'],
    ['<?xml version="1.0"?>', 'Line 2: Write &lt; in place of this <.'],
    ['1 < 2', 'Line 2: Write &lt; in place of this <.'],
    ['<__proto__>', 'Line 2: Write &lt; in place of this <.'],
    ['<b class="a" class="b">x</b>', 'Line 2: <b> has class twice. Remove one of them.'],
    ['<div/>', 'Line 2: Write <div></div> in place of <div/>.'],
    ['\n<b><i></b>', 'Line 3: <i> is not closed before </b>.'],
    ['</div></div>', 'Line 2: <body> is not closed before </div>.'],
    ['</div></body></html></div>', 'Line 2: </div> closes nothing.'],
    ['<body></body>', 'Line 2: <body> must be right in <html>.'],
    [`${'<b>'.repeat(200)}`, 'Line 2: Elements are nested too deeply.'],
    ['a\0', 'Line 2: Remove the invisible character.'],
    ['{{first_name}}', `Line 2: {{first_name}} ${UNKNOWN}`],
    ['{{UNSUB_LINK}}', `Line 2: {{UNSUB_LINK}} ${UNKNOWN}`],
    ['{{__proto__}}', `Line 2: {{__proto__}} ${UNKNOWN}`],
    ['{{pixel}}', `Line 2: {{pixel}} ${UNKNOWN}`],
    ['{{{footer}}}', `Line 2: {{ ${UNKNOWN}`],
    ['\n{{ footer }}', 'Line 3: {{footer}} is there twice. Remove one of them.'],
  ])('with %j is refused, with its line', async (body, fault) => {
    const [first] = await faultsOf('html', page(body));
    expect(first).toContain(fault);
  });

  it.each<[source: string, fault: string]>([
    [
      page('').replace('{{footer}}', ''),
      'Put {{footer}} at the end: it has the link to unsubscribe, which every email needs.',
    ],
    [
      page('').replace('{{preheader}}', ''),
      'Put {{preheader}} at the beginning: inboxes show it beside the subject.',
    ],
    [
      page('').replace('{{cta}}', '<p>{{cta}}</p>'),
      'Line 2: Put {{cta}} into a <td> or a <div>, not into <p>.',
    ],
    [page('').replace('{{cta}}', '<a><div>{{cta}}</div></a>'), 'Line 2: Put {{cta}} into'],
    [
      page('').replace('{{cta}}', '<table>{{cta}}</table>'),
      'Line 2: Put {{cta}} into a <td> or a <div>, not into <table>.',
    ],
    [
      page('').replace('{{footer}}', '<div style="DISPLAY : none"><div>{{footer}}</div></div>'),
      'Line 2: A style around {{footer}} hides it. Recipients must be able to see it.',
    ],
    [
      page('').replace('{{footer}}', '<!--[if !mso]><!-->{{footer}}<!--<![endif]-->'),
      'Line 2: {{footer}} must not be between comments, which hide it.',
    ],
    [SLOTS, 'Line 1: Put {{preheader}} into'],
    ['', 'The layout must have <html> once.'],
    [`${page('')}${page('').slice(15)}`, 'Line 3: Everything must be in one <html>.'],
    [
      page('x'.repeat(100 * 1024)),
      'Its HTML has 101 KB. Gmail cuts emails off at 102 KB: at most 100 KB can be saved.',
    ],
    ['x'.repeat(5_000_000), 'The layout has 4,883 KB. At most 256 KB can be saved.'],
    ['<'.repeat(250_000), 'Line 1: Write &lt;'],
    [`<a ${'a '.repeat(120_000)}`, 'Line 1: <a> has a twice.'],
    ['<!--[if mso]>'.repeat(15_000), 'Line 1: This comment is not closed'],
    ['<style>'.repeat(30_000), 'Line 1: '],
  ])('of %.80j is refused', async (source, fault) => {
    const [first] = await faultsOf('html', source);
    expect(first).toContain(fault);
  });

  it.each<[source: string, fault: string]>([
    [
      mail('<mj-include path="/etc/passwd"/>'),
      'Line 2: <mj-include> cannot be used: other files are not read. Put their text here.',
    ],
    [mail('<mj-raw><script>x</script></mj-raw>'), 'Line 2: <script> cannot be used'],
    [mail('<mj-raw><img src="https://a.example.com/" onload="x"></mj-raw>'), 'Line 2: Remove onload'],
    [mail('', '<mj-font name="A" href="https://a.example.com/"/>'), 'Line 1: <mj-font> cannot be used'],
    [
      mail('', '<mj-style inline="inline">a{}</mj-style>'),
      'Line 1: Remove inline: the styles stay in the head.',
    ],
    [mail('', '<mj-style>@import "x";</mj-style>'), 'Line 1: @import cannot be used'],
    [mail('', '<mj-html-attributes></mj-html-attributes>'), 'Line 1: <mj-html-attributes> cannot be used'],
    [mail('<mj-accordion></mj-accordion>'), 'Line 2: <mj-accordion> cannot be used: it makes form fields'],
    [mail('<mj-navbar hamburger="hamburger"></mj-navbar>'), 'Line 2: Remove hamburger'],
    [mail('<mj-button href="javascript:x">a</mj-button>'), 'Line 2: A link needs a whole address'],
    [mail('<mj-text>\n<b>a</mj-text>'), 'Line 3: <b> is not closed before </mj-text>.'],
    [mail('<mj-text color="red">a</mj-text><mj-text>'), 'is not closed before </mj-column>.'],
    [mail('\n<mj-text colour="red">a</mj-text>'), 'Line 3: Attribute colour is illegal.'],
    [mail('<mj-section></mj-section>'), 'Line 2: mj-section cannot be used inside mj-column'],
    [mail('<mj-text padding="0;background:url(http://a.example.com/)">a</mj-text>'), ''],
    [mail('<mj-text color="red;&quot; onclick=&quot;x">a</mj-text>'), ''],
    [mail('<mj-image src="http://a.example.com/a.png"/>'), `Line 2: ${HTTPS}`],
    [
      mail('').replace('<mj-text>{{preheader}}', '<mj-button>{{preheader}}</mj-button><mj-text>'),
      'Line 3: Put {{preheader}} into <mj-text>, not into <mj-button>.',
    ],
    [mail('<mj-text>a</mj-text>'.repeat(301)), 'Line 2: The layout has more than 300 elements. Remove some.'],
    [mail('<mj-wrapper>'.repeat(101)), 'Line 2: Elements are nested too deeply.'],
    [
      `<!DOCTYPE mjml [<!ENTITY a SYSTEM "file:///etc/passwd">]>${mail('')}`,
      'Line 1: Write <!doctype html> once',
    ],
    ['<mjml></mjml>', 'Put {{preheader}} at the beginning'],
    [page(''), 'Line 2: Everything must be in one <mjml>.'],
    ['x', 'Put {{preheader}} at the beginning'],
  ])('of MJML %.120j is refused', async (source, fault) => {
    const faults = await faultsOf('mjml', source);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]).toContain(fault);
  });

  it('names five faults at most, each once', async () => {
    expect(await faultsOf('html', page('<blink></blink>'.repeat(20)))).toHaveLength(1);
    expect(await faultsOf('html', page('\n<blink></blink>'.repeat(20)))).toHaveLength(5);
  });
});
