import type { Item } from '#core/storage/table.store.ts';

type TypeName = 'S' | 'N' | 'BOOL' | 'NULL' | 'B' | 'SS' | 'NS' | 'BS' | 'L' | 'M';

const setTypes = { string: 'SS', number: 'NS', object: 'BS' } as const;

/** The type as which DynamoDB stores a value; throws if the client cannot send it. */
export function typeOf(value: unknown): TypeName {
  switch (typeof value) {
    case 'string':
      return 'S';
    case 'number':
      if (!Number.isFinite(value)) throw new Error(`Special numeric value ${value} is not allowed`);
      return 'N';
    case 'boolean':
      return 'BOOL';
    case 'object':
      return typeOfObject(value);
    default:
      throw new Error(`Unsupported type passed: ${typeof value}`);
  }
}

function typeOfObject(value: object | null): TypeName {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Uint8Array) return 'B';
  if (value instanceof Set) {
    if (value.size === 0) throw new Error('Pass a non-empty set, or options.convertEmptyValues=true.');
    const [type, ...others] = new Set([...value].map(element => typeof element));
    const name = setTypes[type as keyof typeof setTypes];
    if (!name || others.length > 0) throw new Error(`Only Number Set (NS), Binary Set (BS), String Set (SS)`);
    return name;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return 'M';
  throw new Error(`Unsupported type passed: ${value.constructor.name}`);
}

export const isSet = (value: unknown): value is Set<string> => value instanceof Set;
export const isMap = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && typeOfObject(value) === 'M';

/** A deep copy of a value, as after a request or a response: without undefined values. */
export function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) {
    typeOf(value);
    return value;
  }
  return copyOfObject(value as object) as T;
}

function copyOfObject(value: object): unknown {
  switch (typeOfObject(value)) {
    case 'L':
      return (value as unknown[]).filter(element => element !== undefined).map(copyOf);
    case 'B':
      return Uint8Array.from(value as Uint8Array);
    case 'M':
      return copyOfItem(value as Item);
    default:
      return new Set([...(value as Set<unknown>)].map(copyOf));
  }
}

export function copyOfItem(item: Item): Item {
  const copy: Item = {};
  for (const name in item) if (item[name] !== undefined) copy[name] = copyOf(item[name]);
  return copy;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
export function sizeOf(value: unknown): number {
  switch (typeOf(value)) {
    case 'S':
      return Buffer.byteLength(value as string);
    case 'N':
      return 2 + Math.ceil(String(value).replace(/[-.]|e.*/g, '').length / 2);
    case 'B':
      return (value as Uint8Array).length;
    case 'L':
      return (value as unknown[]).reduce<number>((sum, element) => sum + 1 + sizeOf(element), 3);
    case 'M':
      return 3 + sizeOfItem(value as Item) + Object.keys(value as Item).length;
    case 'SS':
    case 'NS':
    case 'BS':
      return [...(value as Set<unknown>)].reduce<number>((sum, element) => sum + sizeOf(element), 0);
    default:
      return 1;
  }
}

export function sizeOfItem(item: Item): number {
  let size = 0;
  for (const name in item) size += name.length + sizeOf(item[name]);
  return size;
}

/** Compares as DynamoDB does: by bytes in UTF-8. JavaScript compares UTF-16 code units. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters beyond all other code units. */
const rank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Undefined if the two cannot be compared. */
export function compare(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  return undefined;
}

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (typeOf(a) !== typeOf(b)) return false;
  if (a instanceof Uint8Array) return Buffer.compare(a, b as Uint8Array) === 0;
  if (Array.isArray(a)) {
    const other = b as unknown[];
    return a.length === other.length && a.every((element, at) => isEqual(element, other[at]));
  }
  if (a instanceof Set) {
    const other = [...(b as Set<unknown>)];
    return a.size === other.length && other.every(element => isIn(element, a));
  }
  const [left, right] = [a as Item, b as Item];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(key => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
  );
}

export const isIn = (element: unknown, set: Set<unknown>): boolean =>
  set.has(element) || (element instanceof Uint8Array && [...set].some(other => isEqual(element, other)));

/** A value in the format of DynamoDB's own API. */
function marshalled(value: unknown): Record<string, unknown> {
  const type = typeOf(value);
  switch (type) {
    case 'N':
      return { N: String(value) };
    case 'NULL':
      return { NULL: true };
    case 'L':
      return { L: (value as unknown[]).map(marshalled) };
    case 'M':
      return { M: marshalledItem(value as Item) };
    case 'SS':
    case 'BS':
      return { [type]: [...(value as Set<unknown>)] };
    case 'NS':
      return { NS: [...(value as Set<number>)].map(String) };
    default:
      return { [type]: value };
  }
}

export const marshalledItem = (item: Item): Record<string, Record<string, unknown>> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, marshalled(value)]));
