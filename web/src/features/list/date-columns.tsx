import { Box, chakra, Flex, Skeleton, Text } from '@chakra-ui/react';
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
const Note = chakra('p', { base: { color: 'fg.muted', fontSize: 'xs', mb: '2' } });

/** The metadata columns that hold dates: automations can start from them. */
export function DateColumns({ id }: { id: string }) {
  const { data, error } = useOrganizationData('GET /api/email-lists/{list}/datetime-metadata-columns', {
    params: { list: id },
  });
  return (
    // Focusable, so that the keyboard can scroll it.
    <Frame role="region" aria-labelledby="date-columns" tabIndex={0}>
      <Text as="h2" id="date-columns" mb="1">
        Date columns
      </Text>
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
          <ul>
            {data ? (
              data.columns.map(column => (
                <Flex as="li" key={column} justify="space-between" gap="3" py="1">
                  <Box as="span" fontWeight="medium" overflowWrap="anywhere">
                    {column}
                  </Box>
                  <Box as="span" color="fg.muted" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
                    {plural(data.stats[column] ?? 0, 'member')}
                  </Box>
                </Flex>
              ))
            ) : (
              <Flex as="li" py="1">
                <Skeleton as="span" />
              </Flex>
            )}
          </ul>
        </>
      )}
    </Frame>
  );
}
