import { useState } from 'react';
import useSWR, { type SWRConfiguration } from 'swr';
import type { Answer, QueryInput } from '#shared/routes.ts';
import { inParallel } from './concurrency.ts';
import { useOrganizationCall } from './data.ts';
import { useOrganization } from './organization.ts';
import { isMissing } from './problem.ts';

const AT_ONCE = 6;

type RouteOfList =
  | 'GET /api/email-lists/{list}/members'
  | 'GET /api/email-lists/{list}/metadata-columns'
  | 'GET /api/email-lists/{list}/datetime-metadata-columns';

/**
 * The answers for some lists, without those that were deleted. Adding a list makes one more request; a retry repeats all
 * of them.
 */
export function useAnswersOfLists<K extends RouteOfList>(
  route: K,
  lists: readonly string[],
  query?: QueryInput<K>,
  options?: SWRConfiguration<ReadonlyMap<string, Answer<K>>>,
) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const [asked] = useState(() => ({ for: '', answers: new Map<string, Promise<Answer<K> | undefined>>() }));
  const part = JSON.stringify(query ?? {});

  function answerOf(list: string): Promise<Answer<K> | undefined> {
    const key = `${list} ${part}`;
    const known = asked.answers.get(key);
    if (known) return known;
    const input = { params: { list }, query: query ?? {}, isRefusalExpected: true };
    const answer = (call as (route: K, input: object) => Promise<Answer<K>>)(route, input).catch(problem => {
      if (isMissing(problem)) return undefined;
      asked.answers.delete(key);
      throw problem;
    });
    asked.answers.set(key, answer);
    return answer;
  }

  return useSWR<ReadonlyMap<string, Answer<K>>>(
    lists.length > 0 && [route, organization, part, ...lists],
    async () => {
      const key = [part, ...lists].join();
      if (asked.for === key) asked.answers.clear();
      asked.for = key;
      const answers = new Map<string, Answer<K>>();
      await inParallel(lists, AT_ONCE, async list => {
        const answer = await answerOf(list);
        if (answer) answers.set(list, answer);
      });
      return answers;
    },
    options,
  );
}
