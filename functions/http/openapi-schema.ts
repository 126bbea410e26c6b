import { FIELD_TEXTS, type FieldText } from '../../shared/openapi-texts.ts';

/** The operation whose fields are described. */
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

const textOf = (name: string, { id, group }: Named): FieldText | undefined =>
  FIELD_TEXTS[`${id}.${name}`] ?? FIELD_TEXTS[`${group}.${name}`] ?? FIELD_TEXTS[name];

/** What is said of a name in a path: without a text of its own, that it is an id. */
export const pathText = (name: string, of: Named): FieldText => {
  const words = name.replace(/[A-Z]/g, letter => `_${letter}`);
  return {
    description: `The id of the ${words.replaceAll('_', ' ').toLowerCase()}`,
    examples: [`${words.toUpperCase()}_ID`],
    ...textOf(`path.${name}`, of),
  };
};

/** A schema with the texts of its fields, and without what says nothing to a reader. */
export function described(schema: Schema, of: Named): Schema {
  const { anyOf, items, properties, additionalProperties, propertyNames, ...rest } = withoutNoise(schema);
  const inner = (part: Schema) => described(part, of);
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(items && { items: inner(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, withText(inner(part), textOf(name, of))]),
      ),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : inner(additionalProperties),
    }),
  };
}

/** Where the schema says something itself, that counts; what an array or an object consists of is the text's to say. */
function withText(schema: Schema, text: FieldText | undefined): Schema {
  if (!text) return schema;
  const { items, ...said } = text as FieldText & { items?: Schema };
  const isOpen = schema.items && Object.keys(schema.items).length === 0;
  return { ...said, ...schema, ...(items && isOpen && { items }) };
}

const DIGITS = '^\\d{1,15}$';

function withoutNoise({ anyOf, ...schema }: Schema): Schema {
  // A number in a query, which is text on its way.
  const [number, digits] = anyOf ?? [];
  if (anyOf?.length === 2 && number && digits?.pattern === DIGITS)
    return { ...withoutNoise(number), ...schema };
  const { minimum, maximum, pattern, ...plain } = schema;
  return {
    ...plain,
    ...(anyOf && { anyOf }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    // The pattern of a format is long, and the format says it.
    ...(pattern !== undefined && !schema.format && { pattern }),
  };
}
