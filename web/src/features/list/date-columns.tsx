import { chakra, Skeleton } from '@chakra-ui/react';
import { Panel } from '../../components/panel.tsx';
import { useOrganizationData } from '../../lib/data.ts';
import { plural } from '../../lib/format.ts';

// The height does not depend on the number of columns; beside the facts, it is theirs.
const Frame = chakra(Panel, {
  base: {
    p: '4',
    overflowY: 'auto',
    height: { base: '176px', xl: '0' },
    minHeight: { xl: 'full' },
    _focusVisible: { outlineOffset: '-2px' },
  },
});
const Title = chakra('h2', { base: { fontWeight: 'semibold', mb: '1' } });
const Note = chakra('p', { base: { color: 'fg.muted', fontSize: 'xs', mb: '2' } });
const Rows = chakra('ul', {
  base: {
    '& > li': { display: 'flex', justifyContent: 'space-between', gap: '3', py: '1' },
    '& > li > :first-of-type': { fontWeight: 'medium', overflowWrap: 'anywhere' },
    '& > li > :last-of-type': {
      color: 'fg.muted',
      whiteSpace: 'nowrap',
      fontVariantNumeric: 'tabular-nums',
    },
  },
});

/** The metadata columns that hold dates: automations can start from them. */
export function DateColumns({ id }: { id: string }) {
  const { data, error } = useOrganizationData('GET /api/email-lists/{list}/datetime-metadata-columns', {
    params: { list: id },
  });
  return (
    // Focusable, so that the keyboard can scroll it.
    <Frame role="region" aria-labelledby="date-columns" tabIndex={0}>
      <Title id="date-columns">Date columns</Title>
      {error && !data ? (
        <Note role="alert">The date columns could not be loaded.</Note>
      ) : data?.columns.length === 0 ? (
        <Note>
          None yet. A date in the metadata of a member, such as a sign-up or an order, becomes a column that
          automations can start from.
        </Note>
      ) : (
        <>
          <Note>Automations can start from these dates in the metadata of members.</Note>
          <Rows>
            {data ? (
              data.columns.map(column => (
                <li key={column}>
                  <span>{column}</span>
                  <span>{plural(data.stats[column] ?? 0, 'member')}</span>
                </li>
              ))
            ) : (
              <li>
                <Skeleton as="span" />
              </li>
            )}
          </Rows>
        </>
      )}
    </Frame>
  );
}
