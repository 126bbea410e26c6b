import type { SWRConfiguration } from 'swr';
import type { Answer } from '#shared/routes.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { useOrganizationData } from '../lib/data.ts';
import { type Entity, inputOf, type Named } from './entity.ts';
import { useLeaveMissing } from './use-leave-missing.ts';

/** The subject of a page. Called only by the page itself, so that it reacts to a missing item only once. */
export function useEntity<Item extends Named, One extends GetRoute>(
  entity: Entity<Item, One>,
  id: string,
  options?: SWRConfiguration<Answer<One>>,
) {
  const { one, noun, home, back, texts } = entity;
  const input = inputOf(entity, id);
  const response = useOrganizationData<One>(one, ...([input, options] as never));
  useLeaveMissing(home, {
    route: one,
    input,
    response,
    noun,
    back,
    missing: texts.missing,
    failed: texts.notLoaded,
  });
  return response;
}
