import * as z from 'zod/mini';
import { isOwnName, OWN_NAMES, type Variable, variablesOf } from './email/placeholder.ts';

/** A field of content to check. It may be unfinished, but must be text. */
export const Draft = z.optional(z.nullable(z.string({ error: 'Content must be text' })));

/** Messages by field, as in `errors`. Content with warnings can still be created. */
export const Warnings = z.record(z.string(), z.array(z.string()));
export type Warnings = z.infer<typeof Warnings>;

export const ContentCheck = z.object({
  errors: z.record(z.string(), z.array(z.string())),
  warnings: Warnings,
});
export type ContentCheck = z.infer<typeof ContentCheck>;

export type Counted = {
  members: number;
  /** How many members' metadata was read: all of them if there are not many. */
  lookedAt: number;
  /** How many of the members that were read have a value in a column. */
  having: Record<string, number>;
  /** How many of all members have a date in a column. */
  dates: Record<string, number>;
};

export function warningsFrom(texts: Record<string, string | null | undefined>, counted: Counted): Warnings {
  const known = new Set([...Object.keys(counted.having), ...Object.keys(counted.dates)]);
  const found = Object.entries(texts).map(([field, text]): [string, string[]] => {
    const asked = variablesOf(text ?? '').filter(({ name }) => !isOwnName(name));
    return [field, [...new Set(asked.flatMap(variable => warningFor(variable, counted, known)))]];
  });
  return Object.fromEntries(found.filter(([, warnings]) => warnings.length > 0));
}

const shown = (count: number) => count.toLocaleString('en');

function warningFor({ name, fallback }: Variable, counted: Counted, known: Set<string>): string[] {
  const { members, lookedAt } = counted;
  if (members === 0) {
    return fallback
      ? []
      : [`No default is given for ${name}: members without it see nothing in its place. ${written(name)}`];
  }
  if (!known.has(name)) {
    const next = suggestionFor(name, known) || (fallback ? '' : written(name));
    return [`${unknown(name, fallback, counted)} ${next}`.trim()];
  }
  if (fallback) return [];
  if (lookedAt === members) return missing(name, members - (counted.having[name] ?? 0), shown(members));
  const dates = counted.dates[name];
  // Dates are counted for all members.
  if (dates !== undefined) return missing(name, Math.max(0, members - dates), shown(members), 'no date in ');
  return missing(name, lookedAt - (counted.having[name] ?? 0), lookedAtOf(counted));
}

const written = (name: string) => `Write {{${name} | '${/name/i.test(name) ? 'friend' : 'Default'}'}}.`;

const lookedAtOf = ({ members, lookedAt }: Counted) =>
  `the ${shown(lookedAt)} members that were looked at (of ${shown(members)})`;

const missing = (name: string, without: number, of: string, no = 'no ') =>
  without === 0
    ? []
    : [
        `${shown(without)} of ${of} members have ${no}${name} and no default is given. ${written(name)}`.replace(
          /\) members/,
          ')',
        ),
      ];

function unknown(name: string, fallback: string, counted: Counted): string {
  const { members, lookedAt } = counted;
  const nobody =
    lookedAt === members
      ? `None of ${shown(members)} ${members === 1 ? 'member' : 'members'} has ${name}`
      : `None of ${lookedAtOf(counted)} has ${name}`;
  return fallback ? `${nobody}: they get the default.` : `${nobody} and no default is given.`;
}

const plain = (name: string) => name.toLowerCase().replace(/[\W_]/g, '');

/** Suggests a known name that differs only in case or spaces. */
function suggestionFor(name: string, known: Set<string>): string {
  const like = [...known, ...Object.keys(OWN_NAMES)].find(other => plain(other) === plain(name));
  return like === undefined ? '' : `Is {{${like}}} meant?`;
}
