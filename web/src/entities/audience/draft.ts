import {
  type Audience,
  type AudienceItem,
  type AudienceRule,
  audienceFault,
  OPERATORS,
  type Operator,
  operatorsOf,
  SPECIAL_FIELDS,
} from '#shared/audience.ts';
import { faultOf } from '#shared/metadata.ts';

/** A rule while it is edited, when it may be incomplete. `isOther`: its column is entered, not chosen. */
export type Row = AudienceRule & { key: number; isNew?: boolean; isOther?: boolean };
export type Block = { key: number; match: 'all' | 'any'; items: Item[] };
export type Item = Row | Block;

export const isRow = (item: Item): item is Row => !('items' in item);

let last = 0;

export const newRow = (): Row => ({ key: ++last, field: '', op: 'is', value: '', isNew: true });
export const newBlock = (match: Block['match']): Block => ({ key: ++last, match, items: [newRow()] });

export function editableOf(item: AudienceItem): Item {
  if ('field' in item) return { ...item, key: ++last };
  const match = 'all' in item ? 'all' : 'any';
  return { key: ++last, match, items: ('all' in item ? item.all : item.any).map(editableOf) };
}

function itemOf(item: Item): AudienceItem {
  if (!isRow(item)) return { [item.match]: item.items.map(itemOf) } as Audience;
  const { field, op, value } = item;
  return { field: field.trim(), op, ...(value !== undefined && { value }) };
}

export const audienceOf = (draft: Block | undefined) =>
  draft === undefined ? null : (itemOf(draft) as Audience);

export const rowsOf = (item: Item): Row[] => (isRow(item) ? [item] : item.items.flatMap(rowsOf));

/** Replaces the item with this key by others. Groups that are empty then are removed. */
export const edited = (items: Item[], key: number, by: Item[]): Item[] =>
  items.flatMap(item => {
    if (item.key === key) return by;
    if (isRow(item)) return [item];
    const left = edited(item.items, key, by);
    return left.length > 0 ? [{ ...item, items: left }] : [];
  });

const EMPTY = { text: '', date: { days_ago: Number.NaN }, list: '', nothing: undefined };
const takes = (op: Operator) => (OPERATORS[op].takes === 'number' ? 'text' : OPERATORS[op].takes);

/** With another operator. What was entered stays if it can follow that, too. */
export function withOperator({ value, ...row }: Row, op: Operator): Row {
  const kept = takes(op) === takes(row.op) ? value : EMPTY[takes(op)];
  return { ...row, op, ...(kept !== undefined && { value: kept }) };
}

export function withField(row: Row, field: string, isDate: boolean): Row {
  const operators = isDate ? (['before', 'after'] as const) : operatorsOf(field);
  const op = operators.find(operator => operator === row.op) ?? operators[0] ?? row.op;
  return { ...withOperator(row, op), field };
}

const NEEDED = {
  text: 'enter a value',
  number: 'enter a number',
  date: 'enter a date, or a number of days up to 3,650',
  list: 'choose a list',
  nothing: '',
};

/** What is missing or wrong in a rule, and in which of its controls. */
export function faultOfRow(row: Row): { at: 'field' | 'value'; text: string } | undefined {
  const rule = itemOf(row) as AudienceRule;
  if (audienceFault({ all: [rule] }) === undefined) return undefined;
  if (rule.field === '') return { at: 'field', text: row.isOther ? 'enter a column' : 'choose a column' };
  const keyFault = SPECIAL_FIELDS.includes(rule.field) ? undefined : faultOf(rule.field, true);
  if (keyFault) return { at: 'field', text: keyFault };
  const isEntered = takes(rule.op) === 'text' && rule.value !== '';
  const valueFault = isEntered ? faultOf('value', rule.value) : undefined;
  return { at: 'value', text: valueFault ?? NEEDED[OPERATORS[rule.op].takes] };
}
