import { LONGEST_SEARCH } from '#shared/limits.ts';

/** A filter of a table: how it is parsed from the URL, which may contain anything, and how it is written there. */
export type Filter<Value, Asked extends string = string, Chosen = Value> = {
  /** Ignores unknown values. */
  read(text: string): Value;
  /** Empty if nothing is filtered, so that the URL has no such parameter. */
  write(chosen: Chosen): string;
  ask(value: Value): Asked | '';
};
export type Filters = Record<string, Filter<unknown>>;
export type ValuesOf<F extends Filters> = { [Name in keyof F]: ReturnType<F[Name]['read']> };
export type ChoicesOf<F extends Filters> = { [Name in keyof F]: Parameters<F[Name]['write']>[0] };
export type QueryOf<F extends Filters> = { [Name in keyof F]?: Exclude<ReturnType<F[Name]['ask']>, ''> };

export const text: Filter<string> = {
  read: typed => typed,
  write: typed => typed,
  ask: typed => typed.trim().slice(0, LONGEST_SEARCH),
};

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

/** Several keys of a table. Without any, nothing is filtered. */
export const severalOf = <Value extends string>(table: Record<Value, unknown>) =>
  severalWhere((key): key is Value => Object.hasOwn(table, key));

/** The most ids that the query of a request may contain. */
export const MOST_IDS = 100;
/** That of a broadcast begins with a B. */
const ID = /^(B[a-z0-9]{11}|[a-z0-9]{1,32})$/;
/** Empty if none is chosen. */
const oneWhere = (isValid: (text: string) => boolean): Filter<string> => ({
  read: written => (isValid(written) ? written : ''),
  write: chosen => chosen,
  ask: chosen => chosen,
});
export const id = oneWhere(text => ID.test(text));
export const ids = severalWhere((id): id is string => ID.test(id), MOST_IDS);

/** The value in the URL if none is chosen. Without the parameter all are chosen, including later ones. */
const NONE = 'none';

/** Some keys of a table; undefined if all are chosen, so that nothing is filtered. */
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

/** A UTC day, `yyyy-mm-dd`. */
export const day = oneWhere(text => {
  const instant = new Date(text);
  return DAY.test(text) && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
});
