import { deletePage, epochSeconds, get, type Table } from '../../storage/table.store.ts';
import { updateItem } from '../../storage/write.store.ts';
import { LEASE, PACK_KEPT } from '../times.ts';

type Of = { organization: number; minute: string; id: string };

const packsPartition = (organization: number) => `ORG#${organization}#PACKS`;
const packKey = ({ organization, minute, id }: Of) => ({
  PK: packsPartition(organization),
  SK: `${minute}#${id}`,
});

/**
 * `mine`: this process has the pack, as the first one or in the place of one that was given up;
 * `held`: another process has it; `done`: nothing is left to do.
 */
type Lease = { state: 'mine'; run: Run } | { state: 'held' } | { state: 'done' };
/** A process with the lease of a pack: its number among all that had it, and when its lease ends. */
export type Run = { number: number; until: Date };

/** Of several processes that got the message of a pack, one works on it. */
export async function takeLease(table: Table, pack: Of, holder: string, now: Date): Promise<Lease> {
  const until = new Date(now.getTime() + LEASE);
  const item = await updateItem(
    table,
    packKey(pack),
    {
      set: {
        ...{ holder, until: until.toISOString(), state: 'running' },
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
  // The SDK retries a request whose answer was lost, and then finds its own lease.
  return found?.holder === holder
    ? { state: 'mine', run: { number: Number(found.run), until: new Date(String(found.until)) } }
    : { state: 'held' };
}

/** Marks a pack as done; false where another process has taken it over, which may not be done. */
export async function markDone(table: Table, pack: Of, holder: string): Promise<boolean> {
  const isMine = { condition: 'holder = :holder', values: { ':holder': holder } };
  return (await updateItem(table, packKey(pack), { set: { state: 'done' } }, isMine)) !== undefined;
}

/** Deletes some of the leases of a deleted organization; true where there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, packsPartition(organization), '');
