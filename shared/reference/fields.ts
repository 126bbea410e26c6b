import type { Schema } from './openapi.ts';

export type Field = {
  /** The path, such as `members[].email`. */
  name: string;
  type: string;
  required: boolean;
  /** Such as `at most 100 characters`. */
  limits: string[];
  default?: string;
  text: string;
};

const ANY_KEY = '*';

/** The fields of an object, or of the objects of an array, each followed by its own fields. */
export function fieldsOf(schema: Schema, within = ''): Field[] {
  const of = notNull(schema);
  if (of.items) return fieldsOf(of.items, `${within}[]`);
  const named = Object.entries(of.properties ?? {}).flatMap(([name, part]) =>
    fieldAndInner(name, part, of.required?.includes(name) ?? false, within),
  );
  const { additionalProperties: others } = of;
  if (typeof others !== 'object') return named;
  return [...named, ...fieldAndInner(ANY_KEY, others, false, within)];
}

function fieldAndInner(key: string, schema: Schema, required: boolean, within: string): Field[] {
  const name = within ? `${within}.${key}` : key;
  return [fieldOf(name, schema, required), ...fieldsOf(schema, name)];
}

export const fieldOf = (name: string, schema: Schema, required: boolean): Field => ({
  name,
  type: typeOf(schema),
  required,
  limits: limitsOf(notNull(schema)),
  ...(schema.default !== undefined && { default: JSON.stringify(schema.default) }),
  text: schema.description ?? '',
});

const isNull = ({ type, ...schema }: Schema) =>
  type === 'null' || ('const' in schema && schema.const === null);

const notNull = (schema: Schema): Schema => {
  const [only, ...others] = (schema.anyOf ?? []).filter(choice => !isNull(choice));
  return only && others.length === 0 ? only : schema;
};

const ITEMS: Record<string, string> = {
  string: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  boolean: 'booleans',
  object: 'objects',
};
const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  null: 'null',
};
const FORMATS: Record<string, string> = { 'date-time': 'date and time', date: 'date', uri: 'URL' };

/** The type of a schema in words, such as `array of objects` or `text or null`. */
export function typeOf(schema: Schema): string {
  const { type, anyOf, items, format } = schema;
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (schema.enum || 'const' in schema) return typeOfValues(schema.enum ?? [schema.const]);
  if (Array.isArray(type)) return type.map(one => TYPES[one] ?? one).join(' or ');
  if (items) return items.type ? `array of ${ITEMS[String(items.type)] ?? typeOf(items)}` : 'array';
  if (format && FORMATS[format]) return FORMATS[format];
  return type ? (TYPES[type] ?? type) : 'any value';
}

const typeOfValues = (values: unknown[]) =>
  [...new Set(values.map(value => (value === null ? 'null' : (TYPES[typeof value] ?? 'any value'))))].join(
    ' or ',
  );

const number = (value: number) => value.toLocaleString('en');

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, items, anyOf } = schema;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const choices = values ?? anyOf?.flatMap(one => one.enum ?? (one.const === undefined ? [] : [one.const]));
  const limits: (string | false | undefined)[] = [
    choices && choices.length > 0 && choices.map(value => JSON.stringify(value)).join(', '),
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    pattern && `matches ${pattern}`,
    ...(items && !items.properties ? limitsOf(items).map(limit => `each ${limit}`) : []),
  ];
  return limits.filter(limit => typeof limit === 'string');
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least !== undefined && most !== undefined) return `${number(least)} to ${number(most)}${unit}`;
  if (most !== undefined) return `at most ${number(most)}${unit}`;
  return least === undefined ? undefined : `at least ${number(least)}${unit}`;
}

const FORMATTED: Record<string, string> = { 'date-time': '2026-03-02T09:30:00Z', date: '2026-03-02' };

export function exampleOf(schema: Schema, onlyRequired = false): unknown {
  const { examples, anyOf, items, properties, required = [], format, minimum } = schema;
  if (examples) return examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if ('const' in schema) return schema.const;
  if (anyOf) return exampleOf(notNull(schema) === schema ? (anyOf[0] ?? {}) : notNull(schema), onlyRequired);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (properties) {
    const shown = Object.entries(properties).filter(
      ([name, part]) => (!onlyRequired || required.includes(name)) && !('x-alternative' in part),
    );
    return Object.fromEntries(shown.map(([name, part]) => [name, exampleOf(part, onlyRequired)]));
  }
  const { additionalProperties: others, propertyNames } = schema;
  if (propertyNames?.enum && typeof others === 'object') {
    return Object.fromEntries(propertyNames.enum.map(name => [name, exampleOf(others, onlyRequired)]));
  }
  if (items) return [exampleOf(items, onlyRequired)];
  if (format) return FORMATTED[format] ?? '…';
  return (
    { string: '…', integer: Math.max(minimum ?? 0, 0), number: 1, boolean: true, object: {} }[String(type)] ??
    null
  );
}

export function saidOf({ text, limits, default: standard }: Field): string {
  const sentences = [text, limits.join('; '), standard !== undefined && `Default: ${standard}`];
  return sentences.flatMap(sentence => (sentence ? [sentenceOf(sentence)] : [])).join(' ');
}

const sentenceOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
