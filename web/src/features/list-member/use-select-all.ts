import type { ListMembersPage } from '../../../../shared/list-member.ts';
import { useOrganizationCall } from '../../lib/data.ts';
import { useAction } from '../../lib/use-action.ts';
import type { Member } from './member-action.ts';
import { MEMBERS, type MembersRequest, membersQuery } from './use-members.ts';

/** Each member is one request, so a run with this many takes some minutes. */
export const MOST_SELECTED = 1000;
const PER_CALL = 100;

/** Selects all members of a list, or all that its search and filter find, up to a limit. */
export function useSelectAll(
  request: MembersRequest,
  select: (members: Member[], isSelected: boolean) => void,
) {
  const call = useOrganizationCall();
  return useAction(
    async () => {
      const found: Member[] = [];
      let answer: ListMembersPage | undefined;
      do {
        const page = (answer?.current_page ?? 0) + 1;
        const cursor = answer?.next_cursor ?? undefined;
        const query = {
          ...membersQuery({ ...request, page, perPage: PER_CALL, columns: [] }),
          ...(cursor && { cursor }),
        };
        answer = await call(MEMBERS, { params: { list: request.list }, query });
        found.push(...answer.data);
      } while (
        found.length < MOST_SELECTED &&
        (answer.next_cursor ?? answer.current_page < answer.last_page)
      );
      select(found.slice(0, MOST_SELECTED), true);
    },
    { failure: 'Failed to fetch list members. Please try again' },
  );
}
