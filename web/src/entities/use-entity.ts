import type { SWRConfiguration } from 'swr';
import type { Answer, BodyInput, RouteKey } from '#shared/routes.ts';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { callWithConfirmation, invalidateAfter, useOrganizationData } from '../lib/data.ts';
import { useOrganization } from '../lib/organization.ts';
import { type Change, type Entity, type Named, updateCached } from './entity.ts';
import { useLeaveMissing } from './use-leave-missing.ts';

/** The subject of a page. Called only by the page itself, so that it reacts to a missing item only once. */
export function useEntity<Item extends Named, One extends GetRoute>(
  entity: Entity<Item, One>,
  id: string,
  options?: SWRConfiguration<Answer<One>>,
) {
  const { one: route, noun, home, back, texts } = entity;
  const { missing, notLoaded: failed } = texts;
  const input = { params: entity.paramsOf(id) } as unknown as CallInput<One>;
  const response = useOrganizationData<One>(route, ...([input, options] as never));
  useLeaveMissing(home, { route, input, response, noun, back, missing, failed });
  return response;
}

/** Revalidates only after the response: SWR drops responses of requests that were in progress during a mutation. */
export function useEntityChange<One extends GetRoute>(entity: Entity<never, One>, id: string) {
  const organization = useOrganization()?.id;
  return async <K extends Extract<RouteKey, `PUT ${string}`>>(
    route: K,
    body: BodyInput<K>,
    changeOf: (answer: Answer<K>) => Change,
  ) => {
    const answer = await callWithConfirmation(route, { params: entity.paramsOf(id), body, organization });
    await updateCached(entity, { organization, id }, changeOf(answer));
    void invalidateAfter(route, organization);
  };
}
