import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { useController, useWatch } from 'react-hook-form';
import useSWR from 'swr';
import type { DatetimeColumns } from '#shared/list.ts';
import { compareNames } from '#shared/names.ts';
import { Button } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { Select } from '#web/components/select.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { inParallel } from '#web/lib/concurrency.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber, midnightText, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { isMissing } from '#web/lib/problem.ts';
import { type Settings, WHEN_ADDED } from './automation-settings.ts';

type Props = {
  lists: number;
  /** The chosen lists have no column with dates. */
  onlyWhenAdded: boolean;
  columns: TriggerColumn[] | undefined;
  problem: unknown;
  onRetry: () => void;
};

/** Chooses the date that the schedule counts from. */
export function TriggerField({ lists, onlyWhenAdded, columns, problem, onRetry }: Props) {
  const { field, fieldState } = useController<Settings, 'metadata_trigger'>({ name: 'metadata_trigger' });
  const isAtFixedTime = useWatch<Settings, 'send_at'>({ name: 'send_at' }) !== null;
  const { value } = field;
  // A stored column stays, even while the columns are loading, or if no member has it any more.
  const isStored = value !== '' && value !== WHEN_ADDED && !columns?.some(({ name }) => name === value);
  const hasFailed = Boolean(problem) && !columns;
  const failure = hasFailed ? 'Failed to fetch datetime columns. Please try again.' : undefined;

  // The retry button disappears when the columns are loaded.
  const keptFocus = useKeptFocus(frame => frame.querySelector('select'));
  return (
    <Box {...keptFocus}>
      <Field
        label="Trigger Column"
        hint={<span role="status">{messageAbout(lists, columns, isAtFixedTime)}</span>}
        error={fieldState.error?.message ?? failure}
        disabled={lists === 0}
        aside={
          hasFailed && (
            <Button variant="ghost" height="5" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        <Select {...field} value={onlyWhenAdded && value === '' ? WHEN_ADDED : value}>
          {!onlyWhenAdded && <option value="">Select a trigger column</option>}
          {isStored && <option value={value}>{value}</option>}
          {columns?.map(column => (
            <option key={column.name} value={column.name}>
              {columnText(column, lists)}
            </option>
          ))}
          {lists > 0 && <option value={WHEN_ADDED}>When the member was added</option>}
        </Select>
      </Field>
    </Box>
  );
}

function messageAbout(lists: number, columns: TriggerColumn[] | undefined, isAtFixedTime: boolean): string {
  if (lists === 0) return 'Please select at least one email list to see available trigger columns.';
  if (!columns) return 'Loading available trigger columns...';
  if (columns.length > 0)
    return `The date of each member that the days are counted from.${isAtFixedTime ? '' : ` A date without a time counts from ${midnightText()}.`}`;
  return 'No datetime metadata columns found in the selected lists. Add datetime metadata to list members to use as triggers.';
}

const ROUTE = 'GET /api/email-lists/{list}/datetime-metadata-columns';
const AT_ONCE = 6;

/** The columns with dates in these lists. Adding a list makes one more request; a retry repeats all of them. */
export function useTriggerColumns(lists: readonly string[]) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const [asked] = useState(() => ({ for: '', answers: new Map<string, Promise<DatetimeColumns>>() }));

  function columnsOfList(list: string): Promise<DatetimeColumns> {
    const known = asked.answers.get(list);
    if (known) return known;
    const answer = call(ROUTE, { params: { list }, isRefusalExpected: true }).catch(problem => {
      // The list was deleted.
      if (isMissing(problem)) return { columns: [], stats: {} };
      asked.answers.delete(list);
      throw problem;
    });
    asked.answers.set(list, answer);
    return answer;
  }

  return useSWR(lists.length > 0 && [ROUTE, organization, ...lists], async () => {
    const key = lists.join();
    if (asked.for === key) asked.answers.clear();
    asked.for = key;
    const answers: DatetimeColumns[] = [];
    await inParallel(lists, AT_ONCE, async list => answers.push(await columnsOfList(list)));
    return columnsOf(answers);
  });
}

/** A column with dates, with the number of chosen lists that have it, and of their members with a date in it. */
export type TriggerColumn = { name: string; members: number; lists: number };

export function columnsOf(answers: readonly DatetimeColumns[]): TriggerColumn[] {
  const found = new Map<string, TriggerColumn>();
  for (const { columns, stats } of answers) {
    for (const name of columns) {
      const { members, lists } = found.get(name) ?? { members: 0, lists: 0 };
      found.set(name, { name, members: members + (stats[name] ?? 0), lists: lists + 1 });
    }
  }
  return [...found.values()].sort((a, b) => compareNames(a.name, b.name));
}

export const columnText = ({ name, members, lists }: TriggerColumn, chosen: number): string =>
  `${name} (${plural(members, 'member')}, in ${formatNumber(lists)} of ${plural(chosen, 'list')})`;
