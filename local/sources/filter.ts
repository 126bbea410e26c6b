import { Mistake } from '../mistake.ts';
import type { Properties } from '../template/kinds.ts';

type Criteria = Properties<'AWS::Lambda::EventSourceMapping'>['FilterCriteria'];
type Leaf = string | number | boolean | null;
type Match = (value: unknown) => boolean;
/** Whether one of the values of a field is what a rule asks for. */
type Rule = (leaves: Leaf[]) => boolean;

/**
 * What an event source lets through: a record that one of its patterns matches, all of them where it has none.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function filterOf(criteria: Criteria, entry: string): Match {
  if (!criteria?.Filters.length) return () => true;
  const matches = criteria.Filters.map(({ Pattern }) => {
    try {
      return matchOf(JSON.parse(Pattern));
    } catch (error) {
      const reason = error instanceof NotUnderstood ? error.message : 'it is no JSON';
      throw new Mistake(`The local stack does not understand the filter ${Pattern} of ${entry}: ${reason}.`);
    }
  });
  return record => matches.some(match => match(record));
}

class NotUnderstood extends Error {}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLeaf = (value: unknown): value is Leaf =>
  value === null || !['object', 'undefined'].includes(typeof value);
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function matchOf(pattern: unknown): Match {
  if (Array.isArray(pattern)) return fieldMatch(pattern);
  if (!isObject(pattern) || Object.keys(pattern).length === 0) {
    throw new NotUnderstood(`${JSON.stringify(pattern)} is neither a list of values nor an object of fields`);
  }
  const fields = Object.entries(pattern).map(([name, wanted]): [string, Match] => {
    if (name.startsWith('$')) throw new NotUnderstood(`${name} is not known`);
    return [name, matchOf(wanted)];
  });
  return value =>
    listed(value).some(item =>
      fields.every(([name, match]) => match(isObject(item) ? item[name] : undefined)),
    );
}

function fieldMatch(wanted: unknown[]): Match {
  if (wanted.length === 0) throw new NotUnderstood('an empty list lets nothing through');
  const rules = wanted.map(ruleOf);
  return value => {
    const leaves = listed(value).filter(isLeaf);
    return rules.some(rule => rule(leaves));
  };
}

const text = (operand: unknown): string => {
  if (typeof operand === 'string') return operand;
  throw new NotUnderstood(`${JSON.stringify(operand)} is no text`);
};

// Numbers in a stream of DynamoDB are written as text: comparing them with `numeric` would never match.
const RULES: Record<string, (operand: unknown) => Rule> = {
  exists(operand) {
    if (typeof operand !== 'boolean') throw new NotUnderstood('exists is true or false');
    return leaves => leaves.length > 0 === operand;
  },
  prefix(operand) {
    const start = text(operand);
    return leaves => leaves.some(leaf => typeof leaf === 'string' && leaf.startsWith(start));
  },
  suffix(operand) {
    const end = text(operand);
    return leaves => leaves.some(leaf => typeof leaf === 'string' && leaf.endsWith(end));
  },
  'anything-but'(operand) {
    const unwanted = listed(operand);
    if (!unwanted.every(isLeaf)) throw new NotUnderstood('anything-but is followed by values alone');
    return leaves => leaves.some(leaf => !unwanted.includes(leaf));
  },
};

function ruleOf(wanted: unknown): Rule {
  if (isLeaf(wanted)) return leaves => leaves.includes(wanted);
  const [[name, operand] = [], ...more] = isObject(wanted) ? Object.entries(wanted) : [];
  const rule =
    name !== undefined && more.length === 0 && Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (!rule) throw new NotUnderstood(`${JSON.stringify(wanted)} is not known`);
  return rule(operand);
}
