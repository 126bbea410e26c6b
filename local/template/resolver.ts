import { Mistake } from '../mistake.ts';
import type { Stack } from './assembly.ts';

export type Resource = {
  stack: Stack;
  id: string;
  type: string;
  properties: Record<string, unknown>;
  metadata: Record<string, unknown>;
};

/** What the template cannot know: who deploys it where, and what its resources are called in the end. */
export type World = {
  account: string;
  /** Values for parameters that are not left at their default. */
  parameters: Record<string, string>;
  /** The answer to Ref (no attribute) or Fn::GetAtt. */
  identify: (resource: Resource, attribute?: string) => unknown;
  /** The value of a secret that the template refers to. */
  secret: (arn: string, key: string) => string;
};

export type Resolver = {
  resources: Resource[];
  resolve: (stack: Stack, value: unknown) => unknown;
};

type Intrinsic = (argument: unknown, stack: Stack) => unknown;

/** Reads values of CloudFormation templates as a deployment would find them. */
export function resolver(stacks: Stack[], world: World): Resolver {
  const resources = stacks.flatMap(stack =>
    Object.entries(stack.template.Resources).map(([id, { Type, Properties, Metadata }]) => ({
      stack,
      id,
      type: Type,
      properties: Properties ?? {},
      metadata: Metadata ?? {},
    })),
  );

  const intrinsics: Record<string, Intrinsic> = {
    Ref: (id, stack) => reference(text(id), stack),
    'Fn::GetAtt': (argument, stack) => {
      const [id, attribute] = typeof argument === 'string' ? splitOnce(argument, '.') : texts(argument);
      return world.identify(find(id, stack), attribute);
    },
    'Fn::Sub': (argument, stack) => {
      const [pattern, values] = Array.isArray(argument) ? argument : [argument, {}];
      return text(pattern).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
        if (literal) return `\${${name}}`;
        const own = (values as Record<string, unknown>)[name];
        if (own !== undefined) return text(resolve(stack, own));
        const dotted = name.includes('.') && { 'Fn::GetAtt': name };
        return text(resolve(stack, dotted || { Ref: name }));
      });
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
    'Fn::GetStackOutput': (argument, stack) => {
      const { StackName, OutputName } = resolve(stack, argument) as Record<string, unknown>;
      const from = stacks.find(({ name }) => name === StackName);
      const output = from?.template.Outputs?.[text(OutputName)];
      return from && output
        ? resolve(from, output.Value)
        : missing(`the output ${OutputName} of ${StackName}`);
    },
  };

  const pseudo: Record<string, (stack: Stack) => unknown> = {
    'AWS::AccountId': () => world.account,
    'AWS::Region': stack => stack.region,
    'AWS::Partition': () => 'aws',
    'AWS::URLSuffix': () => 'amazonaws.com',
    'AWS::StackName': stack => stack.name,
    'AWS::StackId': stack =>
      `arn:aws:cloudformation:${stack.region}:${world.account}:stack/${stack.name}/local`,
    'AWS::NoValue': () => undefined,
  };

  function resolve(stack: Stack, value: unknown): unknown {
    if (typeof value === 'string') return dynamic(value);
    if (Array.isArray(value))
      return value.map(item => resolve(stack, item)).filter(item => item !== undefined);
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
    const resolved = entries.map(([key, item]) => [key, resolve(stack, item)]);
    return Object.fromEntries(resolved.filter(([, item]) => item !== undefined));
  }

  function reference(id: string, stack: Stack): unknown {
    const known = pseudo[id];
    if (known) return known(stack);
    const parameter = stack.template.Parameters?.[id];
    if (parameter) return world.parameters[id] ?? parameter.Default ?? missing(`a value of parameter ${id}`);
    return world.identify(find(id, stack));
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
    return value.replace(/\{\{resolve:([^:]+):([^}]*)\}\}/g, (whole, service: string, rest: string) => {
      const found = /^(.+):SecretString:([^:]*):[^:]*:[^:]*$/.exec(rest);
      if (service !== 'secretsmanager' || !found?.[1]) {
        throw new Mistake(`The local stack does not understand the reference ${whole}.`);
      }
      return world.secret(found[1], found[2] ?? '');
    });
  }

  return { resources, resolve };
}

const text = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new Mistake(`The template has ${JSON.stringify(value)} where a text belongs.`);
};

const list = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  throw new Mistake(`The template has ${JSON.stringify(value)} where a list belongs.`);
};

const texts = (value: unknown) => list(value).map(text);

const splitOnce = (value: string, separator: string) => {
  const at = value.indexOf(separator);
  return at < 0 ? [value] : [value.slice(0, at), value.slice(at + 1)];
};

const missing = (what: string): never => {
  throw new Mistake(`The template refers to ${what}, which is not there.`);
};
