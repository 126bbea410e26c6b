import { compareTexts } from './values.ts';

/** A row in an order: by its sort key, and for equal keys by its id. */
export type Row = { sort: string; id: string };

/** A range of the order. */
export type Range = { isBefore: (sort: string) => boolean; isBeyond: (sort: string) => boolean };

export const ALL: Range = { isBefore: () => false, isBeyond: () => false };

const compareRows = (a: Row, b: Row) => compareTexts(a.sort, b.sort) || compareTexts(a.id, b.id);

/** Rows in their order. */
export class Sorted<R extends Row> {
  readonly #rows: R[] = [];

  #firstWhere(isReached: (row: R) => boolean): number {
    let [from, until] = [0, this.#rows.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if (isReached(this.#rows[middle] as R)) until = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** Inserts a row, or replaces the one in its place. */
  insert(row: R): void {
    const at = this.#firstWhere(other => compareRows(other, row) >= 0);
    const other = this.#rows[at];
    this.#rows.splice(at, other && compareRows(other, row) === 0 ? 1 : 0, row);
  }

  remove(row: Row): void {
    const at = this.#firstWhere(other => compareRows(other, row) >= 0);
    const other = this.#rows[at];
    if (other && compareRows(other, row) === 0) this.#rows.splice(at, 1);
  }

  /** The rows of a range, after a place in the order that may have no row. */
  *within({ isBefore, isBeyond }: Range, isForward: boolean, after?: Row): Generator<R> {
    let from = this.#firstWhere(({ sort }) => !isBefore(sort));
    let until = this.#firstWhere(({ sort }) => isBeyond(sort));
    if (after && isForward) {
      from = Math.max(
        from,
        this.#firstWhere(row => compareRows(row, after) > 0),
      );
    }
    if (after && !isForward) {
      until = Math.min(
        until,
        this.#firstWhere(row => compareRows(row, after) >= 0),
      );
    }
    if (isForward) for (let at = from; at < until; at++) yield this.#rows[at] as R;
    else for (let at = until - 1; at >= from; at--) yield this.#rows[at] as R;
  }
}
