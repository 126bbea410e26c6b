import { styleText } from 'node:util';
import type { Operations } from '../operations.ts';
import type { Fault } from './directory.ts';

export type Plan = Operations['createPlan']['answer'];
type Change = Plan['changes'][number];
type Colour = 'green' | 'red' | 'yellow' | 'bold' | 'dim';

export type Style = (colour: Colour, text: string) => string;
export const plain: Style = (_, text) => text;
export const coloured: Style = (colour, text) => styleText(colour, text, { validateStream: false });

/** What is stored may have characters that a terminal takes as commands. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '·');

const LONGEST_VALUE = 400;
function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'string' && /^[\w:.-]+$/.test(value) ? value : JSON.stringify(value);
  return printable(text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);
}

const SIGNS: Record<Change['action'], { sign: string; colour: Colour }> = {
  create: { sign: '+', colour: 'green' },
  change: { sign: '~', colour: 'yellow' },
  new_wording: { sign: '~', colour: 'yellow' },
  delete: { sign: '-', colour: 'red' },
};
const NOUNS: Record<Change['kind'], string> = {
  automation: 'automation',
  sequence: 'sequence',
  template: 'template',
  asset: 'asset',
  safeguards: 'safeguards',
  sending_hours: 'sending hours',
  holdout: 'holdout',
};

function linesOfChange({ kind, id, name, action, before, after }: Change, style: Style): string[] {
  const { sign, colour } = SIGNS[action];
  const title = [sign, NOUNS[kind], printable(name ?? id ?? '')].filter(Boolean).join(' ');
  const note = action === 'new_wording' ? ' (a new wording)' : action === 'delete' ? ' (deleted)' : '';
  if (action === 'delete') return [style(colour, title + note)];
  const fields = Object.keys({ ...before, ...after }).flatMap(field =>
    before
      ? linesOfField(field, before[field], after?.[field], style)
      : `    ${field}: ${shownValue(after?.[field])}`,
  );
  return [style(colour, title + note), ...fields];
}

/** Of a list, what went and what came. */
function linesOfField(field: string, from: unknown, to: unknown, style: Style): string[] {
  if (!Array.isArray(from) || !Array.isArray(to))
    return [`    ${field}: ${shownValue(from)} → ${shownValue(to)}`];
  const [before, after] = [from.map(shownValue), to.map(shownValue)];
  return [
    `    ${field}:`,
    ...before.filter(one => !after.includes(one)).map(one => style('red', `      - ${one}`)),
    ...after.filter(one => !before.includes(one)).map(one => style('green', `      + ${one}`)),
  ];
}

const people = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`;
const about = (margin: number) => (margin > 0 ? ` (± ${margin})` : '');
const signed = (sign: string, count: number) => (count === 0 ? '' : `${sign}${count}`).padStart(8);

/**
 * What a plan changes, and who is touched. Without addresses, as such a text is shown in pull requests: those of the samples are
 * on the plan's page.
 */
export function planText(
  { hash, expires_at, applied_at, changes, effect }: Plan,
  url: string,
  style: Style,
): string {
  if (changes.length === 0) return 'Nothing to change: everything is as the directory says.';
  const { days, newly_reached, no_longer_reached, binding_caps, obstacles, sampled, counted_share } = effect;
  const touched = days.filter(({ more, fewer }) => more > 0 || fewer > 0);
  return [
    ...changes.flatMap(change => linesOfChange(change, style)),
    '',
    style('bold', 'Who is touched in 30 days'),
    `    ${people(newly_reached.count)}${about(newly_reached.margin)} newly reached, ${people(no_longer_reached.count)}${about(no_longer_reached.margin)} no longer reached`,
    ...(touched.length === 0
      ? ['    No day has more emails or fewer']
      : touched.map(({ date, more, fewer }) =>
          `    ${date}${signed('+', more)}${signed('-', fewer)}`.trimEnd(),
        )),
    ...(sampled || counted_share < 1 ? ['    The numbers are of a sample'] : []),
    ...binding_caps.map(
      ({ cap, emails_now, emails }) => `    ${cap} holds back ${emails} emails, now ${emails_now}`,
    ),
    ...obstacles.map(
      ({ automation, text, emails }) =>
        `    ${printable(automation)}: ${emails > 0 ? `${emails} emails are left out: ` : ''}${printable(text)}`,
    ),
    '',
    applied_at
      ? `Applied at ${applied_at}.`
      : `${style('dim', `Plan ${hash}`)}\n${style('dim', `until ${expires_at}: ${new URL(`/plans/${hash}`, url)}`)}`,
  ].join('\n');
}

export const faultText = ({ file, line, field, text }: Fault) =>
  printable([file && `${file}:${line}`, field, text].filter(Boolean).join(': '));
