import type { Item } from '#core/storage/table.store.ts';
import { invalid } from './errors.ts';
import type { Comparator, Condition, Operand, Path } from './parser.ts';
import { compare, copyOfItem, isEqual, isIn, isMap, isSet, typeOf } from './values.ts';

type Named = {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Item | undefined;
};

/** The placeholders of one request. Each of them must be used. */
export class Attributes {
  readonly #names: Record<string, string>;
  readonly #values: Item;
  readonly #used = new Set<string>();

  constructor({ ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Named) {
    this.#names = names ?? {};
    this.#values = values ? copyOfItem(values) : {};
    if (names && Object.keys(names).length === 0) throw invalid('ExpressionAttributeNames must not be empty');
    if (values && Object.keys(this.#values).length === 0) {
      throw invalid('ExpressionAttributeValues must not be empty');
    }
  }

  value(name: string): unknown {
    if (!Object.hasOwn(this.#values, name))
      throw invalid(`An expression attribute value is not defined: ${name}`);
    this.#used.add(name);
    return this.#values[name];
  }

  path = (path: Path): Path => path.map(step => (typeof step === 'number' ? step : this.#name(step)));

  #name(step: string): string {
    if (!step.startsWith('#')) return step;
    const name = this.#names[step];
    if (name === undefined) throw invalid(`An expression attribute name is not defined: ${step}`);
    this.#used.add(step);
    return name;
  }

  requireAllUsed(): void {
    for (const name of [...Object.keys(this.#names), ...Object.keys(this.#values)]) {
      if (!this.#used.has(name)) throw invalid(`Value provided in Expression attributes unused: ${name}`);
    }
  }
}

export function valueAt(item: Item | undefined, path: Path): unknown {
  let value: unknown = item;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function sizeOfValue(value: unknown): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (isSet(value)) return value.size;
  return isMap(value) ? Object.keys(value).length : undefined;
}

const TESTS: Record<Comparator, (order: number) => boolean> = {
  '=': order => order === 0,
  '<>': order => order !== 0,
  '<': order => order < 0,
  '<=': order => order <= 0,
  '>': order => order > 0,
  '>=': order => order >= 0,
};

/** Whether a condition holds for an item. All of its parts are evaluated, so that all placeholders count as used. */
export function holds(condition: Condition, item: Item | undefined, attributes: Attributes): boolean {
  const operand = (of: Operand) => operandOf(of, item, attributes);
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const [left, right] = [condition.left, condition.right].map(of => holds(of, item, attributes));
      return condition.kind === 'and' ? Boolean(left && right) : Boolean(left || right);
    }
    case 'not':
      return !holds(condition.of, item, attributes);
    case 'exists':
      return (valueAt(item, attributes.path(condition.path)) !== undefined) === condition.wanted;
    case 'between': {
      const [of, from, to] = [condition.of, condition.from, condition.to].map(operand);
      const [low, high] = [compare(of, from), compare(of, to)];
      return low !== undefined && high !== undefined && low >= 0 && high <= 0;
    }
    case 'in': {
      const of = operand(condition.of);
      return condition.among.map(operand).filter(one => of !== undefined && isEqual(of, one)).length > 0;
    }
    case 'compare':
      return comparison(condition.by, operand(condition.left), operand(condition.right));
    default:
      return test(condition.kind, operand(condition.of), operand(condition.value));
  }
}

function comparison(by: Comparator, left: unknown, right: unknown): boolean {
  if (by === '=') return left !== undefined && right !== undefined && isEqual(left, right);
  if (by === '<>') return !(left !== undefined && right !== undefined && isEqual(left, right));
  const order = compare(left, right);
  return order !== undefined && TESTS[by](order);
}

function test(kind: 'begins_with' | 'contains' | 'attribute_type', of: unknown, value: unknown): boolean {
  if (kind === 'attribute_type') return of !== undefined && typeOf(of) === value;
  if (kind === 'begins_with') {
    return typeof of === 'string' && typeof value === 'string' && of.startsWith(value);
  }
  if (typeof of === 'string') return typeof value === 'string' && of.includes(value);
  if (Array.isArray(of)) return of.some(element => isEqual(element, value));
  return isSet(of) && isIn(value, of);
}

export function operandOf(operand: Operand, item: Item | undefined, attributes: Attributes): unknown {
  switch (operand.kind) {
    case 'value':
      return attributes.value(operand.name);
    case 'path':
      return valueAt(item, attributes.path(operand.path));
    case 'size':
      return sizeOfValue(valueAt(item, attributes.path(operand.path)));
    case 'if_not_exists': {
      const otherwise = operandOf(operand.otherwise, item, attributes);
      const found = valueAt(item, attributes.path(operand.path));
      return found === undefined ? otherwise : found;
    }
    case 'list_append': {
      const [first, second] = [operand.first, operand.second].map(of => operandOf(of, item, attributes));
      if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
      throw wrongType();
    }
    case 'sum': {
      const [left, right] = [operand.left, operand.right].map(of => operandOf(of, item, attributes));
      if (left === undefined || right === undefined) throw missing();
      if (typeof left !== 'number' || typeof right !== 'number') throw wrongType();
      return left + operand.sign * right;
    }
  }
}

export const missing = () =>
  invalid('The provided expression refers to an attribute that does not exist in the item');
export const wrongType = () => invalid('An operand in the update expression has an incorrect data type');
