import { functionName, identify, tableName } from '../template/identity.ts';
import type { Properties } from '../template/kinds.ts';
import { readAll } from '../template/read.ts';
import { ACCOUNT, type Resolver, type Resource } from '../template/resolver.ts';
import { type Statement, tableStatements } from './policies.ts';
import { type Request, requestsOf } from './requests.ts';

export type Access = ReturnType<typeof createAccess>;

/** A request with the names that policies have for its resource and its partitions. */
type Judged = { action: string; resource: string; partitions: string[] };

export function createAccess(resolver: Resolver, functions: Resource[]) {
  const statements = new Map(functions.map(fn => [functionName(fn), tableStatements(resolver, fn)]));
  const tables = new Map(
    readAll(resolver, 'AWS::DynamoDB::Table').map(({ resource, properties }) => [
      tableName(resource),
      { arn: identify(resource, 'Arn', String), properties },
    ]),
  );

  function judged({ action, table, index, keys }: Request): Judged {
    const known = tables.get(table);
    const partitionKey = known && partitionKeyOf(known.properties, index);
    return {
      action,
      resource: `${known?.arn ?? table}${index ? `/index/${index}` : ''}`,
      partitions: keys.flatMap(key => (partitionKey && key[partitionKey]?.S) ?? []),
    };
  }

  return {
    /** Why the role of a function denies this call to a table; undefined if it allows it. */
    refusal(caller: string, operation: string, body: unknown) {
      const allowed = statements.get(caller) ?? [];
      const refused = requestsOf(operation, body)
        .map(judged)
        .find(request => !allowed.some(statement => allows(statement, request)));
      return refused && sentence(caller, refused);
    },
  };
}

function partitionKeyOf(
  { KeySchema, GlobalSecondaryIndexes }: Properties<'AWS::DynamoDB::Table'>,
  index: string | undefined,
): string | undefined {
  const found = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === index);
  const schema = index ? found?.KeySchema : KeySchema;
  return schema?.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
}

function allows(
  { Action, Resource, Condition }: Statement,
  { action, resource, partitions }: Judged,
): boolean {
  const allowed = Condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  return (
    isLike(Action, action) &&
    isLike(Resource, resource) &&
    (!Condition.Null || partitions.length > 0) &&
    (!allowed || partitions.every(partition => isLike(allowed, partition)))
  );
}

/** Matches a pattern in which `*` stands for any text and `?` for one character. */
const isLike = (patterns: string[], text: string) => patterns.some(pattern => regularOf(pattern).test(text));

// Cached, as each request of a function is compared with all patterns of its role.
const known = new Map<string, RegExp>();

function regularOf(pattern: string): RegExp {
  const made =
    known.get(pattern) ??
    new RegExp(
      `^${pattern
        .replace(/[\\^$.+|()[\]{}]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')}$`,
      's',
    );
  known.set(pattern, made);
  return made;
}

// Worded as AWS does. It names only the kinds of the partitions: the rest of a key may be an address or a hash of a secret.
function sentence(caller: string, { action, resource, partitions }: Judged): string {
  const user = `arn:aws:sts::${ACCOUNT}:assumed-role/${caller}`;
  const kinds = new Set(partitions.map(partition => partition.replace(/#.*/s, '#')));
  const why = `no identity-based policy allows the ${action} action`;
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} because ${why} (${[...kinds].join(', ')})`;
}
