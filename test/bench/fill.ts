import { newRevision } from '../../functions/core/id.ts';
import { inParallel } from '../../functions/core/parallel.ts';
import { membershipWrite } from '../../functions/core/recipient/membership.store.ts';
import { keyOf, type Membership } from '../../functions/core/recipient/recipient.ts';
import { triggersOf } from '../../functions/core/recipient/trigger.ts';
import { batchWrite, type Item, type Key } from '../../functions/core/table.store.ts';
import type { Customer } from './customer.ts';
import type { Product } from './product.ts';

const NO_MEMBERSHIP = { membership: undefined, left: undefined };
const AT_ONCE = 8;
// Two items each.
const PER_CALL = 12;

/**
 * Fills a list with members as the product writes them, but in batches without conditions: several times faster than an
 * import. The instants at which they were added are spread over the day. The projector counts them as any others.
 */
export async function fill(
  { table }: Product,
  { web }: Customer,
  list: string,
  members: number,
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(members / PER_CALL) }, (_, index) => index * PER_CALL);
  await inParallel(batches, AT_ONCE, from => {
    const length = Math.min(PER_CALL, members - from);
    const puts = Array.from({ length }, (_, index) =>
      memberItems(table, web.organization, list, from + index),
    );
    return batchWrite(table, { puts: puts.flat() });
  });
}

const MINUTES = 24 * 60;
const addedAt = (number: number) => new Date(Date.UTC(2020, 0, 1, 0, number % MINUTES)).toISOString();

function memberItems(
  table: Product['table'],
  organization: number,
  list: string,
  number: number,
): (Item & Key)[] {
  const email = `person${String(number).padStart(7, '0')}@example.com`;
  const created_at = addedAt(number);
  const key = keyOf(organization, email);
  const membership: Membership = {
    list_id: list,
    email,
    status: 'subscribed',
    metadata: { plan: 'basic' },
    created_at,
    updated_at: created_at,
    revision: newRevision(),
  };
  const { Put } = membershipWrite(table, key, NO_MEMBERSHIP, membership);
  return [Put?.Item as Item & Key, ...triggersOf(key.hash, undefined, membership)];
}
