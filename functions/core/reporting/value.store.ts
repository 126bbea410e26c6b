import {
  deletePage,
  fromItem,
  getAll,
  type Item,
  type Key,
  partitionPages,
  type Table,
} from '#core/storage/table.store.ts';
import { ABSENT, putItem } from '#core/storage/write.store.ts';

/** What a conversion was worth. */
export type ValueEvent = {
  /** The filter of the stream selects events by it. */
  type: 'value';
  combination: string;
  /** In ten-thousandths. */
  units: number;
  /** When it was posted. */
  at: string;
  /** Tells which call stored it. */
  revision: string;
};

const partition = (organization: number) => `ORG#${organization}#VALUE`;
export const key = (organization: number, eventId: string): Key => ({
  PK: partition(organization),
  SK: eventId,
});

/** The event, if it is stored, and whatever else is read with it in the same batch. */
export async function readWith(
  table: Table,
  organization: number,
  eventId: string,
  others: Key[],
): Promise<{ stored: ValueEvent | undefined; items: Item[] }> {
  const items = await getAll(table, [key(organization, eventId), ...others]);
  const isEvent = ({ PK }: Item) => PK === partition(organization);
  const stored = items.find(isEvent);
  return {
    stored: stored && fromItem<ValueEvent>(stored),
    items: items.filter(item => !isEvent(item)),
  };
}

/** Returns false if there is one with this id. */
export const insert = (table: Table, organization: number, eventId: string, event: ValueEvent) =>
  putItem(table, { ...key(organization, eventId), ...event }, ABSENT);

/** All events of an organization, a page at a time. */
export async function* everything(table: Table, organization: number): AsyncGenerator<ValueEvent[]> {
  for await (const items of partitionPages(table, partition(organization)))
    yield items.map(fromItem<ValueEvent>);
}

/** Deletes a page of the events of a deleted organization. Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
