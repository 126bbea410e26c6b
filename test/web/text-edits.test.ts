import { expect, it } from 'vitest';
import { asParagraph, linked, listed, marked, placed, type TextEdit } from '#web/lib/text-edits.ts';

/** The text after an edit. Brackets of these kinds stand around what is selected before and after. */
function after(shown: string, edit: (selected: { text: string; start: number; end: number }) => TextEdit) {
  const start = shown.indexOf('‹');
  const end = shown.indexOf('›') - 1;
  const text = shown.replace(/[‹›]/g, '');
  const { from, to, text: written, select } = edit({ text, start, end });
  const whole = text.slice(0, from) + written + text.slice(to);
  return `${whole.slice(0, select[0])}‹${whole.slice(...select)}›${whole.slice(select[1])}`;
}

it.each([
  ['a ‹word› b', '**', 'a **‹word›** b'],
  ['a **‹word›** b', '**', 'a ‹word› b'],
  ['a **‹word›** b', '*', 'a ***‹word›*** b'],
  ['a ***‹word›*** b', '**', 'a *‹word›* b'],
  ['a *‹word›* b', '*', 'a ‹word› b'],
  ['a‹ word ›b', '*', 'a *‹word›* b'],
  ['‹›', '**', '**‹›**'],
] as const)('of “%s”, %s makes “%s”', (before, mark, expected) => {
  expect(after(before, marked(mark))).toBe(expected);
});

it.each([
  ['see ‹this›', 'see [this](‹https://›)'],
  ['‹https://a.example/b›', '[‹text›](https://a.example/b)'],
  ['‹›', '[‹text›](https://)'],
])('of “%s”, a link makes “%s”', (before, expected) => expect(after(before, linked)).toBe(expected));

it.each([
  ['a\nb‹›\nc', 'a\n- b‹›\nc'],
  ['a‹\nb›b\nc', '‹- a\n- bb›\nc'],
  ['‹- a\n- b›', '‹a\nb›'],
])('of “%s”, a list makes “%s”', (before, expected) => expect(after(before, listed)).toBe(expected));

it('an image is a paragraph of its own, and the default of a placeholder is what is written next', () => {
  const image = (before: string) => after(before, selected => asParagraph('![a](b)', selected));
  expect(image('Above.‹›')).toBe('Above.\n\n![a](b)‹›');
  expect(image('‹›\nBelow')).toBe('![a](b)‹›\nBelow');
  expect(image('a‹b›c')).toBe('a\n\n![a](b)‹›\n\nc');
  expect(after('Hi ‹›', selected => placed('name', true, selected))).toBe("Hi {{name | '‹›'}}");
  expect(after('?n=‹›', selected => placed('name', false, selected))).toBe('?n={{name}}‹›');
});
