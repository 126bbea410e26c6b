import type { Answer, BodyInput, RouteKey } from '#shared/routes.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { invalidateAfter, uncheckedCall } from '../lib/data.ts';
import { useOrganization } from '../lib/organization.ts';
import { updateCached } from './cache.ts';
import type { Change, Entity } from './entity.ts';

/**
 * Changes an item, updates the cache with the response, and revalidates what is stale only then: SWR drops responses of
 * requests that were in progress during a mutation.
 */
export function useEntityChange<One extends GetRoute>(entity: Entity<never, One>, id: string) {
  const organization = useOrganization()?.id;
  return async <K extends Extract<RouteKey, `PUT ${string}`>>(
    route: K,
    body: BodyInput<K>,
    changeOf: (answer: Answer<K>) => Change,
  ) => {
    const answer = await uncheckedCall(route, { params: entity.paramsOf(id), body, organization });
    await updateCached(entity, { organization, id }, changeOf(answer));
    void invalidateAfter(route, organization);
  };
}
