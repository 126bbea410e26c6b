export type Writable = HTMLInputElement | HTMLTextAreaElement;
type Selected = { text: string; start: number; end: number };
/** Writes over a range of a text, and selects a range of the new text. */
export type TextEdit = { from: number; to: number; text: string; select: [start: number, end: number] };

/** Puts marks around the selected words, or removes them. */
export const marked =
  (mark: '*' | '**') =>
  ({ text, start, end }: Selected): TextEdit => {
    // Marks beside a space are not read as marks.
    const words = text.slice(start, end).trim();
    const from = words ? text.indexOf(words, start) : start;
    const to = from + words.length;
    const before = /\**$/.exec(text.slice(0, from))?.[0].length ?? 0;
    const after = /^\**/.exec(text.slice(to))?.[0].length ?? 0;
    const stars = Math.min(before, after);
    const { length } = mark;
    return (length === 2 ? stars >= 2 : stars % 2 === 1)
      ? { from: from - length, to: to + length, text: words, select: [from - length, to - length] }
      : { from, to, text: `${mark}${words}${mark}`, select: [from + length, to + length] };
  };

/** Selects what is still to be written: the words of the link, or its address. */
export function linked({ text, start, end }: Selected): TextEdit {
  const chosen = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(chosen);
  const words = (!isAddress && chosen) || 'text';
  const address = isAddress ? chosen : 'https://';
  const at = chosen && !isAddress ? start + words.length + 3 : start + 1;
  const { length } = chosen && !isAddress ? address : words;
  return { from: start, to: end, text: `[${words}](${address})`, select: [at, at + length] };
}

/** Makes the selected lines entries of a list, or lines again. */
export function listed({ text, start, end }: Selected): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isList = lines.every(line => line.startsWith('- '));
  const after = lines.map(line => (isList ? line.slice(2) : `- ${line}`)).join('\n');
  const last = from + after.length;
  return { from, to, text: after, select: [start === end ? last : from, last] };
}

/** As a paragraph of its own. */
export function asParagraph(markdown: string, { text, start, end }: Selected): TextEdit {
  const above = start === 0 || text[start - 1] === '\n' ? '' : '\n\n';
  const below = end === text.length || text[end] === '\n' ? '' : '\n\n';
  const caret = start + above.length + markdown.length;
  return { from: start, to: end, text: above + markdown + below, select: [caret, caret] };
}

/** The caret is where the default is written, if it can have one. */
export function placed(name: string, hasDefault: boolean, { start, end }: Selected): TextEdit {
  const text = hasDefault ? `{{${name} | ''}}` : `{{${name}}}`;
  const caret = start + text.length - (hasDefault ? 3 : 0);
  return { from: start, to: end, text, select: [caret, caret] };
}

/** Edits a field as typing does, so that the browser can undo it. */
export function applyTo(field: Writable, edit: (selected: Selected) => TextEdit) {
  const { value, selectionStart, selectionEnd } = field;
  const { from, to, text, select } = edit({
    text: value,
    start: selectionStart ?? value.length,
    end: selectionEnd ?? value.length,
  });
  field.focus();
  field.setSelectionRange(from, to);
  // Deprecated, but nothing else can be undone: `setRangeText` is for where it does nothing, as in a field that has no focus.
  if (document.activeElement !== field || !document.execCommand('insertText', false, text)) {
    field.setRangeText(text, from, to);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(...select);
}
