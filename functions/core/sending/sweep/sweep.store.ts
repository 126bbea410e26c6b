import { readSource, type Source, SWEEP } from '../../automation/source/source.ts';
import { queryPartition, type Table } from '../../storage/table.store.ts';
import { ABSENT, deleteItem, putItem, unchanged, updateItem } from '../../storage/write.store.ts';

const WATERMARK = { PK: SWEEP, SK: 'WATERMARK' };
const LEASE = { PK: SWEEP, SK: 'LEASE' };
const BEHIND = 'BEHIND#';
const behindKey = (organization: number) => ({ PK: SWEEP, SK: `${BEHIND}${organization}` });

export type State = {
  /** The last minute that was swept. */
  swept: Date | undefined;
  sources: Source[];
  /** The organizations that could not be swept, by the first minute that is missing. */
  behind: Map<number, Date>;
};

export async function read(table: Table): Promise<State> {
  const items = await queryPartition(table, SWEEP);
  const watermark = items.find(({ SK }) => SK === WATERMARK.SK);
  const behind = items.filter(({ SK }) => String(SK).startsWith(BEHIND));
  return {
    swept: watermark && new Date(String(watermark.swept_minute)),
    sources: items.flatMap(({ SK }) => readSource(String(SK)) ?? []),
    behind: new Map(
      behind.map(({ SK, from }) => [Number(String(SK).slice(BEHIND.length)), new Date(String(from))]),
    ),
  };
}

/** Moves the watermark forward, never back: false where another run has moved it this far or further. */
export function moveWatermark(table: Table, to: Date): Promise<boolean> {
  const swept_minute = to.toISOString();
  return putItem(
    table,
    { ...WATERMARK, swept_minute },
    {
      condition: 'attribute_not_exists(PK) OR swept_minute < :to',
      values: { ':to': swept_minute },
    },
  );
}

/** False where another run has the lease. */
export const takeLease = (table: Table, holder: string, now: Date, until: Date): Promise<boolean> =>
  putItem(
    table,
    { ...LEASE, holder, until: until.toISOString() },
    {
      condition: 'attribute_not_exists(PK) OR #until < :now',
      names: { '#until': 'until' },
      values: { ':now': now.toISOString() },
    },
  );

export const endLease = (table: Table, holder: string): Promise<boolean> =>
  deleteItem(table, LEASE, { condition: 'holder = :holder', values: { ':holder': holder } });

/** Notes that an organization is behind, from this minute on or an earlier one. */
export const markBehind = (table: Table, organization: number, from: Date): Promise<boolean> =>
  putItem(table, { ...behindKey(organization), from: from.toISOString() }, ABSENT);

const isFrom = (from: Date) => unchanged({ from: from.toISOString() }, ['from']);

/** From which minute it is behind now; false where another run has moved it. */
export const moveBehind = (table: Table, organization: number, from: Date, to: Date): Promise<unknown> =>
  updateItem(table, behindKey(organization), { set: { from: to.toISOString() } }, isFrom(from));

export const unmarkBehind = (table: Table, organization: number, from: Date): Promise<boolean> =>
  deleteItem(table, behindKey(organization), isFrom(from));
