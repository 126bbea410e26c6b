import type { Counter } from '../../storage/projection/projection.ts';
import { rollupCounter } from '../rollup/rollup.ts';
import type { ValueEvent } from './value.store.ts';

/** A stored event, as far as it is counted. */
export type PostedValue = Pick<ValueEvent, 'at' | 'combination' | 'units'> & { organization_id: number };

/** Value counts on the day that it was posted, on which nothing may have been sent. */
export function valueCounters({
  organization_id: organization,
  at,
  combination,
  units,
}: PostedValue): Counter[] {
  const counter = rollupCounter(organization, at.slice(0, 10), { combination }, { value: units });
  return [{ ...counter, guard: counter.key, organization }];
}
