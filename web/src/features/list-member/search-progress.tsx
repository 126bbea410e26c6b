import { chakra } from '@chakra-ui/react';
import type { MembersPage } from '../../../../shared/list-member.ts';
import { Button } from '../../components/button.tsx';
import { formatNumber, plural } from '../../lib/format.ts';

const Row = chakra('span', {
  base: { display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: '2' },
});

type Props = {
  data: MembersPage | undefined;
  unfinished: boolean;
  running: boolean;
  goOn: () => unknown;
  stop: () => void;
};

/** How far a search has looked; it goes on for whoever wants that, and stops when they have enough. */
export function SearchProgress({ data, unfinished, running, goOn, stop }: Props) {
  const searched = data?.searched;
  return (
    <Row>
      <span aria-live="polite">{searched && saidOf(searched, running)}</span>
      {running ? (
        <Button onClick={stop}>Stop</Button>
      ) : (
        unfinished && <Button onClick={() => void goOn()}>Search further</Button>
      )}
    </Row>
  );
}

function saidOf({ members, of, complete }: NonNullable<MembersPage['searched']>, running: boolean) {
  if (members === 0) return 'Addresses that begin with this text';
  if (complete) return of === 1 ? 'Searched the one member' : `Searched all ${plural(of, 'member')}`;
  return `${running ? 'Searching: ' : 'Searched '}${formatNumber(members)} of ${plural(of, 'member')}`;
}
