export type Schema = {
  type?: string | string[];
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
};

export type DeclaredParameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
};
type Reference = { $ref: string };
type Content = { content?: { 'application/json': { schema: Schema } } };
export type Answered = Content & { description: string };

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  'x-rights': string;
  security: Record<string, string[]>[];
  parameters: (DeclaredParameter | Reference)[];
  requestBody?: Content;
  responses: Record<string, Answered | Reference>;
};

export type OpenApi = {
  info: { version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, DeclaredParameter>; responses: Record<string, Answered> };
};

export function resolved({ components }: OpenApi, part: object): object {
  if (!('$ref' in part)) return part;
  const [kind = '', name = ''] = String(part.$ref).split('/').slice(-2);
  const found = (components as Record<string, Record<string, object>>)[kind]?.[name];
  if (found) return found;
  throw new Error(`The document has no ${part.$ref}`);
}

/** Not declared for each call, as any call may fail like this. */
export const FAULT_TEXT =
  'Any call may also answer 500 to 504: something went wrong on our side. Repeat it a little later. A call with an `Idempotency-Key` is not done twice.';
