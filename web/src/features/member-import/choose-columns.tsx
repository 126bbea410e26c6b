import { Box, Grid, Input, Text } from '@chakra-ui/react';
import type { DateOrder, Target } from '#shared/import-cells.ts';
import { faultOfColumns } from '#shared/member-import.ts';
import { faultOf } from '#shared/metadata.ts';
import { DataTable } from '#web/components/data-table.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { Select } from '#web/components/select.tsx';
import type { ChosenColumn } from './chosen-columns.ts';
import { isoDate } from './reading/columns.ts';
import type { ReadFile } from './reading/file.ts';
import type { ImportChoices } from './use-choices.ts';

type Props = Pick<ImportChoices, 'columns' | 'imported' | 'setColumns' | 'maySuppress'> & { file: ReadFile };

const TARGETS: { value: Target | 'ignored'; label: string; disabled?: boolean }[] = [
  { value: 'email', label: 'Email address' },
  { value: 'metadata', label: 'Metadata' },
  { value: 'is_subscribed', label: 'Subscribed: true or false' },
  { value: 'suppression', label: 'Suppression: bounce or complaint' },
  { value: 'ignored', label: 'Ignore' },
];

const WITHOUT_SUPPRESSION = TARGETS.map(target =>
  target.value === 'suppression'
    ? { ...target, label: 'Suppression: for owners and admins', disabled: true }
    : target,
);

/** Chooses the target of each column of the file. */
export function ChooseColumns({ file, columns, imported, setColumns, maySuppress }: Props) {
  const fault = faultOfColumns(imported);
  const set = (position: number, part: Partial<ChosenColumn>) =>
    setColumns(columns.map(one => (one.position === position ? { ...one, ...part } : one)));
  return (
    <Section
      title="Columns"
      note="Choose what each column of the file is. Automations can start from dates in metadata."
    >
      <Panel as="ul" divideY="1px">
        {columns.map(column => (
          <ColumnRow
            key={column.position}
            column={column}
            targets={maySuppress ? TARGETS : WITHOUT_SUPPRESSION}
            onChange={part => set(column.position, part)}
          />
        ))}
      </Panel>
      {fault && (
        <Notice tone="error" mt="3">
          {fault}.
        </Notice>
      )}
      <Preview file={file} columns={columns} />
    </Section>
  );
}

type RowProps = { column: ChosenColumn; onChange: (part: Partial<ChosenColumn>) => void };

function ColumnRow({ column, targets, onChange }: RowProps & { targets: typeof TARGETS }) {
  const { name, values, to, key, found } = column;
  const fault = to === 'metadata' ? faultOf(key, '') : undefined;
  return (
    <Grid
      as="li"
      templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 240px 240px' }}
      columnGap="4"
      rowGap="2"
      px="4"
      py="2.5"
      alignItems="center"
    >
      <Box minWidth="0">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {name}
        </Text>
        <Text color="fg.muted" fontSize="xs" truncate>
          {values.join(', ') || 'No values in the first rows'}
        </Text>
      </Box>
      <Select
        aria-label={`What ${name} is`}
        value={to}
        onChange={({ target }) => onChange({ to: target.value as ChosenColumn['to'] })}
        options={targets}
      />
      {to === 'metadata' ? (
        <Input
          aria-label={`Key of ${name}`}
          aria-invalid={fault ? true : undefined}
          autoComplete="off"
          value={key}
          onChange={({ target }) => onChange({ key: target.value })}
        />
      ) : (
        <Box display={{ base: 'none', md: 'block' }} />
      )}
      {to === 'metadata' && found && <DateChoice column={column} found={found} onChange={onChange} />}
    </Grid>
  );
}

const ORDER_NAMES: Record<DateOrder, string> = { month_first: 'month first', day_first: 'day first' };

type DateProps = RowProps & { found: NonNullable<ChosenColumn['found']> };

/** The format of a column's dates. Dates that are not in ISO 8601 can be converted. */
function DateChoice({ column: { name, dates }, found: { others, example, orders }, onChange }: DateProps) {
  if (others === 0) {
    return (
      <Text gridColumn="1 / -1" color="fg.muted" fontSize="xs">
        Dates: automations can start from this column.
      </Text>
    );
  }
  const text = dates
    ? `Dates such as ${example} are stored as ${isoDate(example, dates)}.`
    : `Dates such as ${example} are not in the form 2026-01-31: stored as text, automations cannot start from them.`;
  return (
    <>
      <Text
        gridColumn={{ md: '1 / 2' }}
        color={dates ? 'fg.muted' : 'fg.warning'}
        fontSize="xs"
        role="status"
      >
        {text}
      </Text>
      <Select
        aria-label={`Dates of ${name}`}
        value={dates ?? ''}
        onChange={({ target }) => onChange({ dates: (target.value || undefined) as DateOrder | undefined })}
      >
        <option value="">Keep as text</option>
        {(orders.length > 0 ? orders : (['month_first', 'day_first'] as const)).map(order => (
          <option key={order} value={order}>
            Convert, {ORDER_NAMES[order]}
          </option>
        ))}
      </Select>
    </>
  );
}

const MOST_PREVIEWED = 6;

/** The first rows with their imported values. */
function Preview({ file, columns }: Pick<Props, 'file' | 'columns'>) {
  const shown = columns.filter(({ to }) => to !== 'ignored').slice(0, MOST_PREVIEWED);
  const rows = file.preview.map((cells, index) => ({ index, cells }));
  return (
    <Box mt="4">
      <Text mb="2" fontWeight="medium">
        First rows
      </Text>
      <DataTable
        label="First rows of the file"
        wide
        rows={rows}
        rowKey={({ index }) => String(index)}
        columns={shown.map(({ position, name, to, key, dates }) => ({
          key: String(position),
          header: to === 'metadata' ? key : to === 'email' ? 'Email' : name,
          width: '200px',
          cell: ({ cells }: (typeof rows)[number]) => {
            const cell = cells[position] ?? '';
            return (dates && isoDate(cell, dates)) ?? cell;
          },
        }))}
        empty={null}
      />
    </Box>
  );
}
