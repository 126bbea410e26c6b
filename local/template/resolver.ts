import { Mistake } from '../mistake.ts';
import type { Stack } from './assembly.ts';

export const ACCOUNT = '000000000000';

export type Resource = {
  stack: Stack;
  id: string;
  type: string;
  properties: Record<string, unknown>;
  metadata: Record<string, unknown>;
};

/** The values that are only known after a deployment. */
export type DeployedValues = {
  /** The value of Ref (without an attribute) or Fn::GetAtt. */
  identify: (resource: Resource, attribute?: string) => unknown;
  secret: (arn: string) => string | undefined;
};

export type Resolver = { resources: Resource[]; resolve: (stack: Stack, value: unknown) => unknown };

type Intrinsic = (argument: unknown, stack: Stack) => unknown;

/** Resolves values of CloudFormation templates. Supports the intrinsic functions that our templates use where they are read. */
export function resolver(stacks: Stack[], values: DeployedValues): Resolver {
  const resources = stacks.flatMap(stack =>
    Object.entries(stack.template.Resources).map(([id, { Type, Properties = {}, Metadata = {} }]) => ({
      stack,
      id,
      type: Type,
      properties: Properties,
      metadata: Metadata,
    })),
  );

  const intrinsics: Record<string, Intrinsic> = {
    Ref: (argument, stack) => {
      const id = text(argument);
      if (id === 'AWS::AccountId') return ACCOUNT;
      const parameter = stack.template.Parameters?.[id];
      if (!parameter) return values.identify(find(id, stack));
      return parameter.Default ?? missing(`a value of parameter ${id}`);
    },
    'Fn::GetAtt': (argument, stack) => {
      const [id, attribute] = list(argument).map(text);
      return values.identify(find(id, stack), attribute);
    },
    'Fn::Join': (argument, stack) => {
      const [separator, parts] = list(argument);
      return list(resolve(stack, parts)).map(text).join(text(separator));
    },
    'Fn::Select': (argument, stack) => {
      const [index, from] = list(argument);
      const items = list(resolve(stack, from));
      const item = items[Number(index)];
      if (item === undefined) throw new Mistake(`Fn::Select wants item ${index} of ${items.length}.`);
      return item;
    },
    'Fn::Split': (argument, stack) => {
      const [separator, from] = list(argument);
      return text(resolve(stack, from)).split(text(separator));
    },
    'Fn::ImportValue': (argument, stack) => imported(text(resolve(stack, argument))),
  };

  function resolve(stack: Stack, value: unknown): unknown {
    if (typeof value === 'string') return dynamic(value);
    if (Array.isArray(value)) return value.map(item => resolve(stack, item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [first] = entries;
    if (first && entries.length === 1 && (first[0] === 'Ref' || /^Fn::|^Condition$/.test(first[0]))) {
      const intrinsic = intrinsics[first[0]];
      if (!intrinsic)
        throw new Mistake(`The local stack does not understand ${first[0]} (in ${stack.name}).`);
      const result = intrinsic(first[1], stack);
      return typeof result === 'string' ? dynamic(result) : result;
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, resolve(stack, item)]));
  }

  const find = (id: string | undefined, stack: Stack) =>
    resources.find(resource => resource.stack === stack && resource.id === id) ??
    missing(`the resource ${id} of ${stack.name}`);

  function imported(name: string): unknown {
    for (const stack of stacks) {
      for (const { Value, Export } of Object.values(stack.template.Outputs ?? {})) {
        if (Export && resolve(stack, Export.Name) === name) return resolve(stack, Value);
      }
    }
    return missing(`the export ${name}`);
  }

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-secretsmanager.html
  function dynamic(value: string): string {
    return value.replace(/\{\{resolve:[^}]*\}\}/g, whole => {
      const [, arn] = /^\{\{resolve:secretsmanager:(.+):SecretString:::\}\}$/.exec(whole) ?? [];
      if (!arn) throw new Mistake(`The local stack does not understand the reference ${whole}.`);
      return values.secret(arn) ?? missing(`the secret ${arn}`);
    });
  }

  return { resources, resolve };
}

const text = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Mistake(`The template has ${JSON.stringify(value)} where a text belongs.`);
};

const list = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  throw new Mistake(`The template has ${JSON.stringify(value)} where a list belongs.`);
};

const missing = (what: string): never => {
  throw new Mistake(`The template refers to ${what}, which is not there.`);
};
