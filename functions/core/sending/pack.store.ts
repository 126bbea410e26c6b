import { deletePage, epochSeconds, get, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { LEASE, PACK_KEPT } from '#core/times.ts';

type Of = { organization: number; minute: string; id: string };

const packsPartition = (organization: number) => `ORG#${organization}#PACKS`;
const packKey = ({ organization, minute, id }: Of) => ({
  PK: packsPartition(organization),
  SK: `${minute}#${id}`,
});

/**
 * `mine`: this process has the lease, as the first one or after another lease has ended; `held`: another process has it;
 * `done`: nothing is left to do.
 */
type Lease = { state: 'mine'; run: Run } | { state: 'held' } | { state: 'done' };
/** A process with the lease of a pack: its number among all that had it, and when its lease ends. */
export type Run = { number: number; until: Date };

/** Takes the lease of a pack in a conditional write: of several processes that have its message, one works on it. */
export async function takeLease(table: Table, pack: Of, holder: string, now: Date): Promise<Lease> {
  const until = new Date(now.getTime() + LEASE);
  const item = await updateItem(
    table,
    packKey(pack),
    {
      set: {
        holder,
        until: until.toISOString(),
        state: 'running',
        ttl: epochSeconds(new Date(now.getTime() + PACK_KEPT)),
      },
      add: { run: 1 },
    },
    {
      condition: 'attribute_not_exists(PK) OR (#state = :running AND #until < :now)',
      values: { ':running': 'running', ':now': now.toISOString() },
    },
  );
  if (item) return { state: 'mine', run: { number: Number(item.run), until } };
  const found = await get(table, packKey(pack));
  if (found?.state === 'done') return { state: 'done' };
  // The condition also fails if the SDK repeats a request whose answer was lost. The lease is then our own.
  return found?.holder === holder
    ? { state: 'mine', run: { number: Number(found.run), until: new Date(String(found.until)) } }
    : { state: 'held' };
}

/** Marks a pack as done. Returns false if another process has taken the lease over, and may not be done. */
export async function markDone(table: Table, pack: Of, holder: string): Promise<boolean> {
  const isMine = { condition: 'holder = :holder', values: { ':holder': holder } };
  return (await updateItem(table, packKey(pack), { set: { state: 'done' } }, isMine)) !== undefined;
}

/** Deletes a page of the leases of a deleted organization. Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, packsPartition(organization), '');
