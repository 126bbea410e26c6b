import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';
import type { useListMembers, useMembersView } from './use-members.ts';

const EDITOR = { right: 'list-members:edit' } as const;

export const NoMembers = ({ list }: { list: string }) => (
  <EmptyState
    title="No members yet"
    cause="Add people one by one, from a file, or have your own systems add them by the API."
    more="importing-people"
    action={
      <Flex wrap="wrap" justify="center" gap="2" mt="3">
        <ButtonLink {...EDITOR} to={paths.newListMember(list)}>
          Add member
        </ButtonLink>
        <ButtonLink {...EDITOR} to={paths.importMembers(list)}>
          Import CSV
        </ButtonLink>
        <ButtonLink {...EDITOR} variant="ghost" to={dialogPath('example', list)}>
          API example
        </ButtonLink>
      </Flex>
    }
  />
);

export const PageNotFound = ({ page, onFirst }: { page: number; onFirst: () => void }) => (
  <EmptyState
    title={`There is no page ${formatNumber(page)}`}
    cause="The list has fewer members than that."
    action={<Button onClick={onFirst}>Go to the first page</Button>}
  />
);

type Props = {
  view: ReturnType<typeof useMembersView>;
  members: ReturnType<typeof useListMembers>;
  /** A button that ends the search or the filter, if all members were read. */
  children: ReactNode;
};

export function NothingFound({ view: { search, status, filter }, members, children }: Props) {
  const { data, isUnfinished, isRunning, searchFurther } = members;
  const searched = data?.searched;
  const isPartial = searched?.complete === false;
  const found = [search && `has “${search}” in the address`, filter && 'matches the filter'].filter(Boolean);
  const wanted = found.join(' and ') || `is ${status}`;
  const both = found.length > 0 && status;
  return (
    <EmptyState
      title={isPartial ? 'Nothing found so far' : 'Nothing found'}
      cause={
        isPartial
          ? `None of the ${plural(searched.members, 'member')} searched so far ${both ? `is ${status} and ` : ''}${wanted}.`
          : `No ${both ? `${status} ` : ''}member of this list ${wanted}.`
      }
      action={
        isUnfinished ? (
          <Button loading={isRunning} loadingText="Searching..." onClick={() => void searchFurther()}>
            Search further
          </Button>
        ) : (
          children
        )
      }
    />
  );
}
