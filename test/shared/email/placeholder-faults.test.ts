import { describe, expect, it } from 'vitest';
import { placeholderFaults } from '#shared/email/placeholder-faults.ts';

describe('what can be sent', () => {
  it.each([
    '',
    'Hello',
    'Hello {{first_name}}',
    "Hello {{ first_name | 'you' }} and {{a.b-c | \"it's\"}}",
    "{{first name | 'don\\'t'}}",
    "{{name | ''}}",
    'https://example.com/?{{utm_tags_template_id}}&c={{code}}',
    '{{a}}{{b}}',
    // Braces that nobody meant as a placeholder.
    'Smile :-} and {15% off!}',
    'One { opens',
    'one } closes',
    '{"a": 1}',
    '%7Btoken',
    '100%',
  ])('%j has no fault', text => expect(placeholderFaults(text)).toEqual([]));
});

describe('what recipients would see as it is written', () => {
  const NONE =
    "is not a placeholder: write {{name}} or {{name | 'Default'}}, with a name of letters from a to z, digits, spaces, dots, - and _";

  it.each([
    // Quotes.
    [
      'Hi {{first_name | ‘you’}}',
      "{{first_name | ‘you’}} is not a placeholder: write {{first_name | 'you'}}",
    ],
    ['{{name | “you”}}', "{{name | “you”}} is not a placeholder: write {{name | 'you'}}"],
    ['{{name | „du“}}', "{{name | „du“}} is not a placeholder: write {{name | 'du'}}"],
    ['{{name | «toi»}}', "{{name | «toi»}} is not a placeholder: write {{name | 'toi'}}"],
    ['{{name | `you`}}', "{{name | `you`}} is not a placeholder: write {{name | 'you'}}"],
    ["{{name | 'you’}}", "{{name | 'you’}} is not a placeholder: write {{name | 'you'}}"],
    ["{{name | 'you}}", "{{name | 'you}} is not a placeholder: write {{name | 'you'}}"],
    ['{{name | you}}', "{{name | you}} is not a placeholder: write {{name | 'you'}}"],
    ["{{name | 'it's'}}", "{{name | 'it's'}} is not a placeholder: write {{name | \"it's\"}}"],
    ['{{name | }}', "{{name | }} is not a placeholder: write {{name | ''}}"],
    ['{{name | default: "you"}}', '{{name | default: "you"}} is not a placeholder: write {{name | \'you\'}}'],
    // Numbers of braces.
    ['Hi {name}', '{name} is not a placeholder: write {{name}}'],
    ["Hi {name | 'you'}", "{name | 'you'} is not a placeholder: write {{name | 'you'}}"],
    ['Hi {{name}', '{{name} is not a placeholder: write {{name}}'],
    ['Hi {{name and you', '{{name is not a placeholder: write {{name}}'],
    ['Hi {name}}', '{name}} is not a placeholder: write {{name}}'],
    ['Hi name}}', 'name}} is not a placeholder: write {{name}}'],
    ['Hi {{{name}}}', '{{{name}}} is not a placeholder: write {{name}}'],
    ['Hi {{{{name}}}}', '{{{{name}}}} is not a placeholder: write {{name}}'],
    ['{{ok}} {{name}}}', '{{name}}} is not a placeholder: write {{name}}'],
    ['{{{name}}', '{{{name}} is not a placeholder: write {{name}}'],
    ['{ {name} }', '{name} is not a placeholder: write {{name}}'],
    ['{{{a}} {{b}}}', '{{{a}} is not a placeholder: write {{a}}', '{{b}}} is not a placeholder: write {{b}}'],
    // Other braces, as some keyboards have them.
    ['｛｛name｝｝', '｛｛name｝｝ is not a placeholder: write {{name}}'],
    ['｛name｝', '｛name｝ is not a placeholder: write {{name}}'],
    ["{{name ｜ 'you'}}", "{{name ｜ 'you'}} is not a placeholder: write {{name | 'you'}}"],
    // Lines.
    ['{{first\nname}}', '{{first\nname}} is not a placeholder: write {{first name}}'],
    // In an address, also as a browser copies it.
    ['https://example.com/?c={code}', '{code} is not a placeholder: write {{code}}'],
    ['https://example.com/?c={{code}', '{{code} is not a placeholder: write {{code}}'],
    ['https://example.com/?c=%7B%7Bcode%7D%7D', '%7B%7Bcode%7D%7D is not a placeholder: write {{code}}'],
    [
      "[Shop](https://example.com/?c=%7b%7bcode%20%7c%20'x'%7d%7d)",
      "%7b%7bcode%20%7c%20'x'%7d%7d is not a placeholder: write {{code | 'x'}}",
    ],
    // What no placeholder can say.
    ['{{}}', `{{}} ${NONE}`],
    ['{{prénom}}', `{{prénom}} ${NONE}`],
    ['{{#if vip}}', `{{#if vip}} ${NONE}`],
    ['{{name/first}}', `{{name/first}} ${NONE}`],
    [`{{${'n'.repeat(65)}}}`, `{{${'n'.repeat(58)}… ${NONE}`],
    // A quote that is closed by that of the next one.
    [
      "{{a | 'x}} and {{b | y'}}",
      "The default of {{a}} holds braces: close its quotes, as in {{a | 'Default'}}",
    ],
  ])('%j', (text, ...faults) => expect(placeholderFaults(text)).toEqual(faults));

  it('says a fault once, and at most three', () => {
    expect(placeholderFaults('{a} {a} {b} {c} {d}')).toHaveLength(3);
    expect(placeholderFaults('{a} {a}')).toHaveLength(1);
  });

  it.each([
    ['braces that open', '{'.repeat(10_000)],
    ['braces that close', '}'.repeat(10_000)],
    ['pairs that never close', '{{a '.repeat(2_500)],
    ['words before braces', `${'a'.repeat(9_998)}}}`],
    ['bars', '{a|'.repeat(3_333)],
    ['percent signs', '%7B'.repeat(3_333)],
    ['quotes', `{{a | '${'\\'.repeat(9_000)}`],
    ['placeholders in braces', '{{{a}}}'.repeat(28)],
  ])('reads many %s in one pass: with backtracking, this would not end', (_, text) => {
    placeholderFaults(text.repeat(5));
  });
});
