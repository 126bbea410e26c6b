import type * as z from 'zod/mini';

type Schema = { safeParse: (input: unknown) => { error?: { issues: z.core.$ZodIssue[] } } };

/** The text of each fault, by its field; texts of one field are joined. */
export function faultsIn(schema: Schema, input: unknown): Record<string, string> {
  const texts = Map.groupBy(schema.safeParse(input).error?.issues ?? [], ({ path }) => path.join('.'));
  return Object.fromEntries(
    [...texts].map(([field, issues]) => [field, issues.map(({ message }) => message).join(' | ')]),
  );
}
