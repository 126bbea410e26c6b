import { rollupCounter } from '#core/counters/rollup.store.ts';
import type { Counter } from '#core/storage/projection.ts';
import type { ValueEvent } from './value.store.ts';

/** What is counted of a stored event. */
export type PostedValue = Pick<ValueEvent, 'at' | 'combination' | 'units'> & { organization_id: number };

/** Value counts on the day on which it was posted. Nothing may have been sent on that day, so the rollup may not exist. */
export function valueCounters({
  organization_id: organization,
  at,
  combination,
  units,
}: PostedValue): Counter[] {
  const counter = rollupCounter(organization, at.slice(0, 10), { combination }, { value: units });
  return [{ ...counter, guard: counter.key, organization }];
}
