import { AwsSolutionsChecks } from 'cdk-nag';
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js';
import { expect, it } from 'vitest';
import { acknowledged, composed, constructOf, type Properties } from './templates.ts';

const { app, templates } = composed('prod');

type Statement = { Effect: string; Action?: string | string[]; NotAction?: unknown; Resource?: unknown };
type Found = { stack: string; id: string; statement: Statement };

/** Every statement of every policy, anywhere in a template. */
const statements = templates.flatMap(({ stack, resources }) =>
  Object.entries(resources).flatMap(([id, { Properties }]) =>
    within(Properties).map((statement): Found => ({ stack, id, statement })),
  ),
);

function within(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as Properties).Statement;
  const nested = Object.values(value).flatMap(within);
  return Array.isArray(own) && own.every(entry => entry.Effect) ? [...own, ...nested] : nested;
}

const listed = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const wildcards = ({ Action, Resource }: Statement) => [
  ...listed(Action)
    .filter(action => String(action).includes('*'))
    .map(action => `AwsSolutions-IAM5[Action::${action}]`),
  ...listed(Resource)
    .map(flattenCfnReference)
    .filter(resource => resource.includes('*'))
    .map(resource => `AwsSolutions-IAM5[Resource::${resource}]`),
];

const allowing = statements.filter(({ statement }) => statement.Effect === 'Allow');

it('no policy has a wildcard without an acknowledged reason', () => {
  const unexplained = allowing.flatMap(({ stack, id, statement }) => {
    const reasons = acknowledged(constructOf(app, stack, id));
    return wildcards(statement)
      .filter(wildcard => !reasons.includes(wildcard))
      .map(wildcard => `${stack}/${id} ${wildcard}`);
  });
  expect(unexplained).toEqual([]);
});

it('no policy allows everything with an exception', () => {
  expect(allowing.filter(({ statement }) => 'NotAction' in statement || 'NotResource' in statement)).toEqual(
    [],
  );
});

it('no reason is acknowledged for a wildcard that does not exist', () => {
  const needed = new Set(allowing.flatMap(({ statement }) => wildcards(statement)));
  const given = app.node.findAll().flatMap(node => acknowledged(node));
  const stale = given.filter(rule => rule.startsWith('AwsSolutions-IAM5') && !needed.has(rule));
  expect(stale).toEqual([]);
});

// Without a domain, dev breaks others on purpose than prod.
it.each(['dev', 'prod'] as const)(
  'in %s the AwsSolutions rules find nothing that is not acknowledged',
  stage => {
    const { app } = composed(stage);
    const { violations } = new AwsSolutionsChecks(app).validateScope(app);
    expect(violations.map(({ ruleName, description }) => `${ruleName}: ${description}`)).toEqual([]);
  },
);
