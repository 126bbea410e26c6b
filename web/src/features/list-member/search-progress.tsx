import { Flex } from '@chakra-ui/react';
import type { ListMembersPage } from '../../../../shared/list-member.ts';
import { Button } from '../../components/button.tsx';
import { formatNumber, plural } from '../../lib/format.ts';

type Props = {
  data: ListMembersPage | undefined;
  isUnfinished: boolean;
  isRunning: boolean;
  searchFurther: () => unknown;
  stop: () => void;
};

/** The progress of a search, with a button to continue or to stop it. */
export function SearchProgress({ data, isUnfinished, isRunning, searchFurther, stop }: Props) {
  const searched = data?.searched;
  return (
    <Flex wrap="wrap" align="center" gap="2">
      <span aria-live="polite">{searched && progressText(searched, isRunning, data.found)}</span>
      {isRunning ? (
        <Button onClick={stop}>Stop</Button>
      ) : (
        isUnfinished && <Button onClick={() => void searchFurther()}>Search further</Button>
      )}
    </Flex>
  );
}

function progressText(
  { members, of, complete }: NonNullable<ListMembersPage['searched']>,
  isRunning: boolean,
  found: number | null,
) {
  if (found !== null) return `${formatNumber(found)} found in ${plural(of, 'member')}`;
  if (members === 0) return 'Addresses that begin with this text';
  if (complete) return `Searched all ${plural(of, 'member')}`;
  return `${isRunning ? 'Searching: ' : 'Searched '}${formatNumber(members)} of ${plural(of, 'member')}`;
}
