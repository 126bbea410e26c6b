import type { Item } from '#core/storage/table.store.ts';
import { invalid } from './errors.ts';
import { Attributes, holds, operandOf } from './evaluate.ts';
import {
  type Comparator,
  type Condition,
  type Operand,
  type Path,
  parseCondition,
  parseProjection,
} from './parser.ts';
import type { Range, Row } from './sorted.ts';
import { INDEX, type Store, type Stored } from './store.ts';
import { compareTexts, copyOf, copyOfItem } from './values.ts';

export type QueryInput = {
  IndexName?: string;
  KeyConditionExpression: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
  ConsistentRead?: boolean;
  ScanIndexForward?: boolean;
  Limit?: number;
  ExclusiveStartKey?: Item;
  Select?: string;
};

const MOST_BYTES = 1024 * 1024;

export function query(store: Store, input: QueryInput) {
  const { IndexName, FilterExpression, Limit = Infinity, ScanIndexForward = true } = input;
  if (IndexName !== undefined && IndexName !== INDEX.name)
    throw invalid('The table does not have the specified index');
  if (IndexName && input.ConsistentRead)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  if (Limit < 1) throw invalid('Limit must be greater than or equal to 1');
  const attributes = new Attributes(input);
  const keys = IndexName ? { partition: 'GSI1PK', sort: 'GSI1SK' } : { partition: 'PK', sort: 'SK' };
  const { partition, range } = wanted(input.KeyConditionExpression, keys, attributes);
  const filter = FilterExpression === undefined ? undefined : parseCondition(FilterExpression);
  const project = projection(input.ProjectionExpression, attributes);
  if (filter) holds(filter, undefined, attributes);
  attributes.requireAllUsed();

  const after = input.ExclusiveStartKey && placeOf(input.ExclusiveStartKey, IndexName !== undefined);
  const walk = <R extends Row>(sorted: {
    within: (range: Range, isForward: boolean, after?: Row) => Iterable<R>;
  }) => sorted.within(range, ScanIndexForward, after);
  const found: Iterable<Stored> = IndexName
    ? store.readIndex(partition, walk)
    : store.readPartition(partition, input.ConsistentRead ?? false, walk);

  const Items: Item[] = [];
  let [scanned, bytes] = [0, 0];
  let LastEvaluatedKey: Item | undefined;
  for (const { item, size } of found) {
    scanned++;
    bytes += size;
    if (!filter || holds(filter, item, attributes)) Items.push(project(item));
    if (scanned < Limit && bytes < MOST_BYTES) continue;
    LastEvaluatedKey = keyOf(item, IndexName !== undefined);
    break;
  }
  return {
    ...(input.Select !== 'COUNT' && { Items }),
    Count: Items.length,
    ScannedCount: scanned,
    ...(LastEvaluatedKey && { LastEvaluatedKey }),
  };
}

const keyOf = ({ PK, SK, GSI1PK, GSI1SK }: Item, isIndex: boolean): Item =>
  isIndex ? { PK, SK, GSI1PK, GSI1SK } : { PK, SK };

function placeOf({ PK, SK, GSI1SK }: Item, isIndex: boolean): Row {
  const place = isIndex ? { sort: GSI1SK, id: `${PK}\0${SK}` } : { sort: SK, id: '' };
  if (typeof PK === 'string' && typeof SK === 'string' && typeof place.sort === 'string') return place as Row;
  throw invalid('The provided starting key is invalid');
}

/** The partition and the range of sort keys of a key condition. */
function wanted(text: string, keys: { partition: string; sort: string }, attributes: Attributes) {
  let partition: string | undefined;
  let range: Range | undefined;
  for (const condition of conjuncts(parseCondition(text))) {
    if (
      condition.kind === 'compare' &&
      condition.by === '=' &&
      nameOf(condition.left, attributes) === keys.partition
    ) {
      if (partition !== undefined) throw unsupported();
      partition = textOf(condition.right, attributes);
    } else {
      if (range) throw unsupported();
      range = rangeOf(condition, keys.sort, attributes);
    }
  }
  if (partition === undefined) throw invalid(`Query condition missed key schema element: ${keys.partition}`);
  if (partition === '') throw invalid('One or more parameter values are not valid: an empty string as a key');
  return { partition, range: range ?? rangeBetween() };
}

const unsupported = () => invalid('Invalid KeyConditionExpression');

const conjuncts = (condition: Condition): Condition[] =>
  condition.kind === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];

function nameOf(operand: Operand, attributes: Attributes): string | undefined {
  if (operand.kind !== 'path') return undefined;
  const [name, ...more] = attributes.path(operand.path);
  return more.length === 0 ? String(name) : undefined;
}

function textOf(operand: Operand, attributes: Attributes): string {
  const value = operand.kind === 'value' && operandOf(operand, undefined, attributes);
  if (typeof value !== 'string')
    throw invalid('One or more parameter values were invalid: Condition parameter type');
  return value;
}

type Bound = { value: string; isIncluded: boolean };

const rangeBetween = (low?: Bound, high?: Bound): Range => ({
  isBefore: sort => {
    const order = low ? compareTexts(sort, low.value) : 1;
    return order < 0 || (order === 0 && !low?.isIncluded);
  },
  isBeyond: sort => {
    const order = high ? compareTexts(sort, high.value) : -1;
    return order > 0 || (order === 0 && !high?.isIncluded);
  },
});

function subjectOf(condition: Condition): Operand {
  switch (condition.kind) {
    case 'between':
    case 'begins_with':
      return condition.of;
    case 'compare':
      return condition.left;
    default:
      throw unsupported();
  }
}

function rangeOf(condition: Condition, sortKey: string, attributes: Attributes): Range {
  const text = (operand: Operand) => textOf(operand, attributes);
  if (nameOf(subjectOf(condition), attributes) !== sortKey) throw unsupported();
  switch (condition.kind) {
    case 'between': {
      const [from, to] = [text(condition.from), text(condition.to)];
      if (compareTexts(from, to) > 0)
        throw invalid('The BETWEEN operator requires upper bound to be greater');
      return rangeBetween({ value: from, isIncluded: true }, { value: to, isIncluded: true });
    }
    case 'begins_with': {
      const prefix = text(condition.value);
      return {
        isBefore: sort => compareTexts(sort, prefix) < 0,
        isBeyond: sort => compareTexts(sort, prefix) > 0 && !sort.startsWith(prefix),
      };
    }
    case 'compare':
      return rangeBy(condition.by, text(condition.right));
    default:
      throw unsupported();
  }
}

function rangeBy(by: Comparator, value: string): Range {
  const bound = { value, isIncluded: by === '=' || by === '<=' || by === '>=' };
  if (by === '<>') throw unsupported();
  return rangeBetween(by.startsWith('<') ? undefined : bound, by.startsWith('>') ? undefined : bound);
}

/** Returns a copy of an item for the response: whole, or with some of its attributes. */
export function projection(text: string | undefined, attributes: Attributes): (item: Item) => Item {
  if (text === undefined) return copyOfItem;
  const paths: Path[] = parseProjection(text).map(attributes.path);
  if (paths.some(path => path.length > 1)) throw new Error('Only whole attributes are projected here');
  return item =>
    Object.fromEntries(
      paths.flatMap(([name]) => {
        const value = item[String(name)];
        return value === undefined ? [] : [[String(name), copyOf(value)]];
      }),
    );
}
