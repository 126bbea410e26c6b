import { messageOf, Problem } from './problem.ts';

type Told = { fields: [name: string, message: string][]; general: string | undefined };

/** What a refused call says, told at the fields that the form has; the rest is said once for all of it. */
export function tellErrors(error: unknown, known: readonly string[], fallback?: string): Told {
  if (!(error instanceof Problem)) return { fields: [], general: fallback ?? messageOf(error) };
  const faults = Object.entries(error.fields).flatMap(([name, [first]]) =>
    first ? [[name, first] as const] : [],
  );
  const fields = faults
    .filter(([name]) => known.includes(name))
    .map(([name, first]): [string, string] => [name, first]);
  const elsewhere = faults.filter(([name]) => !known.includes(name)).map(([, first]) => first);
  if (elsewhere.length > 0) return { fields, general: elsewhere.join(' ') };
  return { fields, general: fields.length > 0 ? undefined : (fallback ?? error.message) };
}
