import type { Table } from '#core/storage/table.store.ts';
import { PART_NAMES } from '#shared/email/content.ts';
import { UNSUBSCRIBE, variablesOf } from '#shared/email/placeholder.ts';
import * as contentStore from '../content.store.ts';
import * as store from './combination.store.ts';
import { type Combination, combined, type Text, textIdsOf } from './load.ts';

/** A combination, and the names of all placeholders in it except the unsubscribe link. */
export type Content = Combination & { placeholders: string[] };

export type Contents = {
  /** Stores what a combination consists of, so that it can be found by its id, and returns its content. */
  ofChoice: (choice: store.Choice) => Promise<Content | undefined>;
};

/** The content of an organization's emails. Each text is read once, in however many combinations it is. */
export function contentsOf(table: Table, organization: number): Contents {
  const contents = new Map<string, Promise<Content | undefined>>();
  const texts = new Map<string, Promise<Text | undefined>>();

  async function read(choice: store.Choice): Promise<Content | undefined> {
    await insertOnce(table, organization, choice);
    const ids = textIdsOf(choice);
    const unread = ids.filter(id => !texts.has(id));
    if (unread.length > 0) {
      const found = contentStore.readTexts<Text>(table, organization, unread);
      for (const id of unread) {
        cached(
          texts,
          id,
          found.then(all => all.find(text => text.id === id)),
        );
      }
    }
    const all = await Promise.all(ids.map(id => texts.get(id)));
    const combination = combined(
      choice,
      all.filter(text => text !== undefined),
    );
    return combination && { ...combination, placeholders: placeholdersIn(combination) };
  }

  return {
    ofChoice(choice) {
      return contents.get(choice.id) ?? cached(contents, choice.id, read(choice));
    },
  };
}

/** Caches a read. A failed one is removed, so that it is repeated the next time. */
function cached<T>(known: Map<string, Promise<T>>, id: string, value: Promise<T>): Promise<T> {
  known.set(id, value);
  value.catch(() => known.delete(id));
  return value;
}

function placeholdersIn({ content }: Combination): string[] {
  const parts = PART_NAMES.map(part => content[part] ?? '');
  const names = parts.flatMap(text => variablesOf(text).map(({ name }) => name));
  return [...new Set(names)].filter(name => name !== UNSUBSCRIBE).sort();
}

// The combinations of which this process knows that they are stored. They are deleted with their organization only.
const stored = new WeakMap<Table['client'], Set<string>>();
const MOST_KNOWN = 50_000;

async function insertOnce(table: Table, organization: number, choice: store.Choice): Promise<void> {
  const known = stored.get(table.client) ?? new Set();
  stored.set(table.client, known);
  const name = `${organization}#${choice.id}`;
  if (known.has(name)) return;
  // A read costs half as much as a write whose condition fails.
  const found = await store.read(table, organization, choice.id, { consistent: false });
  if (!found) await store.insert(table, organization, choice);
  if (known.size >= MOST_KNOWN) known.clear();
  known.add(name);
}
