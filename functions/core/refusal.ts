export type Reason =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'wrong-method'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'too-many';

type Details = { errors?: Record<string, string[]>; retryAfter?: number; allow?: string };

/** A call is refused for a reason on which its caller can act. Any other error is a fault of the product. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;
  readonly errors: Record<string, string[]> | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;
  /** The methods that the path takes. */
  readonly allow: string | undefined;

  constructor(reason: Reason, message: string, details: Details = {}) {
    super(message);
    this.reason = reason;
    this.errors = details.errors;
    this.retryAfter = details.retryAfter;
    this.allow = details.allow;
  }
}

type Fault = readonly [field: string, text: string];

const MOST_FIELDS = 20;
const MOST_TEXTS = 20;
const LONGEST_FIELD = 80;

/** The messages by field, for `errors`. The number of fields is bounded, so that no request makes the response large. */
export function textsByField(faults: Fault[]): Record<string, string[]> {
  const fields = [...Map.groupBy(faults, ([field]) => shortened(field))];
  const shown = fields.slice(0, MOST_FIELDS).map(([field, found]): [string, string[]] => {
    const texts = found.slice(0, MOST_TEXTS).map(([, text]) => text);
    return [field, [...texts, ...others(found.length - MOST_TEXTS)]];
  });
  const more = others(fields.length - MOST_FIELDS);
  // Object.fromEntries, not assignment: a field may be called `__proto__`.
  return Object.fromEntries(more.length > 0 ? [...shown, ['…', more]] : shown);
}

const others = (count: number) => (count > 0 ? [`and ${count} more`] : []);

/** Shortens the name of a field, which a caller may choose. */
const shortened = (field: string) =>
  field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field;

export const invalid = (field: string, message: string) =>
  new Refusal('invalid', message, { errors: { [field]: [message] } });

type Parsing<T> = {
  safeParse: (
    input: unknown,
  ) =>
    | { success: true; data: T }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
};

/** Throws the faults by field, where the schema follows from what is stored. */
export function parsed<T>(schema: Parsing<T>, input: object): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [path.join('.'), message] as const);
  throw new Refusal('invalid', faults[0]?.[1] ?? '', { errors: textsByField(faults) });
}
