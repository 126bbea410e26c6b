import { Box, Flex, Grid, Input, Text } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import { MOST_COLUMNS } from '../../../../shared/list-member.ts';
import { faultOf } from '../../../../shared/metadata.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/field.tsx';
import { Modal, ModalActions } from '../../components/modal.tsx';
import { ActionError } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useOrganizationData } from '../../lib/data.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { inOrder } from './column-choice.ts';

type Props = {
  list: string;
  chosen: string[];
  onChoose: (columns: string[]) => void;
  onClose: () => void;
};

/** Chooses which of the metadata the members table of a list shows. */
export default function ColumnPicker({ list, chosen, onChoose, onClose }: Props) {
  const { data, error, mutate } = useOrganizationData('GET /api/email-lists/{list}/metadata-columns', {
    params: { list },
  });
  const [ticked, setTicked] = useState(chosen);
  const [added, setAdded] = useState<string[]>([]);
  const searched = data?.searched;
  const offered = data && inOrder([...data.columns, ...chosen, ...added]);
  const isTooMany = ticked.length > MOST_COLUMNS;

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
      ) : !offered ? (
        <Spinner />
      ) : (
        <form onSubmit={save} noValidate>
          <Text mb="3" color="fg.muted" fontSize="sm">
            {offered.length === 0
              ? 'No member of this list has any metadata yet.'
              : `Up to ${MOST_COLUMNS} are shown beside the address, in this browser.`}
            {searched?.complete === false &&
              ` These are the columns of ${plural(searched.members, 'member')} out of ${formatNumber(searched.of)}, and all columns with dates.`}
          </Text>
          <Grid as="fieldset" aria-label="Columns" gap="2" overflowWrap="anywhere">
            {offered.map(column => (
              <Checkbox
                key={column}
                checked={ticked.includes(column)}
                onChange={isTicked => tick(column, isTicked)}
              >
                {column}
              </Checkbox>
            ))}
          </Grid>
          {searched?.complete === false && (
            <AnotherColumn
              onAdd={column => {
                setAdded([...added, column]);
                tick(column, true);
              }}
            />
          )}
          <ActionError>{isTooMany && `At most ${MOST_COLUMNS} columns can be shown.`}</ActionError>
          <ModalActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="solid" disabled={isTooMany}>
              Show columns
            </Button>
          </ModalActions>
        </form>
      )}
    </Modal>
  );
}

/** A column that only few members have, by its name. */
function AnotherColumn({ onAdd }: { onAdd: (column: string) => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();

  function add() {
    const column = name.trim();
    const fault = column === '' ? 'Enter the name of a column' : faultOf(column, true);
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
