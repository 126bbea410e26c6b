import type { Content } from '#shared/email/content.ts';
import type { Language } from '#shared/email/language.ts';
import type { MetadataValue } from '#shared/metadata.ts';

export type Case = {
  content?: Partial<Content>;
  language?: Language;
  unsubscribeWord?: string;
  metadata?: Record<string, MetadataValue>;
};

/** What a case says nothing of. */
export const PLAIN: Content = {
  subject_line: 'Your order is on its way',
  preheader: 'It arrives on Thursday.',
  pre_cta_content: 'Hello,\n\nyour order left our warehouse this morning.',
  cta_text: 'Track the parcel',
  cta_url: 'https://shop.example.com/track',
  after_cta_content: null,
  footer: 'To unsubscribe from these emails, click here: {{UNSUB_LINK}}',
};

const UPLOADED = `/files/7/${'0123456789abcdef'.repeat(4)}.jpg`;
const LONG = 'We looked through everything that was sent this year, and this is what we found. '.repeat(8);

/** Contents as people write them, and as people write them who mean harm. The name says what to look for. */
export const CORPUS: Record<string, Case> = {
  plain: {},
  'without-preheader': { content: { preheader: null } },
  'with-all-parts': { content: { after_cta_content: 'Questions? Just *reply* to this email.' } },
  paragraphs: { content: { pre_cta_content: 'One.\n\nTwo,\nin two lines.\n\n\n\nThree.' } },
  'windows-line-ends': { content: { pre_cta_content: 'One.\r\n\r\nTwo,\r\nin two lines.' } },
  emphasis: {
    content: { pre_cta_content: 'This is *soft*, **strong**, ***both***, and snake_case_words stay.' },
  },
  headings: { content: { pre_cta_content: '# One\n\nText.\n\n## Two\n\nText.\n\n### Three\n\nText.' } },
  'bullet-list': { content: { pre_cta_content: 'You get:\n\n- apples\n- **pears**\n- plums\n\nEnjoy.' } },
  'numbered-list': { content: { pre_cta_content: 'Do this:\n\n3. open\n4. read\n5. close' } },
  'nested-list': { content: { pre_cta_content: '- fruit\n  - apples\n  - pears\n- bread\n\n  with butter' } },
  quote: { content: { pre_cta_content: '> The best shop.\n>\n> **Every** time.\n\nThey said so.' } },
  rule: { content: { pre_cta_content: 'Above.\n\n---\n\nBelow.' } },
  links: {
    content: {
      pre_cta_content:
        'See [the shop](https://shop.example.com/a?b=1&c=2 "Shop"), <https://shop.example.com>, [mail us](mailto:help@example.com) or [call](tel:+4912345).',
    },
  },
  'link-of-a-placeholder': {
    content: { pre_cta_content: '[Your invoice]({{invoice_url}})', cta_url: '{{order_url}}' },
    metadata: {
      invoice_url: 'https://shop.example.com/i/7?a=1&b=2',
      order_url: 'https://shop.example.com/o/7',
    },
  },
  'link-of-a-placeholder-that-is-a-script': {
    content: { pre_cta_content: '[Your invoice]({{invoice_url}})', cta_url: '{{order_url}}' },
    metadata: { invoice_url: 'javascript:alert(1)', order_url: 'data:text/html,<script>alert(1)</script>' },
  },
  'link-without-a-value': {
    content: { pre_cta_content: '[Your invoice]({{invoice_url}})', cta_url: '{{order_url}}' },
  },
  'value-within-an-address': {
    content: { cta_url: 'https://shop.example.com/?name={{name}}&x={{missing | "a b"}}' },
    metadata: { name: 'Å & co/?#"<>' },
  },
  'campaign-tags': {
    content: {
      pre_cta_content: '[Shop](https://shop.example.com/?{{utm_tags_automation_id}})',
      cta_url: 'https://shop.example.com/?a=1&{{utm_tags_combination_id}}',
    },
  },
  'own-placeholders': {
    content: {
      pre_cta_content:
        '{{automation_name}}, {{automation_id}}, {{days_since_trigger}}, {{combination_id}}, {{template_id}}, {{template_combination_id}}, {{utm_tags_automation_name}}',
    },
  },
  defaults: {
    content: {
      subject_line: 'Hello {{first_name | "you"}}',
      pre_cta_content:
        "{{first_name | 'friend'}}, {{ last name|'O\\'Neil' }}, {{x | \"say \\\"hi\\\"\"}}, {{y | '}}'}}.",
    },
  },
  'values-of-every-type': {
    content: { pre_cta_content: '{{text}}, {{number}}, {{yes}}, {{day}}, {{instant}}, {{zero}}, {{no}}.' },
    metadata: {
      text: 'a text',
      number: 12.5,
      yes: true,
      day: '2030-01-05',
      instant: '2030-01-05T23:30:00-02:00',
      zero: 0,
      no: false,
    },
  },
  'dates-in-german': {
    content: { subject_line: 'Endet am {{ends}}', pre_cta_content: 'Ihr Test endet am **{{ends}}**.' },
    language: 'de',
    unsubscribeWord: 'Abbestellen',
    metadata: { ends: '2030-03-07T10:00:00Z' },
  },
  'names-with-spaces-and-dots': {
    content: { pre_cta_content: '{{First Name}} {{last.name}} {{a-b_c}}' },
    metadata: { 'First Name': 'Ann', 'last.name': 'Lee', 'a-b_c': '!' },
  },
  arabic: {
    content: {
      subject_line: 'مرحبا {{name}}',
      preheader: 'عرض اليوم',
      pre_cta_content: '## مرحبا {{name}}\n\nهذا **عرض** خاص:\n\n- واحد\n- اثنان\n\n> اقتباس',
      cta_text: 'تسوق الآن',
      footer: 'لإلغاء الاشتراك: {{UNSUB_LINK}}',
    },
    language: 'ar',
    metadata: { name: 'Ann' },
  },
  hebrew: {
    content: {
      subject_line: 'שלום {{name}}',
      pre_cta_content: 'שלום {{name}},\n\nיש לנו **הצעה** בשבילך.',
      cta_text: 'לחנות',
      footer: 'להסרה: {{UNSUB_LINK}}',
    },
    language: 'he',
    metadata: { name: 'Ann' },
  },
  chinese: {
    content: {
      subject_line: '您好',
      pre_cta_content: '您好 {{name}}，\n\n**今天**有优惠。',
      cta_text: '立即购买',
    },
    language: 'zh',
    metadata: { name: '安' },
  },
  emoji: {
    content: { subject_line: '🎉 Party 👩‍👩‍👧‍👦', pre_cta_content: '🎉 **Party** 🇫🇷', cta_text: '🎈 Come' },
  },
  'long-text': {
    content: {
      pre_cta_content: `${LONG}\n\n${LONG}\n\n${LONG}`,
      after_cta_content: LONG,
      footer: `${LONG}{{UNSUB_LINK}}`,
    },
  },
  'long-words': {
    content: {
      pre_cta_content: `${'Donaudampfschifffahrt'.repeat(12)}\n\n[x](https://shop.example.com/${'a'.repeat(300)}) <https://shop.example.com/${'b'.repeat(200)}>`,
      cta_text: 'A button with rather a lot of text, more than fits on one line of a phone',
    },
  },
  'long-subject': { content: { subject_line: 'A subject that goes on. '.repeat(10) } },
  'unsubscribe-in-many-places': {
    content: {
      subject_line: 'Leave: {{UNSUB_LINK}}',
      pre_cta_content:
        '{{UNSUB_LINK}}, [leave]({{UNSUB_LINK}}), [**{{UNSUB_LINK}}**](https://shop.example.com), <https://shop.example.com/?u={{UNSUB_LINK}}>',
    },
  },
  'text-after-the-link': { content: { footer: '{{UNSUB_LINK}} | Example Ltd, 1 High Street' } },
  'html-is-text': {
    content: {
      subject_line: '<b>Hi</b>',
      preheader: '<i>Hi</i>',
      pre_cta_content:
        '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> <b>bold</b> &amp; &#60;i&#62; <!-- x -->',
      cta_text: '<u>Go</u>',
    },
  },
  'html-in-values': {
    content: {
      subject_line: '{{name}}',
      pre_cta_content: 'Hi {{name}} [{{name}}](https://x.example.com/{{name}})',
      cta_text: '{{name}}',
    },
    metadata: { name: '"><script>alert(1)</script><a href=\'x' },
  },
  'placeholders-in-values': {
    content: { subject_line: '{{name}}', pre_cta_content: 'Hi {{name}}' },
    metadata: {
      name: '{{UNSUB_LINK}} {{automation_id}} %recipient.email% %unsubscribe_url% [x](https://evil.test) **b**',
    },
  },
  'markdown-in-values': {
    content: { pre_cta_content: '{{name}}\n\n**{{name}}**' },
    metadata: { name: '# [x](javascript:alert(1)) *a* \n\n- b' },
  },
  'line-breaks-in-values': {
    content: { subject_line: 'Hi {{name}}', preheader: '{{name}}' },
    metadata: { name: 'Ann\r\nBcc: victim@example.com\r\n\r\n<b>' },
  },
  'line-breaks-in-the-subject': {
    content: { subject_line: 'Hi\r\nBcc: victim@example.com', cta_text: 'Go\nnow' },
  },
  'variables-of-the-provider': {
    content: {
      subject_line: '%recipient.email%',
      pre_cta_content: '%recipient.v0% %RECIPIENT.x% %unsubscribe_url% 100%',
      cta_url: 'https://shop.example.com/?a=%recipient.email%&b=%41',
    },
  },
  expressions: {
    content: {
      pre_cta_content:
        "{{constructor.constructor('return process.env')()}} {{__proto__}} {{constructor}} {{toString}} <%= 1 %>",
    },
  },
  'unclosed-braces': {
    content: { pre_cta_content: '{{name and {{ and }} and {{name | }} and {{{name}}} and {{name}' },
    metadata: { name: 'Ann' },
  },
  'dangerous-links': {
    content: {
      pre_cta_content:
        '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x) [e](https://ann:secret@example.com) [f](//example.com) [g](/path) [h](file:///etc/passwd) <javascript:alert(1)>',
    },
  },
  'code-is-text': { content: { pre_cta_content: '`code` and ~~gone~~' } },
  images: {
    content: {
      pre_cta_content: `![Our *new* shop](${UPLOADED} "520")\n\n[![The sale](https://cdn.example.com/sale.gif "1200")](https://shop.example.com/sale)\n\nTo {{name}}: ![{{name}} & friends]({{picture}}) ![](https://cdn.example.com/a_(1).png?name={{name}} "Shop")`,
    },
    metadata: { name: 'Ann "<b>" O’Neil', picture: 'https://cdn.example.com/p/7.png?a=1&b=2' },
  },
  'dangerous-images': {
    content: {
      pre_cta_content:
        '![a](javascript:alert(1)) ![b](data:image/png;base64,AAAA) ![c](http://example.com/a.png) ![d](//example.com/a.png) ![e](/path.png) ![f](/files/../api/user) ![g](https://ann:secret@example.com/a.png) ![" onerror="alert(1)](https://x.example.com/"onerror="alert(1) "1\\" onload=\\"x") ![h]({{script}}) ![{{script}}](https://x.example.com/{{script}}) ![{{UNSUB_LINK}}]({{UNSUB_LINK}}) ![![i](javascript:x)](javascript:y)',
    },
    metadata: { script: '"><img src=x onerror=alert(1)>' },
  },
  tables: {
    content: {
      pre_cta_content:
        'Your order:\n\n| Item | Pieces | Price |\n|---|:-:|--:|\n| **Tea** \\| green | 2 | {{price | \'7\'}} € |\n| [Cups](https://shop.example.com/cups) | 12 | 30 € |\n| ![A pot](https://cdn.example.com/pot.png "40") |\n\nThank you.',
      footer: '| a | b |\n|---|---|\n| Leave: {{UNSUB_LINK}} | c |',
    },
    metadata: { price: '<b>8</b> | 9' },
  },
  'table-in-hebrew': { content: { pre_cta_content: '| א | ב |\n|---|---|\n| ג | ד |' }, language: 'he' },
  'no-tables': { content: { pre_cta_content: '| a | b |\n\na | b\n|---|\n\n- x\n| a |\n|---|' } },
  'invisible-characters': {
    content: {
      subject_line: 'a\u202Eb\u2066c\u0000d',
      pre_cta_content: 'a\u202Eb\u0000c\uE000d\uD800e\u200Bf',
    },
  },
  'private-use-characters': {
    content: { pre_cta_content: '\uE000{{name}}\uE001 [x](https://shop.example.com/\uE000)' },
    metadata: { name: 'Ann' },
  },
  'only-placeholders': {
    content: {
      subject_line: '{{a}}',
      preheader: '{{b}}',
      pre_cta_content: '{{c}}',
      cta_text: '{{d}}',
      footer: '{{UNSUB_LINK}}',
    },
  },
};
