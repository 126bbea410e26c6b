import { deletePage, getAll, type Item, queryPartition, type Table } from '#core/storage/table.store.ts';
import { deleteItem, unchanged, updateItem } from '#core/storage/write.store.ts';
import { MOST_EVENT_NAMES, type NamedEvent } from '#shared/event.ts';
import { DAY, MINUTE } from '#shared/time.ts';

const partition = (organization: number) => `ORG#${organization}#EVENTS`;
const keyOf = (organization: number, event: string) => ({ PK: partition(organization), SK: event });

const namedIn = (item: Item): NamedEvent => ({ event: String(item.SK), last_at: String(item.last_at) });

/** The newest first. */
export async function allNamed(table: Table, organization: number): Promise<NamedEvent[]> {
  const items = await queryPartition(table, partition(organization));
  return items.map(namedIn).sort((a, b) => (a.last_at < b.last_at ? 1 : -1));
}

export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');

/** An event is noted again after so long: seldom enough for what comes many times a second. */
const NOTED_FOR = MINUTE;
/** A name that has not come for so long gives way to a new one. */
const FORGOTTEN_AFTER = 30 * DAY;

type Needs = { table: Table; now: Date };

/** What this process knows to be stored, by table, organization and name. */
const noted = new WeakMap<object, Map<string, string>>();
const MOST_NOTED = 10_000;

function notedIn({ client }: Table): Map<string, string> {
  const known = noted.get(client) ?? new Map<string, string>();
  if (known.size > MOST_NOTED) known.clear();
  noted.set(client, known);
  return known;
}

type Names = {
  /** New ones for which the organization has no place. */
  refused: Set<string>;
  /** Stores that these came. */
  note: (names: string[]) => Promise<void>;
};

export async function readNames(
  { table, now }: Needs,
  organization: number,
  names: string[],
): Promise<Names> {
  const known = notedIn(table);
  const textOf = (name: string) => `${organization}#${name}`;
  const isDue = (last_at: string | undefined) =>
    last_at === undefined || now.getTime() - new Date(last_at).getTime() >= NOTED_FOR;
  const asked = names.filter(name => isDue(known.get(textOf(name))));
  const items = await getAll(
    table,
    asked.map(name => keyOf(organization, name)),
    { consistent: false },
  );
  // Another process may have deleted what this one knew.
  for (const name of asked) known.delete(textOf(name));
  for (const { event, last_at } of items.map(namedIn)) known.set(textOf(event), last_at);
  const missing = asked.filter(name => !known.has(textOf(name)));
  const all = missing.length > 0 ? await allNamed(table, organization) : [];
  const added = missing.filter(name => !all.some(({ event }) => event === name));
  const forgotten = all.filter(
    ({ event, last_at }) =>
      !names.includes(event) && now.getTime() - new Date(last_at).getTime() > FORGOTTEN_AFTER,
  );
  const places = MOST_EVENT_NAMES - all.length;
  const refused = new Set(added.slice(Math.max(0, places + forgotten.length)));

  const note = async (came: string[]) => {
    const replaced = added.filter(name => came.includes(name)).length - places;
    // One that comes again at this moment stays.
    for (const { event, last_at } of replaced > 0 ? forgotten.slice(-replaced) : [])
      await deleteItem(table, keyOf(organization, event), unchanged({ last_at }, ['last_at']));
    const last_at = now.toISOString();
    for (const name of came) {
      if (!isDue(known.get(textOf(name)))) continue;
      await updateItem(
        table,
        keyOf(organization, name),
        { set: { last_at } },
        { condition: 'attribute_not_exists(last_at) OR last_at < :last', values: { ':last': last_at } },
      );
      known.set(textOf(name), last_at);
    }
  };
  return { refused, note };
}
