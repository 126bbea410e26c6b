import { Mistake } from '../mistake.ts';
import { isObject } from '../parse.ts';

type Leaf = string | number | boolean | null;
type Match = (value: unknown) => boolean;

/**
 * Whether a record, or an event, matches one of several patterns. Without patterns, everything matches. Only the rules that
 * the template uses are supported: values and prefixes.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function filterOf(patterns: string[] | undefined, owner: string): Match {
  const matches = patterns?.map(pattern => {
    try {
      return matchOf(JSON.parse(pattern));
    } catch (error) {
      const reason = error instanceof NotUnderstood ? error.message : 'it is no JSON';
      throw new Mistake(`The local stack does not understand the filter ${pattern} of ${owner}: ${reason}.`);
    }
  });
  return record => matches?.some(match => match(record)) ?? true;
}

class NotUnderstood extends Error {}

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

function fieldMatch(rules: unknown[]): Match {
  if (rules.length === 0) throw new NotUnderstood('an empty list matches nothing');
  const matches = rules.map(ruleOf);
  return value => listed(value).some(item => isLeaf(item) && matches.some(match => match(item)));
}

function ruleOf(rule: unknown): Match {
  if (isLeaf(rule)) return value => value === rule;
  const { prefix, ...others } = isObject(rule) ? rule : {};
  if (typeof prefix !== 'string' || Object.keys(others).length > 0) {
    throw new NotUnderstood(`${JSON.stringify(rule)} is not known`);
  }
  return value => typeof value === 'string' && value.startsWith(prefix);
}
