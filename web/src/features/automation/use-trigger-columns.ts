import { useState } from 'react';
import useSWR from 'swr';
import type { DatetimeColumns } from '#shared/list.ts';
import { inParallel } from '#web/lib/concurrency.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { isMissing } from '#web/lib/problem.ts';
import { columnsOf } from './trigger-columns.ts';

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
