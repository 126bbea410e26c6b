import { useState } from 'react';
import type { ListMemberRow } from '#shared/list-member.ts';
import { MOST_COLUMNS, type Sort } from '#shared/members-page.ts';
import { faultOf } from '#shared/metadata.ts';
import { compareNames } from '#shared/names.ts';
import { isNameKey } from '#shared/person-name.ts';
import type { Suppression } from '#shared/suppression.ts';
import { Breakable } from '#web/components/breakable.tsx';
import { TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { Status } from '#web/components/status.tsx';
import { formatLocalValue } from '#web/entities/list-member/metadata-value.ts';
import { formatUtcDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

export const memberColumns = (
  list: string,
  chosen: string[],
  { sorts, withName }: { sorts: readonly Sort[]; withName: boolean },
): Column<ListMemberRow>[] => [
  {
    key: 'email',
    header: 'Email',
    ...(sorts.includes('email') && { sort: 'asc' }),
    width: 'minmax(0, 2fr)',
    cell: row => (
      <TextLink to={paths.listMember(row.id)} state={fromList(list, row)}>
        <Breakable>{row.email}</Breakable>
      </TextLink>
    ),
  },
  ...(withName ? [NAME] : []),
  ...chosen.map(metadataColumn),
  { key: 'status', header: 'Status', width: '130px', card: 'half', cell: SubscriptionStatus },
  {
    key: 'created_at',
    header: 'Added',
    card: 'half',
    width: '140px',
    // The first click sorts by the newest.
    ...(sorts.includes('created_at') && { sort: 'desc' }),
    cell: ({ created_at }) => formatUtcDate(created_at),
  },
];

const NAME: Column<ListMemberRow> = { header: 'Name', collapse: 'value', cell: ({ name }) => name };

/** The metadata to request. If no column is chosen, the name: rows have names only if some column is requested. */
export const askedColumns = (chosen: string[]) => (chosen.length > 0 ? chosen : ['name']);

/** Whether names are shown in a column: some row has one, and no chosen column is of names. */
export const isNamed = (rows: ListMemberRow[] | undefined, chosen: string[]) =>
  !chosen.some(isNameKey) && (rows?.some(({ name }) => name) ?? false);

/** Why a member cannot be subscribed, in the words of the activity. */
const SUPPRESSED_WORDS: Record<Suppression, string> = { complaint: 'Complained', bounce: 'Bounced' };

type Subscription = Pick<ListMemberRow, 'is_subscribed' | 'suppression'>;

export function SubscriptionStatus({ is_subscribed, suppression }: Subscription) {
  if (suppression) return <Status tone="wrong">{SUPPRESSED_WORDS[suppression]}</Status>;
  return (
    <Status tone={is_subscribed ? 'usual' : 'off'}>{is_subscribed ? 'Subscribed' : 'Unsubscribed'}</Status>
  );
}

const metadataColumn = (name: string): Column<ListMemberRow> => ({
  // The slash makes it different from the keys of all other columns.
  key: `metadata/${name}`,
  header: name,
  collapse: 'labelAndValue',
  cell({ metadata = [] }) {
    const entry = metadata.find(({ key }) => key === name);
    return entry && formatLocalValue(entry.value);
  },
});

const STORED = 'membersColumns';
const MOST_LISTS = 50;

type Choices = Record<string, string[]>;

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

function rankOf(column: string): number {
  const word = column.toLowerCase().replace(/[^a-z]/g, '');
  const rank = NAMES.indexOf(word);
  if (rank >= 0) return rank;
  return word.endsWith('name') ? NAMES.length : NAMES.length + 1;
}

export const inOrder = (columns: string[]): string[] =>
  [...new Set(columns)].sort((a, b) => rankOf(a) - rankOf(b) || compareNames(a, b) || (a < b ? -1 : 1));

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

type Known = Pick<
  ListMemberRow,
  'id' | 'email' | 'is_subscribed' | 'suppression' | 'created_at' | 'updated_at'
>;

/**
 * History state of a member's page that was opened from the members table. The known values are shown until the page is
 * loaded. After a deletion, the user returns to that page of the table.
 */
type FromList = { from: 'list'; list: string; member: Known };

export const fromList = (list: string, row: ListMemberRow): FromList => {
  const { id, email, is_subscribed, suppression, created_at, updated_at } = row;
  return { from: 'list', list, member: { id, email, is_subscribed, suppression, created_at, updated_at } };
};

export const isFromList = (state: unknown): state is FromList =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === 'list';
