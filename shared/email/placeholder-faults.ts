import { parse, replacePlaceholders, type Variable, variablesOf } from './placeholder.ts';

// While a text is searched, this character stands for each placeholder that can be read.
const READ = '\ue000';
const OPEN = '[{\uff5b]';
const CLOSE = '[}\uff5d]';
const WITHIN = '[^{}\uff5b\uff5d\ue000]';

/** Matches texts that were meant as placeholders and are not. All lengths are bounded, so that no text takes long to match. */
const ATTEMPT = new RegExp(
  [
    // Too many braces around one: {{{name}}}
    `${OPEN}{1,9}${READ}${CLOSE}{0,9}|${READ}${CLOSE}{1,9}`,
    // Two opening braces before something that cannot be read, or that two braces do not close.
    `${OPEN}{2,9}${WITHIN}{0,300}${CLOSE}{1,9}|${OPEN}{2,9}[^{}\uff5b\uff5d\ue000\\s]{0,60}`,
    // One brace on one side: {name}, {name | 'you'}, {name}}
    `${OPEN}[ \\t]{0,9}[\\w.-][\\w .-]{0,63}(?:[|\uff5c]${WITHIN}{0,300})?${CLOSE}{1,9}`,
    // Two closing braces without opening ones.
    `[^{}\uff5b\uff5d\ue000\\s]{0,60}${CLOSE}{2,9}`,
    // As browsers encode a copied address: %7B%7Bname%7D%7D
    '%7b[^\\s{}<>()]{1,300}?(?:%7d){1,9}',
  ].join('|'),
  'gi',
);

const MOST_SAID = 3;

/** The faults of a text: what recipients would see instead of a placeholder, and what to write instead. */
export function placeholderFaults(text: string): string[] {
  const sources: string[] = [];
  const masked = replacePlaceholders(text.replaceAll(READ, '\ufffd'), source => {
    sources.push(source);
    return READ;
  });
  const said = [...masked.matchAll(ATTEMPT)].map(({ 0: attempt, index }) => {
    if (!attempt.includes(READ)) return saying(attempt, suggestionFor(attempt));
    const source = sources[masked.slice(0, index).split(READ).length - 1] ?? '';
    return saying(
      attempt.replace(READ, () => source),
      source,
    );
  });
  return [...new Set([...said, ...variablesOf(text).flatMap(faultOfDefault)])].slice(0, MOST_SAID);
}

const LONGEST_SHOWN = 60;

const saying = (attempt: string, instead: string | undefined) => {
  const shown = attempt.length > LONGEST_SHOWN ? `${attempt.slice(0, LONGEST_SHOWN)}…` : attempt;
  return instead
    ? `${shown} is not a placeholder: write ${instead}`
    : `${shown} is not a placeholder: write {{name}} or {{name | 'Default'}}, with a name of letters from a to z, digits, spaces, dots, - and _`;
};

const QUOTES = '[\'"`\u00b4\u2018-\u201f\u2032\u2033\u2039\u203a\u00ab\u00bb\uff02\uff07]';
const QUOTED = new RegExp(`^${QUOTES}+|${QUOTES}+$`, 'g');

function suggestionFor(attempt: string): string | undefined {
  const inner = attempt
    .replace(/%7b/gi, '{')
    .replace(/%7d/gi, '}')
    .replace(/%20/g, ' ')
    .replace(/%7c|\uff5c/gi, '|')
    .replace(/%27/g, "'")
    .replace(/%22/g, '"')
    .replace(/^[{\uff5b\s]+|[}\uff5d\s]+$/g, '');
  const bar = inner.indexOf('|');
  const name = (bar < 0 ? inner : inner.slice(0, bar)).replace(/\s+/g, ' ').trim();
  const after = inner
    .slice(bar + 1)
    .trim()
    .replace(/^default\s*[:(]\s*/i, '');
  const fallback = after.replace(QUOTED, '').replace(/\s+/g, ' ').trim();
  const quoted = fallback.includes("'") ? `"${fallback.replaceAll('"', '')}"` : `'${fallback}'`;
  const suggestion = bar < 0 ? `{{${name}}}` : `{{${name} | ${quoted}}}`;
  const [read, ...rest] = parse(suggestion);
  return typeof read === 'object' && rest.length === 0 ? suggestion : undefined;
}

/** Without its closing quote, a default extends to the next quote, over other placeholders. */
const faultOfDefault = ({ name, fallback }: Variable): string[] =>
  /\{\{|\}\}/.test(fallback)
    ? [`The default of {{${name}}} holds braces: close its quotes, as in {{${name} | 'Default'}}`]
    : [];
