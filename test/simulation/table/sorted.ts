import { compareTexts } from './values.ts';

/** Something with a place in an order: by its sort key, and among equal ones by its id. */
export type Row = { sort: string; id: string };

/** A part of the order: what comes before it, and what beyond it. */
export type Range = { isBefore: (sort: string) => boolean; isBeyond: (sort: string) => boolean };

export const ALL: Range = { isBefore: () => false, isBeyond: () => false };

const compareRows = (a: Row, b: Row) => compareTexts(a.sort, b.sort) || compareTexts(a.id, b.id);

/** Rows in order. */
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

  /** The row itself, or the one that it takes the place of. */
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

  /** The rows of a range after a place in the order, which need not be that of a row. */
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
