import { messageOf, Problem, serverMessageOr } from './problem.ts';

type FormErrors = { fields: [name: string, message: string][]; general: string | undefined };

/** The errors of a failed save: those of fields in the form at their fields, all others as one general message. */
export function errorsByField(error: unknown, known: readonly string[], fallback?: string): FormErrors {
  if (!(error instanceof Problem)) return { fields: [], general: fallback ?? messageOf(error) };
  const errors = Object.entries(error.fields).flatMap(([name, [first]]) => (first ? [{ name, first }] : []));
  const { fields = [], others = [] } = Object.groupBy(errors, ({ name }) =>
    known.includes(name) ? 'fields' : 'others',
  );
  const whole = errors.length > 0 ? undefined : serverMessageOr(error, fallback ?? error.message);
  return {
    fields: fields.map(({ name, first }) => [name, first]),
    general: others.length > 0 ? others.map(({ first }) => first).join(' ') : whole,
  };
}
