import { App, type CfnElement, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { IConstruct } from 'constructs';
import { letterflow } from '#lib/letterflow.ts';
import { type Found, type Settings, type StageName, stageOf } from '#lib/stages.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };

export type Resource = {
  id: string;
  stack: string;
  Properties: Properties;
  Metadata: Record<string, string>;
};
// biome-ignore lint/suspicious/noExplicitAny: a template is what it says; the test says what it should be.
export type Properties = Record<string, any>;

type Sections = Record<string, Properties>;

type Composed = { stage: StageName; settings?: Settings; found?: Found };

/** The stages as cdk.json has them, and those that its owner may make of them. */
export const VARIANTS = {
  local: { stage: 'local' },
  dev: { stage: 'dev' },
  'dev with a domain': {
    stage: 'dev',
    settings: { domain: 'dev.letterflow.example', hostedZoneId: 'Z00000000000000000000' },
  },
  'dev with an address': { stage: 'dev', settings: { mail: 'ann@example.com' } },
  prod: { stage: 'prod' },
  'prod without a firewall': {
    stage: 'prod',
    settings: { domain: 'letterflow.example', hostedZoneId: 'Z00000000000000000000', firewall: false },
  },
  'prod for the first time, with its identity': {
    stage: 'prod',
    found: { isFirst: true, identityExists: true },
  },
} satisfies Record<string, Composed>;
export type Variant = keyof typeof VARIANTS;

const known = new Map<Variant, ReturnType<typeof compose>>();

/** The product as a stage would deploy it, without the code of its functions: composed once for all files of a worker. */
export function composed(variant: Variant) {
  const one = known.get(variant) ?? compose(VARIANTS[variant]);
  known.set(variant, one);
  return one;
}

export function compose({ stage, settings, found }: Composed) {
  const context = { ...cdkJson.context, 'aws:cdk:bundling-stacks': [] };
  // CDK's own validation takes seconds each time, and every npm run synth has it.
  const app = new App({ context, builtinCloudFormationValidation: false });
  // No test may depend on a built web app: any directory does.
  const stages = { ...cdkJson.context.stages, ...(settings && { [stage]: settings }) };
  const { domain, ...rest } = stageOf(stage, stages, found);
  const stacks = letterflow(app, { ...rest, domain }, import.meta.dirname);
  const declared = exportsOf(app);
  const templates = Object.values(stacks).map(stack => {
    const { Resources, Parameters, Outputs } = Template.fromStack(stack).toJSON() as Record<string, Sections>;
    return {
      stack: stack.stackName,
      resources: Resources ?? {},
      parameters: Parameters ?? {},
      outputs: Outputs ?? {},
    };
  });

  const all = (type: string): Resource[] =>
    templates.flatMap(({ stack, resources }) =>
      Object.entries(resources)
        .filter(([, { Type }]) => Type === type)
        .map(([id, { Properties = {}, Metadata = {} }]) => ({ id, stack, Properties, Metadata })),
    );

  function only(type: string): Properties {
    const found = all(type);
    if (found.length !== 1) throw new Error(`There are ${found.length} of ${type}`);
    return found[0]?.Properties ?? {};
  }

  /** Those that run our code, each with the file it was written in. */
  const functions = () =>
    all('AWS::Lambda::Function').flatMap(fn => {
      const entry = fn.Metadata['letterflow:entry'];
      return entry ? [{ ...fn, entry }] : [];
    });

  return { app, stacks, templates, all, only, functions, declared, domain: domain?.name };
}

/** What stacks export, before CDK adds what others happen to refer to. */
export const exportsOf = (app: App): string[] =>
  app.node.findAll().flatMap(node => (node instanceof CfnOutput && node.exportName) || []);

export const constructOf = (app: App, stack: string, id: string): IConstruct | undefined =>
  app.node.findAll().find(node => isElement(node) && nameOf(node) === `${stack}/${id}`);

const isElement = (node: IConstruct): node is CfnElement => 'logicalId' in node;

const nameOf = (element: CfnElement) =>
  `${element.stack.stackName}/${Stack.of(element).resolve(element.logicalId)}`;

/** The rules that a construct, or one that it is part of, breaks on purpose. */
export const acknowledged = (construct: IConstruct | undefined): string[] =>
  (construct?.node.scopes ?? []).flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([rule, reason]) => {
        if (!reason) throw new Error(`${rule} is acknowledged without a reason`);
        return rule.replace(/^annotation::/i, '');
      }),
  );
