import type { Claim, Marks } from '#core/recipient/journal.ts';
import type { Item } from '#core/storage/table.store.ts';
import type { Environment } from './environment.ts';
import type { Accepted, Post } from './provider.ts';
import { claimsIn, minuteIn, packIn, type Sent, sendName, sendsIn, skipsIn } from './stored.ts';
import type { Change, Store } from './table/store.ts';

/** A claim from its write until its release, with the final outcome of its email. */
export type Claimed = {
  id: string;
  organization: number;
  hash: string;
  claim: Claim;
  change: Change;
  releasedAt: number | undefined;
  marks: Partial<Marks>;
  /** The outcome from an event of the provider, if the batch says unknown. */
  outcome: 'sent' | 'failed' | undefined;
};

export type Skipped = {
  organization: number;
  hash: string;
  minute: string;
  pack: string;
  reason: string;
  automation: string;
  list: string;
  at: number;
  /** Of a pack for people who were members already. */
  isForExisting: boolean;
};
export type State = 'posting' | 'sent' | 'failed' | 'unknown' | 'released' | 'mixed';
export type Head = {
  batch: string;
  state: State;
  reason?: string;
  counts?: Record<string, Record<string, number>>;
  size: number;
};
export type Part = 'failed' | 'unknown' | 'released';
export type Ended = {
  organization: number;
  head: Head;
  sends: Sent[];
  /** The claims that were not sent, of a mixed batch. */
  parts: Record<Part, Set<string>>;
};
export type Posted = Post & { claims: Claimed[] };

/** Made of the changes of the table and the provider's ledger. */
export class History {
  readonly claims: Claimed[] = [];
  readonly skips: Skipped[];
  readonly batches: Ended[] = [];
  readonly posts: Posted[];
  readonly ledger: Accepted[];
  readonly #byId = new Map<string, Claimed>();
  readonly #skips = new Map<string, Skipped>();
  readonly #changes: Map<string, Change[]>;

  constructor({ store, provider }: Environment) {
    const changes = store.shards.flat().sort((a, b) => a.sequence - b.sequence);
    this.#changes = Map.groupBy(changes, ({ key }) => idOf(key));
    for (const change of changes) this.#read(change);
    this.#readBatches(store);
    this.ledger = provider.ledger;
    this.skips = [...this.#skips.values()];
    this.posts = provider.posts.map(post => ({
      ...post,
      claims: post.sends.flatMap(send => this.claimOf(send) ?? []),
    }));
  }

  claimOf = (send = ''): Claimed | undefined => this.#byId.get(send);

  #read(change: Change): void {
    const { key, after, at } = change;
    const [kind, organization, hash = ''] = key.PK.split('#');
    if (kind === 'R' && after?.type === 'send') {
      const id = sendName(String(organization), hash, Number(after.seq));
      const known = this.#byId.get(id);
      if (known) {
        if (after.released) known.releasedAt ??= at;
        known.marks = marksIn(after);
        known.outcome = after.outcome as Claimed['outcome'];
        return;
      }
      const claim = after as unknown as Claim;
      const none = { releasedAt: undefined, marks: {}, outcome: undefined };
      const claimed = { id, organization: Number(organization), hash, claim, change, ...none };
      this.#byId.set(id, claimed);
      this.claims.push(claimed);
    }
    if (kind === 'ORG' && hash === 'SKIPS' && after) this.#readSkips(Number(organization), after, at);
  }

  #readSkips(organization: number, item: Item, at: number): void {
    const pack = packIn(String(item.SK));
    for (const row of skipsIn(item)) {
      const id = [organization, pack, row.hash, row.list, row.automation].join(' ');
      const skip = { ...row, organization, minute: minuteIn(pack), pack, at };
      if (!this.#skips.has(id)) this.#skips.set(id, skip);
    }
  }

  #readBatches(store: Store): void {
    const items = [...store.all()].filter(({ PK }) => /^ORG#\d+#LOG$/.test(String(PK)));
    const byKey = new Map(items.map(item => [idOf(item), item]));
    for (const item of items.filter(({ type }) => type === 'batch')) {
      const part = (name: string) => byKey.get(`${item.PK} ${item.SK}#${name}`);
      const claimsOf = (name: string) => {
        const found = part(name);
        return new Set(found ? claimsIn(found) : []);
      };
      const manifest = part('M');
      const [failed, unknown, released] = [claimsOf('F'), claimsOf('U'), claimsOf('R')];
      this.batches.push({
        organization: Number(String(item.PK).split('#')[1]),
        head: { ...item, batch: String(item.SK) } as unknown as Head,
        sends: manifest ? sendsIn(manifest) : [],
        parts: { failed, unknown, released },
      });
    }
  }

  /** All changes of items whose keys begin with these. */
  changesWithin = (PK: string, SK: string): Change[] =>
    [...this.#changes.values()]
      .filter(([first]) => first?.key.PK.startsWith(PK) && first.key.SK.startsWith(SK))
      .flat();

  /** All versions of items whose keys begin with these. */
  versionsOf = (PK: string, SK: string): Item[] =>
    this.changesWithin(PK, SK).flatMap(({ after }): Item[] => (after ? [after] : []));

  changesOf = (PK: string, SK: string): Change[] => this.#changes.get(`${PK} ${SK}`) ?? [];

  before = (PK: string, SK: string, { sequence }: Change): Item | undefined =>
    this.changesOf(PK, SK).findLast(change => change.sequence < sequence)?.after;

  /** The version of an item at an instant. */
  at(PK: string, SK: string, at: number): Item | undefined {
    const changes = this.changesOf(PK, SK);
    let [from, until] = [0, changes.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if ((changes[middle]?.at ?? 0) <= at) from = middle + 1;
      else until = middle;
    }
    return changes[from - 1]?.after;
  }

  /** All versions within a span of time. */
  during = (PK: string, SK: string, from: number, to: number): (Item | undefined)[] => [
    this.at(PK, SK, from),
    ...this.changesOf(PK, SK)
      .filter(({ at }) => at > from && at <= to)
      .map(({ after }) => after),
  ];

  /** If it did not change in the two minutes before an instant. */
  stableBefore(PK: string, SK: string, at: number): Item | undefined {
    const versions = this.during(PK, SK, at - STABLE, at + CLOCKS_APART);
    return versions.length === 1 ? versions[0] : undefined;
  }

  /** In the two minutes before an instant. */
  isZoneStable(organization: number, list: string, at: number): boolean {
    return ['META', `LIST#${list}`].every(SK => {
      const versions = this.during(`ORG#${organization}`, SK, at - STABLE, at + CLOCKS_APART);
      return new Set(versions.map(version => version?.time_zone)).size === 1;
    });
  }

  /** Apart from the ignored fields. */
  isChanged(PK: string, SK: string, from: number, to: number, ignored: string[] = []): boolean {
    return this.changesOf(PK, SK).some(
      ({ at, before, after }) => at >= from && at <= to && textOf(before, ignored) !== textOf(after, ignored),
    );
  }
}

const STABLE = 2 * 60 * 1000;
const CLOCKS_APART = 5_000;

const MARK =
  /^(unsub_|first_|machine_)?(opened|clicked|unsubscribed|delivered|rejected|bounced|complained)_at$/;
const marksIn = (item: Item): Partial<Marks> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => MARK.test(name)));

const idOf = ({ PK, SK }: Item) => `${PK} ${SK}`;

const textOf = (item: Item | undefined, ignored: string[]) =>
  item &&
  JSON.stringify(
    Object.entries(item)
      .filter(([name]) => !ignored.includes(name))
      .sort(),
  );
