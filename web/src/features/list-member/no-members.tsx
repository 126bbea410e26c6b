import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { ListMembersPage, Status } from '../../../../shared/list-member.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber, plural } from '../../lib/format.ts';
import { dialogPath, paths } from '../../lib/paths.ts';

const Actions = chakra('span', {
  base: { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '2', mt: '3' },
});

export const NoMembers = ({ list }: { list: string }) => (
  <EmptyState
    title="No members yet"
    cause="Add people one by one, or have your own systems add them by the API."
    action={
      <Actions>
        <ButtonLink to={paths.newListMember(list)}>Add a member</ButtonLink>
        <ButtonLink variant="ghost" to={dialogPath('example', list)}>
          See an API example
        </ButtonLink>
      </Actions>
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
  data: ListMembersPage | undefined;
  isUnfinished: boolean;
  isRunning: boolean;
  searchFurther: () => unknown;
};

type NothingProps = Props & { search: string; status: Status | undefined; onClear: () => void };

export function NothingFound({ search, status, onClear, ...props }: NothingProps) {
  const searched = props.data?.searched;
  const which = status ? `${status} member` : 'member';
  const cause =
    searched && !searched.complete
      ? `None of the ${plural(searched.members, 'member')} searched so far ${status ? `is ${status} and ` : ''}has “${search}” in the address.`
      : `No ${which} of this list has “${search}” in the address.`;
  return <Nothing {...props} cause={cause} other={<Button onClick={onClear}>Clear search</Button>} />;
}

type NoneProps = Props & { status: Status; onShowAll: () => void };

export function NoneWithStatus({ status, onShowAll, ...props }: NoneProps) {
  const searched = props.data?.searched;
  const cause =
    searched && !searched.complete
      ? `None of the ${plural(searched.members, 'member')} searched so far is ${status}.`
      : `No member of this list is ${status}.`;
  return <Nothing {...props} cause={cause} other={<Button onClick={onShowAll}>Show all members</Button>} />;
}

function Nothing({
  data,
  isUnfinished,
  isRunning,
  searchFurther,
  cause,
  other,
}: Props & { cause: string; other: ReactNode }) {
  return (
    <EmptyState
      title={data?.searched?.complete === false ? 'Nothing found so far' : 'Nothing found'}
      cause={cause}
      action={
        isUnfinished ? (
          <Button loading={isRunning} loadingText="Searching..." onClick={() => void searchFurther()}>
            Search further
          </Button>
        ) : (
          other
        )
      }
    />
  );
}
