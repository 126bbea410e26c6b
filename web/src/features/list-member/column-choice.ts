import { useState } from 'react';
import { MOST_COLUMNS } from '#shared/members-page.ts';
import { faultOf } from '#shared/metadata.ts';
import { compareNames } from '#shared/names.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

const STORED = 'membersColumns';
const MOST_LISTS = 50;

type Choices = Record<string, string[]>;

/** The chosen columns of each list, from the storage of this browser. */
function storedChoices(): Choices {
  try {
    const stored: unknown = JSON.parse(readStored(STORED) ?? '{}');
    const lists = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return Object.fromEntries(lists.filter((entry): entry is [string, string[]] => isColumns(entry[1])));
  } catch {
    return {};
  }
}

const isColumns = (value: unknown) =>
  Array.isArray(value) && value.length <= MOST_COLUMNS && value.every(name => typeof name === 'string');

/** Whether the API accepts it as a key of metadata. */
const isKey = (column: string) => faultOf(column, true) === undefined;

export const storedColumns = (list: string): string[] => (storedChoices()[list] ?? []).filter(isKey);

/** Stores the choice for a list. If there are too many lists, the least recent choice is dropped. */
export function storeColumns(list: string, columns: string[]): void {
  const { [list]: _, ...others } = storedChoices();
  const kept = Object.entries(others).slice(1 - MOST_LISTS);
  const choices = columns.length > 0 ? [...kept, [list, columns]] : kept;
  writeStored(STORED, choices.length > 0 ? JSON.stringify(Object.fromEntries(choices)) : undefined);
}

// First name before last name.
const NAMES = [
  'name',
  'fullname',
  'firstname',
  'first',
  'givenname',
  'forename',
  'middlename',
  'lastname',
  'last',
  'familyname',
  'surname',
  'nickname',
];

/** Names of people come first, then other columns with "name", then all others. */
function rankOf(column: string): number {
  const word = column.toLowerCase().replace(/[^a-z]/g, '');
  const rank = NAMES.indexOf(word);
  if (rank >= 0) return rank;
  return word.endsWith('name') ? NAMES.length : NAMES.length + 1;
}

/** Sorts columns in the order in which they are offered and shown. */
export const inOrder = (columns: string[]): string[] =>
  [...new Set(columns)].sort((a, b) => rankOf(a) - rankOf(b) || compareNames(a, b) || (a < b ? -1 : 1));

/** The metadata columns that the members table of a list shows. */
export function useColumnChoice(list: string) {
  const [columns, setColumns] = useState(() => inOrder(storedColumns(list)));
  return {
    columns,
    choose(chosen: string[]) {
      storeColumns(list, chosen);
      setColumns(inOrder(chosen));
    },
  };
}
