import type { Store } from './table/store.ts';

const MINUTE = 60 * 1000;
const MINUTES = 24 * 60;
// The minute that has closed, and those before that a sweep may have missed.
const LOOKED_BACK = 2;
const COPIES = [0, 6 * 60, 12 * 60];

/** The minutes of the day in which trigger rows are: in others a sweep finds nothing. */
export class DueMinutes {
  readonly #store: Store;
  readonly #rows = new Map<number, number>();
  readonly #read: number[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether something may be due in one of the last minutes. */
  isNear(now: Date): boolean {
    this.#follow();
    const closed = Math.floor(now.getTime() / MINUTE) - 1;
    for (let back = 0; back < LOOKED_BACK; back++) {
      for (const copy of COPIES) {
        if ((this.#rows.get((closed - back - copy) % MINUTES) ?? 0) > 0) return true;
      }
    }
    return false;
  }

  #follow(): void {
    for (const [shard, changes] of this.#store.shards.entries()) {
      for (let at = this.#read[shard] ?? 0; at < changes.length; at++) {
        const { key, before, after } = changes[at] ?? {};
        if (!key?.PK.startsWith('TRG#') || Boolean(before) === Boolean(after)) continue;
        const minute = Number(key.SK.slice(0, 4));
        this.#rows.set(minute, (this.#rows.get(minute) ?? 0) + (after ? 1 : -1));
      }
      this.#read[shard] = changes.length;
    }
  }
}
