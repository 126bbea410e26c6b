import { LONGEST_SEARCH } from '../../../shared/limits.ts';

/** A filter of a table: how it is read from the URL, where anything may stand, and how it is written. */
export type Filter<Value, Asked extends string = string, Chosen = Value> = {
  /** Drops what is unknown. */
  read(text: string): Value;
  /** Empty where nothing is filtered: then the URL has no such parameter. */
  write(chosen: Chosen): string;
  /** What the API is asked for. */
  ask(value: Value): Asked | '';
};
export type Filters = Record<string, Filter<unknown>>;
export type ValuesOf<F extends Filters> = { [Name in keyof F]: ReturnType<F[Name]['read']> };
export type ChoicesOf<F extends Filters> = { [Name in keyof F]: Parameters<F[Name]['write']>[0] };
export type QueryOf<F extends Filters> = { [Name in keyof F]?: Exclude<ReturnType<F[Name]['ask']>, ''> };

/** Kept as it is typed; asked for without the spaces around it. */
export const text: Filter<string> = {
  read: typed => typed,
  write: typed => typed,
  ask: typed => typed.trim().slice(0, LONGEST_SEARCH),
};

/** One of some values, or none of them. */
export const oneOf = <Value extends string | number>(
  values: readonly Value[],
): Filter<Value | undefined, `${Value}`, string | number | undefined> => ({
  read: written => values.find(value => String(value) === written),
  write: (value = '') => String(value),
  ask: value => (value === undefined ? '' : `${value}`),
});

const severalWhere = <Value extends string>(
  isKnown: (text: string) => text is Value,
  most = Number.POSITIVE_INFINITY,
): Filter<Value[], string, readonly string[]> => {
  const write = (values: readonly string[]) => values.join(',');
  return { read: written => written.split(',').filter(isKnown).slice(0, most), write, ask: write };
};

/** Several of the keys of a table. None of them filters nothing. */
export const severalOf = <Value extends string>(table: Record<Value, unknown>) =>
  severalWhere((key): key is Value => Object.hasOwn(table, key));

/** As many as the query of a call has room for. */
export const MOST_IDS = 100;
const ID = /^[a-z0-9]{1,32}$/;
export const ids = severalWhere((id): id is string => ID.test(id), MOST_IDS);

/** In the URL: none is chosen. Without the parameter all are, also those that are added later. */
const NONE = 'none';

/** Some of the keys of a table; undefined where all are chosen, which filters nothing. */
export const someOf = <Value extends string>(
  table: Record<Value, unknown>,
): Filter<Value[] | undefined, string, readonly string[] | undefined> => {
  const several = severalOf(table);
  const write = (values: readonly string[] | undefined) => (values ? several.write(values) || NONE : '');
  return {
    read(written) {
      if (written === NONE) return [];
      const values = several.read(written);
      return values.length > 0 ? values : undefined;
    },
    write,
    ask: write,
  };
};

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A UTC day, `yyyy-mm-dd`; empty where none is chosen. */
export const day: Filter<string> = {
  read: written => (DAY.test(written) && isDay(written) ? written : ''),
  write: chosen => chosen,
  ask: chosen => chosen,
};

const isDay = (text: string) => {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
};
