import { messageOf, Problem, serverMessageOr } from './problem.ts';

type FormErrors = { fields: [name: string, message: string][]; general: string | undefined };

/** The errors of a failed save: each at its field where the form has it, the rest as one general message. */
export function errorsByField(error: unknown, known: readonly string[], fallback?: string): FormErrors {
  if (!(error instanceof Problem)) return { fields: [], general: fallback ?? messageOf(error) };
  const errors = Object.entries(error.fields).flatMap(([name, [first]]) =>
    first ? [[name, first] as const] : [],
  );
  const fields = errors
    .filter(([name]) => known.includes(name))
    .map(([name, first]): [string, string] => [name, first]);
  const others = errors.filter(([name]) => !known.includes(name)).map(([, first]) => first);
  if (others.length > 0) return { fields, general: others.join(' ') };
  return {
    fields,
    general: fields.length > 0 ? undefined : serverMessageOr(error, fallback ?? error.message),
  };
}
