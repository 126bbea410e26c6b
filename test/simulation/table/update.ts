import type { Item } from '#core/storage/table.store.ts';
import { invalid } from './errors.ts';
import { type Attributes, missing, operandOf, valueAt, wrongType } from './evaluate.ts';
import type { Path, Update } from './parser.ts';
import { copyOf, copyOfItem, isEqual, isIn, isMap, isSet, typeOf } from './values.ts';

/** Parses and validates an update. The returned function computes the item after the update. */
export function preparedUpdate(update: Update, attributes: Attributes): (before: Item) => Item {
  const placed = <P extends { path: Path }>(one: P) => ({ ...one, path: attributes.path(one.path) });
  const [set, add, subtract] = [update.set, update.add, update.delete].map(of => of.map(placed)) as Placed;
  const remove = update.remove.map(attributes.path);
  const paths = [...[...set, ...add, ...subtract].map(({ path }) => path), ...remove];
  requireApart(paths);
  if (paths.some(([first]) => first === 'PK' || first === 'SK')) {
    throw invalid('Cannot update attribute. This attribute is part of the key');
  }
  const amounts = (of: Placed[number]) =>
    of.map(({ path, value }) => ({ path, amount: operandOf(value, undefined, attributes) }));
  const [added, subtracted] = [amounts(add), amounts(subtract)];
  for (const { amount } of added) if (typeof amount !== 'number') requireSet(amount, 'ADD');
  for (const { amount } of subtracted) requireSet(amount, 'DELETE');

  return before => {
    const changes = [
      ...set.map(({ path, value }) => ({ path, after: present(operandOf(value, before, attributes)) })),
      ...added.map(({ path, amount }) => ({ path, after: sum(valueAt(before, path), amount) })),
      ...subtracted.map(({ path, amount }) => ({ path, after: difference(valueAt(before, path), amount) })),
      ...remove.map(path => ({ path, after: undefined })),
    ];
    const after = copyOfItem(before);
    const removed: [unknown[], number][] = [];
    for (const { path, after: value } of changes) assign(after, path, value, removed);
    for (const [list, position] of removed.sort(([, a], [, b]) => b - a)) list.splice(position, 1);
    return after;
  };
}

type Placed = [Update['set'], Update['add'], Update['delete']];

function requireSet(value: unknown, operator: string): asserts value is Set<unknown> {
  if (!isSet(value)) throw invalid(`Incorrect operand type for operator or function; operator: ${operator}`);
}

function present(value: unknown): unknown {
  if (value === undefined) throw missing();
  return value;
}

/** No path may be the beginning of another one. */
function requireApart(paths: Path[]): void {
  for (const [index, path] of paths.entries()) {
    const overlaps = paths
      .slice(index + 1)
      .some(other => path.every((step, at) => at >= other.length || other[at] === step));
    if (overlaps) throw invalid('Two document paths overlap with each other');
  }
}

function sum(before: unknown, added: unknown): unknown {
  if (typeof added === 'number') {
    if (before !== undefined && typeof before !== 'number') throw wrongType();
    return (before ?? 0) + added;
  }
  requireSet(added, 'ADD');
  if (before === undefined) return added;
  if (!isSet(before) || typeOf(before) !== typeOf(added)) throw wrongType();
  return new Set([...before, ...[...added].filter(element => !isIn(element, before))]);
}

function difference(before: unknown, subtracted: unknown): unknown {
  requireSet(subtracted, 'DELETE');
  if (before === undefined) return undefined;
  if (!isSet(before) || typeOf(before) !== typeOf(subtracted)) throw wrongType();
  const left = [...before].filter(element => ![...subtracted].some(other => isEqual(element, other)));
  return left.length > 0 ? new Set(left) : undefined;
}

function assign(item: Item, path: Path, value: unknown, removed: [unknown[], number][]): void {
  const last = path.at(-1) as string | number;
  const holder = valueAt(item, path.slice(0, -1));
  if (typeof last === 'number' && Array.isArray(holder)) {
    if (value === undefined) removed.push([holder, last]);
    else if (last < holder.length) holder[last] = copyOf(value);
    else holder.push(copyOf(value));
  } else if (typeof last === 'string' && isMap(holder)) {
    if (value === undefined) delete holder[last];
    else holder[last] = copyOf(value);
  } else if (value !== undefined) {
    throw invalid('The document path provided in the update expression is invalid for update');
  }
}
