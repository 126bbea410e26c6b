import { FIELD_TEXTS, type FieldText } from '#shared/openapi-texts.ts';

export type Named = { id: string; group: string };

export type Schema = {
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  anyOf?: Schema[];
  [keyword: string]: unknown;
};

/** By the operation, then by what contains the field, or by the group if nothing does, then by the name alone. */
function textOf(name: string, { id, group }: Named, within?: string): FieldText | undefined {
  const inGroup = within === undefined ? FIELD_TEXTS[`${group}.${name}`] : FIELD_TEXTS[`${within}.${name}`];
  return FIELD_TEXTS[`${id}.${name}`] ?? inGroup ?? FIELD_TEXTS[name];
}

/** The text of a path parameter. Without a text of its own, it is described as an id. */
export const pathText = (name: string, of: Named): FieldText => {
  const words = name.replace(/[A-Z]/g, letter => `_${letter}`);
  return {
    description: `The id of the ${words.replaceAll('_', ' ').toLowerCase()}`,
    examples: [`${words.toUpperCase()}_ID`],
    ...textOf(`path.${name}`, of),
  };
};

/** A schema with the texts of its fields, and without parts that tell a reader nothing. */
export function described(schema: Schema, of: Named, within?: string): Schema {
  const { anyOf, items, properties, additionalProperties, propertyNames, ...rest } = withoutNoise(schema);
  const inner = (part: Schema, name = within) => described(part, of, name);
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(part => inner(part)) }),
    ...(items && { items: inner(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties)
          // Fields that are always refused.
          .filter(([, part]) => !part.not)
          .map(([name, part]) => [name, withText(inner(part, name), textOf(name, of, within))]),
      ),
    }),
    ...(propertyNames?.enum !== undefined && { propertyNames }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : inner(additionalProperties),
    }),
  };
}

/** What the schema says itself has precedence, except for the contents of an array or an object. */
export function withText(schema: Schema, text: FieldText | undefined): Schema {
  if (!text || !isExampleOf(schema, text)) return schema;
  const { items, ...said } = text as FieldText & { items?: Schema };
  const isOpen = schema.items && Object.keys(schema.items).length === 0;
  return { ...said, ...schema, ...(items && isOpen && { items }) };
}

/** Otherwise the text is of another field with the same name, such as a count instead of a text. */
function isExampleOf(schema: Schema, { examples }: FieldText): boolean {
  const types = typesOf(schema);
  if (!examples || types.length === 0) return true;
  const [example] = examples;
  if (example === null) return types.includes('null');
  if (Array.isArray(example)) return types.includes('array');
  return typeof example === 'number'
    ? types.includes('number') || types.includes('integer')
    : types.includes(typeof example);
}

const typesOf = ({ type, anyOf, enum: values }: Schema): string[] => {
  if (anyOf) return anyOf.flatMap(typesOf);
  return type === undefined ? ((values as unknown[]) ?? []).map(value => typeof value) : [type].flat();
};

/** The pattern of a number in a query, which is sent as text. */
const DIGITS = /^\^(\[1-9\])?\\d\{\d,\d+\}\$$/;

function withoutNoise({ anyOf, ...schema }: Schema): Schema {
  const [number, digits] = anyOf ?? [];
  if (anyOf?.length === 2 && number && DIGITS.test(digits?.pattern ?? ''))
    return { ...withoutNoise(number), ...schema };
  if (DIGITS.test(schema.pattern ?? '')) {
    const { pattern, ...plain } = schema;
    return { ...plain, type: 'integer' };
  }
  const { minimum, maximum, pattern, ...plain } = schema;
  return {
    ...plain,
    ...(anyOf && { anyOf }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    // A format implies its pattern, which is long.
    ...(pattern !== undefined && !schema.format && { pattern }),
  };
}
