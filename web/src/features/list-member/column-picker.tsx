import { Box, Flex, Grid, Input, Text } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import { MOST_COLUMNS } from '#shared/members-page.ts';
import { faultOf } from '#shared/metadata.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Field } from '#web/components/field.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { inOrder } from './member-columns.tsx';

const SEARCHED_FROM = 12;
const TOO_MANY = `At most ${MOST_COLUMNS} columns can be shown`;

type Props = { list: string; chosen: string[]; onChoose: (columns: string[]) => void; onClose: () => void };

export default function ColumnPicker({ list, chosen, onChoose, onClose }: Props) {
  const { data, error, mutate } = useOrganizationData('GET /api/email-lists/{list}/metadata-columns', {
    params: { list },
  });
  const [ticked, setTicked] = useState(chosen);
  const [added, setAdded] = useState<string[]>([]);
  const searched = data?.searched;
  const offered = data && inOrder([...data.columns, ...chosen, ...added]);
  const [search, setSearch] = useState('');
  const isFull = ticked.length >= MOST_COLUMNS;
  const shown = offered?.filter(column => column.toLowerCase().includes(search.trim().toLowerCase()));

  const tick = (column: string, isTicked: boolean) =>
    setTicked(others => [...others.filter(other => other !== column), ...(isTicked ? [column] : [])]);

  function save(event: FormEvent) {
    event.preventDefault();
    onChoose(ticked);
    onClose();
  }

  return (
    <Modal title="Columns" onClose={onClose}>
      {error && !data ? (
        <Failure problem={error} message="Failed to fetch data. Please try again" onRetry={mutate} />
      ) : !offered || !shown ? (
        <Loading shape={['line', 'line', 'line', 'line', 'button']} />
      ) : (
        <form onSubmit={save} noValidate>
          <Text mb="3" color="fg.muted" fontSize="sm">
            {offered.length === 0
              ? 'No metadata yet. Add some to a member, or have your own systems add it by the API.'
              : `Up to ${MOST_COLUMNS} are shown in this browser, beside the address where there is room.`}
            {searched?.complete === false &&
              ` These are the columns of ${plural(searched.members, 'member')} out of ${formatNumber(searched.of)}, and all columns with dates.`}
          </Text>
          {offered.length > 0 && (
            <Flex wrap="wrap" align="center" gap="3" mb="3">
              {offered.length >= SEARCHED_FROM && (
                <Input
                  type="search"
                  width={{ base: 'full', sm: '240px' }}
                  aria-label="Search columns"
                  placeholder="Search columns"
                  autoComplete="off"
                  value={search}
                  onChange={event => setSearch(event.target.value)}
                  // Enter would submit the form around it.
                  onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
                />
              )}
              <Text role="status" fontSize="sm">
                {ticked.length} of at most {MOST_COLUMNS} chosen
              </Text>
            </Flex>
          )}
          <Grid as="fieldset" aria-label="Columns" gap="2" overflowWrap="anywhere">
            {shown.map(column => (
              <Checkbox
                key={column}
                checked={ticked.includes(column)}
                disabled={isFull && !ticked.includes(column)}
                onChange={isTicked => tick(column, isTicked)}
              >
                {column}
              </Checkbox>
            ))}
            {shown.length === 0 && search && (
              <Text color="fg.muted">No column has “{search.trim()}” in its name.</Text>
            )}
          </Grid>
          {searched?.complete === false && (
            <AnotherColumn
              isFull={isFull}
              onAdd={column => {
                setAdded([...added, column]);
                tick(column, true);
              }}
            />
          )}
          {/* As wide as the dialog, above the columns that scroll below it. */}
          <Actions
            position="sticky"
            bottom="0"
            mb="-5"
            mx="-5"
            px="5"
            py="3"
            bg="bg.panel"
            borderTopWidth="1px"
          >
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="solid">
              Show columns
            </Button>
          </Actions>
        </form>
      )}
    </Modal>
  );
}

/** Adds a column by its name, as only frequent ones are listed. */
function AnotherColumn({ isFull, onAdd }: { isFull: boolean; onAdd: (column: string) => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();

  function add() {
    const column = name.trim();
    const fault = isFull ? TOO_MANY : column === '' ? 'Enter the name of a column' : faultOf(column, true);
    setError(fault);
    if (fault) return;
    onAdd(column);
    setName('');
  }

  return (
    <Box mt="4">
      <Field label="Another column" error={error}>
        <Flex gap="2">
          <Input
            value={name}
            autoComplete="off"
            onChange={event => setName(event.target.value)}
            onKeyDown={event => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <Button onClick={add}>Add</Button>
        </Flex>
      </Field>
    </Box>
  );
}
