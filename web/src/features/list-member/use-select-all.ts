import { useEffect, useRef } from 'react';
import type { ListMembersPage } from '#shared/list-member.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { Declined } from '#web/lib/questions.ts';
import { useAction } from '#web/lib/use-action.ts';
import type { Member } from './member-action.ts';
import { MEMBERS, type MembersRequest, membersQuery } from './use-members.ts';

/** A run with this many takes some seconds. */
export const MOST_SELECTED = 1000;
const PER_CALL = 100;

/** Selects all members of a list, or those that its search and filter find, up to a limit, unless it is stopped. */
export function useSelectAll(
  request: MembersRequest,
  select: (members: Member[], isSelected: boolean) => void,
) {
  const call = useOrganizationCall();
  const abort = useRef<AbortController>(undefined);
  const stop = () => abort.current?.abort();
  const { list, search, status } = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: others are searched for than those who are being selected
  useEffect(() => stop, [list, search, status]);

  const action = useAction(
    async () => {
      const control = new AbortController();
      const { signal } = control;
      abort.current = control;
      const found: Member[] = [];
      let answer: ListMembersPage | undefined;
      do {
        const page = (answer?.current_page ?? 0) + 1;
        const cursor = answer?.next_cursor ?? undefined;
        const query = {
          ...membersQuery({ ...request, page, perPage: PER_CALL, columns: [] }),
          ...(cursor && { cursor }),
        };
        answer = await call(MEMBERS, { params: { list }, query, signal }).catch(problem => {
          throw signal.aborted ? new Declined() : problem;
        });
        found.push(...answer.data);
      } while (
        found.length < MOST_SELECTED &&
        (answer.next_cursor ?? answer.current_page < answer.last_page)
      );
      select(found.slice(0, MOST_SELECTED), true);
    },
    { failure: 'Failed to fetch list members. Please try again' },
  );
  return { ...action, stop };
}
