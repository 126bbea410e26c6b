import * as combination from '#core/content/combination/combination.ts';
import { newRevision } from '#core/id.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { amountOf, unitsOf } from '#shared/report/figures.ts';
import type { CountedValue, NewValue } from '#shared/value.ts';
import * as store from './value.store.ts';

/** Stores the value of a conversion, which the projector counts. An event that is stored already is returned unchanged. */
export async function post(
  { table, now }: { table: Table; now: Date },
  organization: number,
  { emailTemplateCombinationId, eventId, value }: NewValue,
): Promise<CountedValue> {
  const { stored, items } = await store.readWith(
    table,
    organization,
    eventId,
    combination.keysOf(organization, emailTemplateCombinationId),
  );
  if (!combination.foundIn(items)) throw new Refusal('not-found', 'There is no such combination.');
  if (stored) return counted(eventId, stored, true);
  const event: store.ValueEvent = {
    ...{ type: 'value', combination: emailTemplateCombinationId, units: unitsOf(value) },
    ...{ at: now.toISOString(), revision: newRevision() },
  };
  if (await store.insert(table, organization, eventId, event)) return counted(eventId, event, false);
  const { stored: first = event } = await store.readWith(table, organization, eventId, []);
  // The insert also fails if the SDK repeats a request whose answer was lost: then the stored event is our own.
  return counted(eventId, first, first.revision !== event.revision);
}

const counted = (
  eventId: string,
  { combination, units, at }: store.ValueEvent,
  is_repeated: boolean,
): CountedValue => ({
  ...{ emailTemplateCombinationId: combination, eventId, value: amountOf(units) },
  ...{ posted_at: at, is_repeated },
});
