import { account } from './account.ts';
import type { Changes, ItemKind, StreamReader } from './kind.ts';
import { organization } from './organization.ts';
import { recipient } from './recipient.ts';
import { sending } from './sending.ts';

/** Derived from it are docs/table.md, grants and the filters of the stream. Data only, as the stacks import it. */
export const ITEMS = { ...account, ...organization, ...recipient, ...sending };
export type ItemName = keyof typeof ITEMS;
export const KINDS = Object.entries(ITEMS) as [ItemName, ItemKind][];

type Keys = { PK: string; SK: string };

/** The patterns of the variable parts of keys. Any other part is text without `#`. */
const VARIABLE: Record<string, string> = {
  organization: '\\d+',
  shard: '\\d{6}',
  address: '.+',
  'address without its tag': '.+',
  name: '.+',
  'hash of destination and part': '[^#]+(?:#m)?',
  what: '(?:organization|safeguards|sending|(?:list|automation)#[^#]+)',
  'automation, or nothing': '[^#]*',
  'column, or nothing': '[^#]*',
  'hash of the address, and the time zone if any': '[^#]+(?:#[^#]+){0,2}',
  'list, sequence or nothing': '[^#]*',
  'event id': '.+',
  milliseconds: '\\d{13}',
  batch: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d#[^#]+#[^#.]+\\.[^#.]+',
  'F, U or R': '[FUR]',
  'what happened': '(?:clicked|unsub_clicked|unsubscribed|bounced|complained)',
  'yyyy-mm-ddThh, and the resume if any': '\\d{4}-\\d\\d-\\d\\dT\\d\\d(?:\\.\\d+)?',
  'yyyy-mm-dd': '\\d{4}-\\d\\d-\\d\\d',
};

const PART = /<([^>]+)>/;

/** Splits a pattern: texts at the even indexes, names of variable parts at the odd ones. */
const split = (pattern: string) => pattern.split(PART);

const regular = (pattern: string) =>
  split(pattern)
    .map((part, at) =>
      at % 2 === 0 ? part.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&') : (VARIABLE[part] ?? '[^#]+'),
    )
    .join('');

const EXPRESSIONS = KINDS.map(([name, { PK, SK }]) => ({
  name,
  partition: split(PK)[0] ?? '',
  sort: split(SK)[0] ?? '',
  expression: new RegExp(`^${regular(PK)}\n${regular(SK)}$`, 's'),
}));

/** The kinds of an item with these keys: exactly one, unless something is wrong. */
export const kindsOf = ({ PK, SK }: Keys): ItemName[] =>
  EXPRESSIONS.flatMap(({ name, partition, sort, expression }) =>
    // The beginnings first: the readers of the stream ask for each record, and an expression takes ten times as long.
    PK.startsWith(partition) && SK.startsWith(sort) && expression.test(`${PK}\n${SK}`) ? [name] : [],
  );

/**
 * The changes that a reader of the stream handles, with the beginnings of the keys by which a filter recognizes them. Lambda takes
 * five filters, so kinds that differ by their sort keys alone share one.
 */
export const changesFor = (reader: StreamReader): (Changes & { PK?: string; SK: string[] })[] => {
  const all = KINDS.flatMap(([, { PK, SK, stream }]) => {
    const changes: Changes | undefined = stream?.[reader];
    if (!changes) return [];
    const [[partition = '', ...others], [sort = '']] = [split(PK), split(SK)];
    const isAlone = others.length === 0;
    return [{ changes: { ...changes, ...(isAlone && { PK: partition }) }, SK: isAlone ? '' : sort }];
  });
  return [...Map.groupBy(all, ({ changes }) => JSON.stringify(changes)).values()].map(same => ({
    ...same[0]?.changes,
    SK: [...new Set(same.flatMap(({ SK }) => (SK ? [SK] : [])))],
  }));
};
