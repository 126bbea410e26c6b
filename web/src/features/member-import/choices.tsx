import { Box, Flex, Grid, Input, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { DateOrder, Target } from '#shared/import-cells.ts';
import {
  faultOfColumns,
  type ImportColumn,
  MAY_NOT_SUPPRESS,
  mustSayConsent,
  type NewImport,
} from '#shared/member-import.ts';
import { faultOf } from '#shared/metadata.ts';
import { Button } from '#web/components/button.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { Field, FieldGrid } from '#web/components/field.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { countText } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { type FileColumn, isoDate, withUsualKeys } from './reading/columns.ts';
import type { ReadFile } from './reading/csv.ts';

type ColumnsProps = Pick<ImportChoices, 'columns' | 'imported' | 'setColumns' | 'maySuppress'> & {
  file: ReadFile;
};

const TARGETS = optionsOf({
  email: 'Email address',
  metadata: 'Metadata',
  is_subscribed: 'Subscribed: true or false',
  suppression: 'Suppression: bounce or complaint',
  ignored: 'Ignore',
} satisfies Record<Target | 'ignored', string>);

const WITHOUT_SUPPRESSION = TARGETS.map(target =>
  target.value === 'suppression'
    ? { ...target, label: 'Suppression: for owners and admins', disabled: true }
    : target,
);

export function ChooseColumns({ file, columns, imported, setColumns, maySuppress }: ColumnsProps) {
  const fault = faultOfColumns(imported);
  const renamed = columns.find(({ to, ownKey }) => to === 'metadata' && ownKey !== undefined);
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
      {renamed && (
        <Flex wrap="wrap" align="center" gap="2" mt="2" color="fg.muted" fontSize="sm">
          <span>
            Keys are written as placeholders usually are: {renamed.key} for {renamed.name}.
          </span>
          <Button
            variant="ghost"
            onClick={() =>
              setColumns(columns.map(({ ownKey, ...one }) => ({ ...one, key: ownKey ?? one.key })))
            }
          >
            Keep the names of the file
          </Button>
        </Flex>
      )}
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

function Preview({ file, columns }: Pick<ColumnsProps, 'file' | 'columns'>) {
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
        count={countText(rows.length, 'row')}
        columns={shown.map(({ position, name, to, key, dates }) => ({
          key: String(position),
          header: to === 'metadata' ? key : to === 'email' ? 'Email' : name,
          width: to === 'email' ? '280px' : '200px',
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

type OptionsProps = Pick<ImportChoices, 'needsSource' | 'options' | 'setOptions' | 'maySuppress'>;

const HINTS: Record<ImportOptions['as'], string> = {
  subscribed: 'Who unsubscribed, complained or bounced before stays unsubscribed.',
  unsubscribed: 'They are members, and get no emails. Existing members are unsubscribed.',
  bounce: 'No list of the organization mails them any more. Undoing the import does not change that.',
  complaint: 'No list of the organization mails them any more. Undoing the import does not change that.',
};

const MODES = optionsOf({ update: 'Update', skip: 'Skip' });
const STARTS = optionsOf({ false: 'Start, as for any member', true: 'Start nothing' });

export function ChooseOptions({ needsSource, options, setOptions, maySuppress }: OptionsProps) {
  const { mode, as, source, date, start_nothing } = options;
  const set = (part: Partial<ImportOptions>) => setOptions({ ...options, ...part });
  const hint = maySuppress ? HINTS[as] : `${HINTS[as]} ${MAY_NOT_SUPPRESS}.`;
  return (
    <Section title="Options">
      <FieldGrid
        templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }}
        alignItems="start"
        columnGap="6"
        maxWidth="840px"
      >
        <Field label="Import people as" hint={hint}>
          <Select value={as} onChange={({ target }) => set({ as: target.value as ImportOptions['as'] })}>
            <option value="subscribed">Subscribed</option>
            <option value="unsubscribed">Unsubscribed</option>
            <option value="bounce" disabled={!maySuppress}>
              Suppressed: their address bounced
            </option>
            <option value="complaint" disabled={!maySuppress}>
              Suppressed: they complained
            </option>
          </Select>
        </Field>
        <Field
          label="People who are members already"
          hint={mode === 'update' ? 'Empty cells leave what they have.' : 'Nothing about them changes.'}
        >
          <Select
            value={mode}
            options={MODES}
            onChange={({ target }) => set({ mode: target.value as ImportOptions['mode'] })}
          />
        </Field>
        <Field
          label="What automations do"
          hint={
            start_nothing
              ? 'New members get emails by dates after the import alone; yearly emails begin at their next anniversary.'
              : 'The check says how many emails follow from it.'
          }
        >
          <Select
            value={String(start_nothing)}
            options={STARTS}
            onChange={({ target }) => set({ start_nothing: target.value === 'true' })}
          />
        </Field>
        <Field
          label={needsSource ? 'How they agreed to get emails' : 'Source (optional)'}
          hint="Such as: sign-up form of the shop. It is kept with the import and shown with each member."
        >
          <Input
            autoComplete="off"
            maxLength={200}
            value={source}
            onChange={({ target }) => set({ source: target.value })}
          />
        </Field>
        <Field label="Date of consent (optional)" hint="If all of them agreed on one day.">
          <Input type="date" value={date} onChange={({ target }) => set({ date: target.value })} />
        </Field>
      </FieldGrid>
    </Section>
  );
}

type ImportOptions = Pick<NewImport, 'mode' | 'as' | 'start_nothing'> & { source: string; date: string };
const OPTIONS: ImportOptions = {
  mode: 'update',
  as: 'subscribed',
  start_nothing: false,
  source: '',
  date: '',
};

/** The targets of the columns and the options of an import. `onChange` is called with each change. */
export function useChoices(onChange: () => void) {
  const maySuppress = useMay()('recipients:suppress');
  const [columns, setColumns] = useState<ChosenColumn[]>([]);
  const [options, setOptions] = useState(OPTIONS);
  const choosing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      onChange();
      set(value);
    };
  const { mode, as, start_nothing } = options;
  const imported = importedColumns(columns);
  return {
    columns,
    options,
    how: { columns: imported, mode, as, start_nothing },
    maySuppress,
    imported,
    /** The date of consent is stored with its source alone. */
    needsSource: mustSayConsent(as, imported) || options.date !== '',
    suggest: (found: FileColumn[], known: string[]) =>
      setColumns(withUsualKeys(found, known).map(column => chosenOf(column, maySuppress))),
    setColumns: choosing(setColumns),
    setOptions: choosing(setOptions),
    restart: () => setOptions(OPTIONS),
  };
}

type ImportChoices = ReturnType<typeof useChoices>;

const importedColumns = (columns: ChosenColumn[]): ImportColumn[] =>
  columns.flatMap(({ position, name, to, key, dates }) =>
    to === 'ignored'
      ? []
      : [{ position, name, to, ...(to === 'metadata' && { key }), ...(dates && { dates }) }],
  );

/** A column, with the conversion of its dates. */
type ChosenColumn = Omit<FileColumn, 'dates'> & { found: FileColumn['dates']; dates?: ImportColumn['dates'] };

/**
 * The initial choice for a column. If only one order of day and month fits all of its dates, that is chosen. Suppressions are
 * not imported if the user may not suppress.
 */
const chosenOf = ({ dates: found, to, ...column }: FileColumn, maySuppress: boolean): ChosenColumn => {
  const [order, other] = found?.others ? found.orders : [];
  const isAllowed = to !== 'suppression' || maySuppress;
  return { ...column, to: isAllowed ? to : 'ignored', found, ...(order && !other && { dates: order }) };
};
