import * as z from 'zod/mini';
import { Mistake } from '../mistake.ts';
import type { Resolver, Resource } from '../template/resolver.ts';

const list = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform(values => [values].flat()),
);
const LeadingKeys = <Value extends z.ZodMiniType>(value: Value) =>
  z.optional(z.strictObject({ 'dynamodb:LeadingKeys': value }));

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
const Statement = z.strictObject({
  Effect: z.literal('Allow'),
  Action: list,
  Resource: list,
  Condition: z._default(
    z.strictObject({ 'ForAllValues:StringLike': LeadingKeys(list), Null: LeadingKeys(z.literal('false')) }),
    {},
  ),
});
export type Statement = z.output<typeof Statement>;

type Written = { Action: string | string[] };
const isOfTables = ({ Action }: Written) => [Action].flat().some(action => action.startsWith('dynamodb:'));

export function tableStatements({ resources, resolve }: Resolver, fn: Resource): Statement[] {
  const [role] = (fn.properties.Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
  return resources
    .filter(({ type, stack }) => type === 'AWS::IAM::Policy' && stack === fn.stack)
    .filter(({ properties }) => (properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === role))
    .flatMap(({ properties }) => (properties.PolicyDocument as { Statement: Written[] }).Statement)
    .filter(isOfTables)
    .map(statement => {
      const parsed = Statement.safeParse(resolve(fn.stack, statement));
      if (parsed.success) return parsed.data;
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      throw new Mistake(`The local stack does not understand a policy of ${fn.id}: ${issues.join('; ')}`);
    });
}
