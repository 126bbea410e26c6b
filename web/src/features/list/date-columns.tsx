import { Box, Flex, Skeleton, Text } from '@chakra-ui/react';
import { Panel } from '#web/components/panel.tsx';
import { useCountedColumns } from '#web/entities/list/list.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { plural } from '#web/lib/format.ts';

const NOTE = { mb: '2', color: 'fg.muted', fontSize: 'xs' };

export default function DateColumns({ id }: { id: string }) {
  const { data: known, error } = useOrganizationData(
    'GET /api/email-lists/{list}/datetime-metadata-columns',
    { params: { list: id } },
  );
  const data = useCountedColumns(id, known);
  return (
    <Panel p="4" maxWidth="560px">
      {error && !data ? (
        <Text {...NOTE} role="alert">
          The date columns could not be loaded.
        </Text>
      ) : data?.columns.length === 0 ? (
        <Text {...NOTE}>
          No date columns yet. A date in the metadata of a member, such as a sign-up or an order, becomes a
          column that automations can start from.
        </Text>
      ) : (
        <>
          <Text {...NOTE}>Automations can start from these dates in the metadata of members.</Text>
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
    </Panel>
  );
}
