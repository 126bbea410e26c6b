import { createWrites, type StoredAutomation, sourceWrites } from '#core/automation/automation.store.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import { triggerRow } from '#core/recipient/trigger.ts';
import type { Pack } from '#core/sending/pack.ts';
import { sweep, sweepAll } from '#core/sending/sweep/sweep.ts';
import { markShard } from '#core/sources/source.ts';
import { batchWrite, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import { intercepted } from './intercepted.ts';
import { unstored } from './unstored.ts';

/** The id of an item that the sweep reads. Items are written without the API: thousands of organizations in seconds. */
const named = (letter: string, organization: number, nth: number) =>
  `${letter}${String(organization).padStart(7, '0')}${String(nth).padStart(4, '0')}`;
export const listId = (organization: number, nth = 0) => named('l', organization, nth);
export const automationId = (organization: number, nth = 0) => named('a', organization, nth);
export const personHash = (nth: number) => String(nth).padStart(22, '0');

export const ADDED_LONG_AGO = '2026-01-01T00:00:00.000Z';

export type Automated = Partial<StoredAutomation> & {
  /** The indexes of the lists; by default, only the first one. */
  of?: number[];
};

type Wanted = { id: number; lists?: number; automations?: Automated[] };

export function organizationItems(
  table: Table,
  { id, lists = 1, automations = [{}] }: Wanted,
): (Item & Key)[] {
  const PK = `ORG#${id}`;
  const active = { active: true, created_at: ADDED_LONG_AGO };
  return [
    { PK, SK: 'META', id, name: 'Office', ...active, members: 1 },
    ...Array.from({ length: lists }, (_, nth) => {
      const list = listId(id, nth);
      const fields = { id: list, organization_id: id, name: 'Readers', sending_key: 'sealed' };
      return { PK, SK: `LIST#${list}`, ...fields, ...active };
    }),
    ...automations.flatMap(({ of = [0], ...fields }, nth) => {
      const email_list_ids = of.map(place => listId(id, place));
      const automation = unstored(id, { id: automationId(id, nth), email_list_ids, ...fields });
      // Without the items that list its content, which the sweep does not read.
      return automationItems(table, automation);
    }),
  ];
}

/** Without the item that lists its content, which the sweep does not read. */
export function automationItems(table: Table, automation: StoredAutomation): (Item & Key)[] {
  const [own] = createWrites(table, automation);
  const now = new Date(automation.created_at);
  const { added } = sourceWrites(table, undefined, automation, { now, passes: [] });
  return [own, ...added].map(({ Put }) => Put?.Item as Item & Key);
}

/** The trigger rows of this many people, whose date is at an instant. */
export const rowsAt = (list: string, column: string, instant: Date, people: number, first = 0): Key[] =>
  Array.from({ length: people }, (_, nth) =>
    triggerRow(list, column, { hash: personHash(first + nth), instant }),
  );

export async function putItems(table: Table, puts: (Item & Key)[]): Promise<void> {
  await inParallel(chunksOf(puts, 25), 8, some => batchWrite(table, { puts: some }));
}

export async function putOrganization(table: Table, wanted: Wanted): Promise<void> {
  await markShard(table, wanted.id);
  await putItems(table, organizationItems(table, wanted));
}

export const duesOf = ({ minute, sources, people }: Pack): string[] =>
  people.flatMap(([hash, dues]) =>
    dues.map(([place]) => {
      const { list, automation } = sources[place] ?? {};
      return `${minute} ${hash} ${list} ${automation}`;
    }),
  );

type Needs = Parameters<typeof sweepAll>[0];

export function sweeper(table: Table) {
  const packs: Pack[] = [];
  const failed: [organization: number, message: string][] = [];
  const needs = (now: Date, others: Partial<Needs>): Needs => ({
    table,
    now,
    hasTimeLeft: () => true,
    queue: async some => void packs.push(...some),
    sweepOthers: async () => {},
    failed: (organization, error) => void failed.push([organization, (error as Error).message]),
    tooOld: () => {},
    ...others,
  });
  return {
    packs,
    failed,
    run: (now: Date, others: Partial<Needs> = {}) => sweepAll(needs(now, others)),
    runOf: (shard: number, now: Date, others: Partial<Needs> = {}) => sweep(needs(now, others), shard),
    dues: (organization: number) => packs.filter(pack => pack.organization === organization).flatMap(duesOf),
  };
}

/** A table for a process that dies before it has stored the second page of a pass. */
export function dyingAsPassMoves(table: Table): Table {
  let moves = 0;
  return intercepted(table, async (send, { input }) => {
    if (!JSON.stringify(input).includes('#existing') || ++moves !== 2) return send();
    throw new Error('The process has died');
  });
}

/** A clock that runs out of time after this many reads. */
export function timeFor(looks: number): () => boolean {
  let looked = 0;
  return () => looked++ < looks;
}

/** The time at which tests of the sweep start, and ten seconds into a minute after it. */
export const noon = new Date('2026-03-01T12:00:00Z');
export const minute = (nth: number, seconds = 10) => new Date(noon.getTime() + (nth * 60 + seconds) * 1000);
