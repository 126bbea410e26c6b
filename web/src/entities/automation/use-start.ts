import { useState } from 'react';
import useSWR from 'swr';
import type { Start } from '#shared/automation.ts';
import type { DatetimeColumns } from '#shared/list.ts';
import { compareNames } from '#shared/names.ts';
import { inParallel } from '#web/lib/concurrency.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { isMissing } from '#web/lib/problem.ts';

/** The fields of a form that say what starts it. Without a column or an event, `metadata_trigger` is empty. */
export type StartFields = { starts_at: Start; metadata_trigger: string; send_at?: string | null | undefined };

/** What a form with a `StartField` knows of its start; `missing` is why an empty column or event is refused. */
export function useStart(lists: readonly string[], initial: Start) {
  const [start, setStart] = useState(initial);
  const { data: columns, error: problem, mutate } = useTriggerColumns(lists);
  // There is no date to choose.
  const onlyWhenAdded = start === 'date' && lists.length > 0 && columns?.length === 0;
  const isDate = start === 'date' && lists.length > 0 && !onlyWhenAdded;
  const missing = isDate
    ? columns || problem
      ? 'Please select a trigger column'
      : 'The trigger columns are still loading. Please save again in a moment.'
    : start === 'event'
      ? 'Choose the event that starts it, or enter its name'
      : undefined;
  const props = { lists: lists.length, columns, problem, onRetry: () => void mutate(), onStart: setStart };
  return { missing, onlyWhenAdded, props: { ...props, onlyWhenAdded } };
}

const ROUTE = 'GET /api/email-lists/{list}/datetime-metadata-columns';
const AT_ONCE = 6;

/** The columns with dates in these lists. Adding a list makes one more request; a retry repeats all of them. */
function useTriggerColumns(lists: readonly string[]) {
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
