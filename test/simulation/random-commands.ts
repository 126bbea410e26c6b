import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import type { Item } from '#core/storage/table.store.ts';
import type { Command } from './table/commands.ts';

export const TableName = 'letterflow-test';

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'a', 'ab', 'b', '\ufffd', '😀'),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(new Set(['a']), new Set(['a', 'b']), new Set([1, 2])),
  fc.constantFrom(Uint8Array.of(1), Uint8Array.of(1, 2)),
  fc.constantFrom([1, 'a'], ['b'], { x: 1 }, { x: 'a', y: [1] }),
);
const NAMES = ['n', 's', 'tags', 'lst', 'doc', 'bin'];
const name = fc.constantFrom(...NAMES);
const sortKey = fc.constantFrom('A', 'A#1', 'A#2', 'B', 'Ba', '\uffff', '😀');
const key = fc.record({ PK: fc.constantFrom('P', 'Q'), SK: sortKey });
const attributes = fc.dictionary(name, value, { maxKeys: 4 });
const indexed = fc.oneof(
  fc.constant({}),
  fc.record({ GSI1PK: fc.constantFrom('L', 'M'), GSI1SK: fc.constantFrom('a@x', 'b@x', 'c@x') }),
);
const item = fc
  .tuple(key, attributes, indexed, fc.constantFrom({}, { email: 'e', status: 'left' }))
  .map(parts => Object.assign({}, ...parts) as Item);

/** An expression like those in the product, with its placeholders. */
type Expression = { text: string; names?: Record<string, string>; values?: Item };
const joined = (parts: Expression[], separator: string): Expression => ({
  text: parts.map(({ text }) => text).join(separator),
  names: Object.assign({}, ...parts.map(({ names }) => names)),
  values: Object.assign({}, ...parts.map(({ values }) => values)),
});
let placeholders = 0;
const withValue = (text: (placeholder: string) => string) =>
  value.map((of): Expression => {
    const placeholder = `:v${++placeholders}`;
    return { text: text(placeholder), values: { [placeholder]: of } };
  });
const path = fc.oneof(name, fc.constantFrom('PK', 'doc.x', 'lst[0]', 'doc.y[0]'));
const test: fc.Arbitrary<Expression> = path.chain(of =>
  fc.oneof(
    fc.constant({ text: `attribute_exists(${of})` }),
    fc.constant({ text: `attribute_not_exists(${of})` }),
    fc.constantFrom('=', '<>').chain(by => withValue(to => `${of} ${by} ${to}`)),
    fc
      .constantFrom('=', '<>', '<', '<=', '>', '>=')
      .map(by => ({ text: `${of} ${by} :number`, values: { ':number': 1 } })),
    fc
      .constantFrom('<', '<=', '>', '>=')
      .map(by => ({ text: `${of} ${by} :text`, values: { ':text': 'ab' } })),
    fc.constant({ text: `${of} BETWEEN :one AND :two`, values: { ':one': 0, ':two': 2 } }),
    withValue(to => `${of} IN (${to}, :other)`).map(one =>
      joined([one, { text: '', values: { ':other': 'a' } }], ''),
    ),
    fc.constant({ text: `begins_with(${of}, :text)`, values: { ':text': 'a' } }),
    fc.constant({ text: `contains(${of}, :text)`, values: { ':text': 'b' } }),
    fc.constant({ text: `contains(${of}, :number)`, values: { ':number': 1 } }),
    fc.constant({ text: `attribute_type(${of}, :type)`, values: { ':type': 'SS' } }),
    fc
      .constantFrom('<', '=', '>')
      .map(by => ({ text: `size(${of}) ${by} :number`, values: { ':number': 1 } })),
  ),
);
const condition: fc.Arbitrary<Expression> = fc.letrec<{ any: Expression }>(tie => ({
  any: fc.oneof(
    { maxDepth: 2 },
    test,
    fc
      .tuple(tie('any'), tie('any'), fc.constantFrom(' AND ', ' OR '))
      .map(([a, b, by]) => joined([a, b], by)),
    tie('any').map(of => (of.text.startsWith('(') ? of : { ...of, text: `(${of.text})` })),
    tie('any').map(of => ({ ...of, text: `NOT ${of.text}` })),
  ),
})).any;
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const named = ({ names = {}, values = {} }: Expression) => ({
  ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
  ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
});
const conditioned = (only: Expression | undefined) =>
  only ? { ConditionExpression: only.text, ...named(only) } : {};

const assignment = (of: string): fc.Arbitrary<Expression> =>
  fc
    .oneof(
      { weight: 3, arbitrary: withValue(to => `#${of} = ${to}`) },
      withValue(to => `#${of} = if_not_exists(#${of}, ${to})`),
      fc.constant({ text: `#${of} = n` }),
      fc.constantFrom('+', '-').map(by => ({ text: `#${of} = n ${by} :one`, values: { ':one': 1 } })),
      fc.constant({ text: `#${of} = if_not_exists(n, :none) + :one`, values: { ':one': 1, ':none': 0 } }),
      fc.constant({ text: `#${of} = list_append(lst, :lst)`, values: { ':lst': ['c'] } }),
    )
    .map(one => ({ ...one, names: { [`#${of}`]: of } }));
/** An update that changes each attribute in one way only. */
const numeric = (of: string) => withAmount(of, fc.constantFrom<unknown>(1, -1, 5));
const sets = fc.constantFrom<unknown>(new Set(['b']), new Set(['a', 'c']), new Set([2, 3]));
const withAmount = (of: string, amounts: fc.Arbitrary<unknown>) =>
  amounts.map((amount): Expression => {
    const placeholder = `:v${++placeholders}`;
    return { text: `${of} ${placeholder}`, values: { [placeholder]: amount } };
  });
const oneChange = (of: string): fc.Arbitrary<{ verb: string; change: Expression }> => {
  const as = (verb: string) => (change: Expression) => ({ verb, change });
  return fc.oneof(
    { weight: 3, arbitrary: assignment(of).map(as('SET')) },
    fc.constant({ text: of }).map(as('REMOVE')),
    numeric(of).map(as('ADD')),
    withAmount(of, sets).map(as('ADD')),
    withAmount(of, sets).map(as('DELETE')),
    fc.constantFrom({ text: `${of}.x` }, { text: `${of}[0]` }).map(as('REMOVE')),
    withValue(to => (of === 'doc' ? `doc.z = ${to}` : `#${of} = ${to}`))
      .map(one => ({ ...one, names: of === 'doc' ? {} : { [`#${of}`]: of } }))
      .map(as('SET')),
    withValue(to => `${of}[1] = ${to}`).map(as('SET')),
  );
};
const updating = fc
  .subarray(NAMES, { minLength: 1, maxLength: 3 })
  .chain(names => fc.tuple(...names.map(oneChange)))
  .map(changes => {
    const byVerb = [...Map.groupBy(changes, ({ verb }) => verb)];
    const clauses = byVerb.map(([verb, of]) => {
      const all = joined(
        of.map(({ change }) => change),
        ', ',
      );
      return { ...all, text: `${verb} ${all.text}` };
    });
    return joined(clauses, ' ');
  });
const updateInput = fc
  .tuple(key, updating, optional(condition))
  .map(([Key, update, only]) => ({
    TableName,
    Key,
    UpdateExpression: update.text,
    ...(only && { ConditionExpression: only.text }),
    ...named(joined([update, ...(only ? [only] : [])], '')),
  }));
const onFailure = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const });

const putInput = fc
  .tuple(item, optional(condition), onFailure)
  .map(([Item, only, failure]) => ({ TableName, Item, ...conditioned(only), ...failure }));
const deleteInput = fc
  .tuple(key, optional(condition), onFailure)
  .map(([Key, only, failure]) => ({ TableName, Key, ...conditioned(only), ...failure }));
const checkInput = fc
  .tuple(key, condition, onFailure)
  .map(([Key, only, failure]) => ({ TableName, Key, ...conditioned(only), ...failure }) as never);

const range: fc.Arbitrary<Expression> = fc.oneof(
  fc.constant({ text: '' }),
  fc
    .tuple(fc.constantFrom('=', '<', '<=', '>', '>='), sortKey)
    .map(([by, at]) => ({ text: ` AND SK ${by} :at`, values: { ':at': at } })),
  fc
    .constantFrom('A', 'A#', 'B', 'C')
    .map(prefix => ({ text: ' AND begins_with(SK, :prefix)', values: { ':prefix': prefix } })),
  fc
    .tuple(sortKey, sortKey)
    .map(([from, to]) => ({ text: ' AND SK BETWEEN :from AND :to', values: { ':from': from, ':to': to } })),
);
const queryInput = fc
  .record({
    of: fc.constantFrom('P', 'Q'),
    range,
    filter: optional(test.filter(({ text }) => !text.includes('PK'))),
    Limit: optional(fc.integer({ min: 1, max: 4 })),
    ScanIndexForward: fc.boolean(),
    from: optional(sortKey),
    Select: fc.constantFrom({}, { Select: 'COUNT' as const }),
    projected: fc.constantFrom({}, { ProjectionExpression: 'SK, n' }),
  })
  .map(({ of, range, filter, Limit, ScanIndexForward, from, Select, projected }) => ({
    TableName,
    KeyConditionExpression: `PK = :pk${range.text}`,
    ...(filter && { FilterExpression: filter.text }),
    ...named(joined([range, { text: '', values: { ':pk': of } }, ...(filter ? [filter] : [])], '')),
    ...(Limit !== undefined && { Limit }),
    ...(from !== undefined && { ExclusiveStartKey: { PK: of, SK: from } }),
    ScanIndexForward,
    ConsistentRead: true,
    ...('Select' in Select ? Select : projected),
  }));
const indexInput = fc
  .record({
    of: fc.constantFrom('L', 'M'),
    Limit: fc.integer({ min: 1, max: 9 }),
    ScanIndexForward: fc.boolean(),
  })
  .map(({ of, ...rest }) => ({
    TableName,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :of',
    ExpressionAttributeValues: { ':of': of },
    ...rest,
  }));

const insert = item.map(one => ({
  Statement: `INSERT INTO "${TableName}" VALUE {${Object.keys(one)
    .map(field => `'${field}': ?`)
    .join(', ')}}`,
  Parameters: Object.values(one),
}));

const returned = fc.constantFrom('NONE', 'ALL_OLD');
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(putInput, returned)
      .map(([input, ReturnValues]) => new PutCommand({ ...input, ReturnValues: ReturnValues as 'NONE' })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(updateInput, fc.constantFrom('NONE', 'ALL_NEW'))
      .map(([input, ReturnValues]) => new UpdateCommand({ ...input, ReturnValues: ReturnValues as 'NONE' })),
  },
  fc
    .tuple(deleteInput, returned)
    .map(([input, ReturnValues]) => new DeleteCommand({ ...input, ReturnValues: ReturnValues as 'NONE' })),
  key.map(Key => new GetCommand({ TableName, Key, ConsistentRead: true })),
  { weight: 3, arbitrary: queryInput.map(input => new QueryCommand(input)) },
  indexInput.map(input => new QueryCommand(input)),
  fc
    .array(key, { minLength: 1, maxLength: 4 })
    .map(Keys => new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } })),
  fc
    .array(
      fc.oneof(
        item.map(Item => ({ PutRequest: { Item } })),
        key.map(Key => ({ DeleteRequest: { Key } })),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map(requests => new BatchWriteCommand({ RequestItems: { [TableName]: requests } })),
  fc
    .array(insert, { minLength: 1, maxLength: 3 })
    .map(Statements => new BatchExecuteStatementCommand({ Statements })),
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.oneof(
          putInput.map(Put => ({ Put })),
          updateInput.map(Update => ({ Update })),
          deleteInput.map(Delete => ({ Delete })),
          checkInput.map(ConditionCheck => ({ ConditionCheck })),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map(TransactItems => new TransactWriteCommand({ TransactItems })),
  },
) as fc.Arbitrary<Command>;
