import type { Item, Key } from '#core/storage/table.store.ts';
import { hash, type Random } from '../random.ts';
import { type Row, Sorted } from './sorted.ts';
import { isEqual, sizeOfItem } from './values.ts';

/** How old the responses of eventually consistent reads may be. */
type Staleness = { random: Random; lag: () => number };

/** A change of one item, as in the stream. */
export type Change = {
  sequence: number;
  at: number;
  key: Key;
  before?: Item | undefined;
  after?: Item | undefined;
};

/** An item since an instant; undefined if it was deleted. */
type Version = { at: number; item: Item | undefined; size: number };
type Cell = Row & { key: Key; versions: [Version, ...Version[]] };
export type IndexRow = Row & { item: Item; size: number };
export type Stored = { item: Item; size: number };

// No read returns an older version.
const KEPT = 10_000;
const MOST_SHARDS = 2;

export const INDEX = { name: 'GSI1', projected: ['email', 'status', 'created_at', 'updated_at'] };
const IN_INDEX = ['PK', 'SK', 'GSI1PK', 'GSI1SK', ...INDEX.projected];

const idOf = ({ PK, SK }: Item | Key) => `${PK}\0${SK}`;

/** The items of a table with their latest versions, its index and its stream. Stored items are never mutated. */
export class Store {
  readonly #partitions = new Map<string, { cells: Map<string, Cell>; sorted: Sorted<Cell> }>();
  readonly #index = new Map<string, Sorted<IndexRow>>();
  /** Changes that the index does not contain yet. */
  #unindexed: Change[] = [];
  readonly #shards: Change[][] = Array.from({ length: MOST_SHARDS }, () => []);
  readonly #now: () => number;
  readonly #staleness: Staleness | undefined;
  #sequence = 0;
  readonly #listeners: ((shard: number) => void)[] = [];

  constructor(now: () => number, staleness?: Staleness) {
    this.#now = now;
    this.#staleness = staleness;
  }

  /** The shards of the stream, each with all of its changes. */
  get shards(): readonly (readonly Change[])[] {
    return this.#shards;
  }

  /** Adds a listener, which is called with the number of a shard that has a new change. */
  onChange(tell: (shard: number) => void): void {
    this.#listeners.push(tell);
  }

  #instantOfRead(isConsistent: boolean): number {
    return isConsistent || !this.#staleness ? Infinity : this.#now() - this.#staleness.lag();
  }

  read({ PK, SK }: Key, isConsistent: boolean): Item | undefined {
    const cell = this.#partitions.get(PK)?.cells.get(SK);
    return cell && versionAt(cell, this.#instantOfRead(isConsistent))?.item;
  }

  /** The items of a partition by their sort keys. Each is read no earlier than the one before it. */
  *readPartition(PK: string, isConsistent: boolean, rows: Walk): Generator<Stored> {
    const partition = this.#partitions.get(PK);
    if (!partition) return;
    let instant = this.#instantOfRead(isConsistent);
    for (const cell of rows(partition.sorted)) {
      if (this.#staleness?.random.chance(0.2)) {
        instant = Math.max(instant, this.#instantOfRead(isConsistent));
      }
      const version = versionAt(cell, instant);
      if (version?.item) yield version as Stored;
    }
  }

  /** The items of a partition of the index, which is always eventually consistent. */
  *readIndex(partition: string, rows: Walk): Generator<Stored> {
    this.#bringIndexTo(this.#instantOfRead(false));
    const sorted = this.#index.get(partition);
    if (sorted) yield* rows(sorted);
  }

  write(key: Key, after: Item | undefined): void {
    const at = this.#now();
    const partition = this.#partitionOf(key.PK);
    const cell = partition.cells.get(key.SK);
    const before = cell?.versions[0].item;
    if (after === undefined && before === undefined) return;
    const version = { at, item: after, size: after ? sizeOfItem(after) : 0 };
    if (cell) {
      cell.versions = [version, ...this.#keptOf(cell, at)];
    } else {
      const created: Cell = { sort: key.SK, id: '', key, versions: [version] };
      partition.cells.set(key.SK, created);
      partition.sorted.insert(created);
    }
    if (before && after && isEqual(before, after)) return;
    const change = { sequence: ++this.#sequence, at, key, before, after };
    this.#unindexed.push(change);
    const shard = hash(key.PK) % MOST_SHARDS;
    this.#shards[shard]?.push(change);
    for (const tell of this.#listeners) tell(shard);
  }

  /** The versions that a read may still return after a write. */
  #keptOf({ versions }: Cell, at: number): Version[] {
    if (!this.#staleness) return [];
    const old = versions.findIndex(other => other.at < at - KEPT);
    return versions.slice(0, old === -1 ? undefined : old + 1);
  }

  #partitionOf(PK: string) {
    const known = this.#partitions.get(PK);
    if (known) return known;
    const created = { cells: new Map<string, Cell>(), sorted: new Sorted<Cell>() };
    this.#partitions.set(PK, created);
    return created;
  }

  #bringIndexTo(instant: number): void {
    let done = 0;
    for (const change of this.#unindexed) {
      if (change.at > instant) break;
      this.#apply(change);
      done++;
    }
    if (done > 0) this.#unindexed = this.#unindexed.slice(done);
  }

  #apply({ before, after }: Change): void {
    if (before && isIndexed(before)) {
      this.#index.get(before.GSI1PK)?.remove({ sort: before.GSI1SK, id: idOf(before) });
    }
    if (!after || !isIndexed(after)) return;
    const item = Object.fromEntries(
      IN_INDEX.filter(name => after[name] !== undefined).map(name => [name, after[name]]),
    );
    const rows = this.#index.get(after.GSI1PK) ?? new Sorted<IndexRow>();
    rows.insert({ sort: after.GSI1SK, id: idOf(after), item, size: sizeOfItem(item) });
    this.#index.set(after.GSI1PK, rows);
  }

  *all(): Generator<Item> {
    for (const { cells } of this.#partitions.values()) {
      for (const { versions } of cells.values()) if (versions[0].item) yield versions[0].item;
    }
  }
}

type Walk = <R extends Row>(sorted: Sorted<R>) => Iterable<R>;

const isIndexed = (item: Item): item is Item & { GSI1PK: string; GSI1SK: string } =>
  typeof item.GSI1PK === 'string' && typeof item.GSI1SK === 'string';

const versionAt = ({ versions }: Cell, instant: number): Version | undefined =>
  instant === Infinity ? versions[0] : versions.find(({ at }) => at <= instant);
