import { Box, Flex, Grid, Input } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import {
  type Audience,
  MOST_RULES,
  OPERATORS,
  type Operator,
  operatorsOf,
  SPECIAL_FIELDS,
} from '#shared/audience.ts';
import { isDay, LONGEST_KEY, LONGEST_VALUE } from '#shared/metadata.ts';
import type { ZoneOf } from '#shared/schedule.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { withoutSubmit } from '#web/components/field.tsx';
import { Select } from '#web/components/select.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { type Columns, useColumns, useUsualValues } from './columns.ts';
import {
  audienceOf,
  type Block,
  draftOf,
  edited,
  faultOfRow,
  type Item,
  isRow,
  newBlock,
  newRow,
  type Row,
  rowsOf,
  withField,
  withOperator,
} from './draft.ts';
import { Matching } from './matching.tsx';

type Props = {
  /** Their columns are offered, and their members are counted. */
  lists: readonly string[];
  initial: Audience | null;
  /** Without conditions, an empty one is there to fill in. */
  isBegun?: boolean;
  /** In whose time zone days are counted. */
  zoneOf?: ZoneOf;
  onChange: (audience: Audience | null) => void;
  /** Says what is missing, as the conditions were to be saved. */
  isRefused: boolean;
  /** Why complete conditions were refused. */
  error?: string | undefined;
  /** Focusing it focuses the first control that is not filled in, if there is one. */
  focusRef?: Ref<{ focus: () => void }>;
};

/** Edits who is meant: rules about columns, in groups of which all or any must hold. Without a rule, it is everybody. */
export default function Conditions(props: Props) {
  const { lists, initial, isBegun, zoneOf = 'organization', onChange, isRefused, error, focusRef } = props;
  const [draft, setDraft] = useState(() =>
    initial ? (draftOf(initial) as Block) : isBegun ? newBlock('all') : undefined,
  );
  const errorId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const columns = useColumns(draft ? lists : []);
  const audienceLists = useOrganizationData('GET /api/email-lists').data;
  const rows = rowsOf(draft);
  const faults = new Map(rows.map(row => [row.key, faultOfRow(row)]));
  const wrong = rows.findIndex(({ key }) => faults.get(key));
  const fault = faults.get(rows[wrong]?.key ?? 0);
  const isFull = rows.length >= MOST_RULES;
  const message = isRefused && fault ? `Condition ${wrong + 1}: ${fault.text}` : error;

  useImperativeHandle(focusRef, () => ({
    focus: () =>
      ['[data-incomplete]', 'select, button']
        .map(selector => frame.current?.querySelector<HTMLElement>(selector))
        .find(Boolean)
        ?.focus(),
  }));

  function change(items: Item[]) {
    const next = items[0] as Block | undefined;
    setDraft(next);
    onChange(audienceOf(next));
  }

  const edit = (key: number, to: (item: Item) => Item[]) => change(edited(draft ? [draft] : [], key, to));
  const add = (block: Block, item: Item) =>
    edit(block.key, () => [{ ...block, items: [...block.items, item] }]);

  /** The focus moves to the condition after it, else to the one before it, else to the button that adds one. */
  function remove(key: number) {
    const element = frame.current?.querySelector(`[data-key="${key}"]`);
    const others = [...(frame.current?.querySelectorAll('[data-condition]') ?? [])].filter(
      other => !element?.contains(other),
    );
    const isAfter = (other: Element) =>
      element && element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    const next = others.find(isAfter) ?? others.at(-1);
    frame.current
      ?.querySelector<HTMLElement>(
        next ? `[data-key="${next.getAttribute('data-key')}"] select` : '[data-add]',
      )
      ?.focus();
    edit(key, () => []);
  }

  const itemsOf = (block: Block) => (
    <>
      {block.items.length > 1 && (
        <Flex as="label" align="center" gap="2" fontSize="sm">
          Members match
          <Select
            width="auto"
            value={block.match}
            options={MATCHES}
            onChange={({ target }) =>
              edit(block.key, () => [{ ...block, match: target.value as Block['match'] }])
            }
          />
          of these
        </Flex>
      )}
      {block.items.map(item =>
        isRow(item) ? (
          <Condition
            key={item.key}
            row={item}
            number={rows.indexOf(item) + 1}
            columns={columns}
            lists={audienceLists}
            invalid={isRefused ? faults.get(item.key)?.at : undefined}
            incomplete={faults.get(item.key)?.at}
            errorId={errorId}
            onChange={next => edit(item.key, () => [next])}
            onRemove={() => remove(item.key)}
          />
        ) : (
          <Grid
            key={item.key}
            role="group"
            aria-label="Group of conditions"
            data-key={item.key}
            gap="2"
            ps="3"
            borderInlineStartWidth="2px"
          >
            {itemsOf(item)}
            <Flex gap="2">
              <Button variant="ghost" disabled={isFull} onClick={() => add(item, newRow())}>
                Add condition to group
              </Button>
              <Button variant="ghost" onClick={() => remove(item.key)}>
                Remove group
              </Button>
            </Flex>
          </Grid>
        ),
      )}
    </>
  );

  return (
    <Grid ref={frame} gap="2" onKeyDown={withoutSubmit}>
      {draft && itemsOf(draft)}
      {draft && columns.problem !== undefined && (
        <Flex role="alert" align="center" gap="2" color="fg.error" fontSize="sm">
          <span>The columns of the lists could not be loaded.</span>
          <Button variant="ghost" onClick={columns.retry}>
            Try again
          </Button>
        </Flex>
      )}
      <Flex wrap="wrap" align="center" gap="2" fontSize="sm">
        <Button
          data-add
          disabled={isFull}
          onClick={() => (draft ? add(draft, newRow()) : change([newBlock('all')]))}
        >
          Add condition
        </Button>
        {draft && (
          <Button variant="ghost" disabled={isFull} onClick={() => add(draft, newBlock('any'))}>
            Add group
          </Button>
        )}
        <span role="status">{isFull && `At most ${MOST_RULES} conditions`}</span>
      </Flex>
      <Matching
        lists={lists}
        audience={fault ? 'incomplete' : audienceOf(draft)}
        zoneOf={zoneOf}
        named={audienceLists}
      />
      <Box id={errorId} role="alert" minHeight="5" color="fg.error" fontSize="sm" lineHeight="20px">
        {message}
      </Box>
    </Grid>
  );
}

const MATCHES = [
  { value: 'all', label: 'all' },
  { value: 'any', label: 'any' },
];

/** Chosen to enter the name of a column that no member has yet. No column can have this name. */
const OTHER = '#other';

const SPECIAL_NAMES: Record<string, string> = {
  '@email': 'Email address',
  '@added': 'Added',
  '@list': 'On the list',
};

type ConditionProps = {
  row: Row;
  number: number;
  columns: Columns;
  lists: readonly { id: string; name: string }[] | undefined;
  /** The control with a fault, and whether that is shown. */
  incomplete: 'field' | 'value' | undefined;
  invalid: 'field' | 'value' | undefined;
  errorId: string;
  onChange: (row: Row) => void;
  onRemove: () => void;
};

function Condition({ row, number, columns, onRemove, ...rest }: ConditionProps) {
  const { onChange, incomplete, invalid, errorId } = rest;
  const field = useRef<HTMLSelectElement>(null);
  const { isNew, isOther = false } = row;
  useEffect(() => {
    if (isNew) field.current?.focus();
  }, [isNew]);
  const isStored = !isOther && row.field !== '' && !SPECIAL_FIELDS.includes(row.field);
  const names = new Set([...columns.names, ...(isStored ? [row.field] : [])]);
  const attributesOf = (control: 'field' | 'value') => ({
    'data-incomplete': incomplete === control || undefined,
    ...(invalid === control && { 'aria-invalid': true, 'aria-describedby': errorId }),
  });

  return (
    <Grid
      role="group"
      aria-label={`Condition ${number}`}
      data-key={row.key}
      data-condition
      gap="2"
      // On phones, where it takes three lines, a card.
      p={{ base: '2', sm: '0' }}
      borderWidth={{ base: '1px', sm: '0' }}
      borderRadius="md"
      templateAreas={{ base: '"field remove" "op op" "value value"', sm: '"field op value remove"' }}
      templateColumns={{
        base: 'minmax(0, 1fr) auto',
        sm: 'minmax(0, 1fr) minmax(0, 0.9fr) minmax(0, 1.6fr) auto',
      }}
    >
      <Grid gap="2" gridArea="field" alignContent="start">
        <Select
          ref={field}
          aria-label="Column"
          value={isOther ? OTHER : row.field}
          {...(isOther ? {} : attributesOf('field'))}
          onChange={({ target: { value } }) => {
            const { isOther: _, ...known } = row;
            if (value === OTHER) onChange({ ...withField(known, '', false), isOther: true });
            else onChange(withField(known, value, columns.dates.has(value)));
          }}
        >
          <option value="">Choose a column</option>
          {[...names].map(name => (
            <option key={name}>{name}</option>
          ))}
          <option value={OTHER}>Another column</option>
          <optgroup label="Every member">
            {Object.entries(SPECIAL_NAMES).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </optgroup>
        </Select>
        {isOther && (
          <Input
            aria-label="Name of the column"
            placeholder="Name of the column"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={LONGEST_KEY}
            value={row.field}
            {...attributesOf('field')}
            onChange={({ target }) => onChange({ ...row, field: target.value })}
          />
        )}
      </Grid>
      <Box gridArea="op">
        <Select
          aria-label="Operator"
          value={row.op}
          options={operatorsOf(isOther ? '' : row.field).map(op => ({
            value: op,
            // The words of a sentence about several.
            label: OPERATORS[op].words.replace(/^are /, 'is '),
          }))}
          onChange={({ target }) => onChange(withOperator(row, target.value as Operator))}
        />
      </Box>
      <Box gridArea="value">
        <Value row={row} columns={columns} attributes={attributesOf('value')} {...rest} />
      </Box>
      <Box gridArea="remove">
        <IconButton label={`Remove condition ${number}`} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </Box>
    </Grid>
  );
}

type ValueProps = Pick<ConditionProps, 'row' | 'columns' | 'lists' | 'onChange'> & { attributes: object };

function Value({ row, columns, lists, onChange, attributes }: ValueProps): ReactNode {
  const { takes } = OPERATORS[row.op];
  const set = (value: Row['value']) => onChange({ ...row, ...(value !== undefined && { value }) });
  if (takes === 'nothing') return null;
  if (takes === 'date') return <DateValue value={row.value} onChange={set} attributes={attributes} />;
  const value = String(row.value ?? '');
  if (takes === 'list')
    return (
      <Select
        aria-label="Email list"
        value={value}
        {...attributes}
        onChange={({ target }) => set(target.value)}
      >
        <option value="">Choose a list</option>
        {value !== '' && !lists?.some(({ id }) => id === value) && (
          <option value={value}>{lists ? 'A deleted list' : 'Loading...'}</option>
        )}
        {lists?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    );
  const listsWith = takes === 'text' && !row.isOther ? columns.listsWith(row.field) : [];
  return (
    <>
      <Input
        aria-label="Value"
        placeholder="Value"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        inputMode={takes === 'number' ? 'decimal' : 'text'}
        maxLength={LONGEST_VALUE}
        list={listsWith.length > 0 ? `values-${row.key}` : undefined}
        value={value}
        {...attributes}
        onChange={({ target }) => set(target.value)}
      />
      {listsWith.length > 0 && <UsualValues id={`values-${row.key}`} column={row.field} lists={listsWith} />}
    </>
  );
}

const UsualValues = ({ id, column, lists }: { id: string; column: string; lists: string[] }) => (
  <datalist id={id}>
    {useUsualValues(column, lists).map(value => (
      <option key={value} value={value} />
    ))}
  </datalist>
);

type Unit = 'date' | 'days_ago' | 'days_ahead';
const UNITS: { value: Unit; label: string }[] = [
  { value: 'days_ago', label: 'days ago' },
  { value: 'days_ahead', label: 'days from now' },
  { value: 'date', label: 'date' },
];

type DateProps = { value: Row['value']; onChange: (value: Row['value']) => void; attributes: object };

function DateValue({ value = '', onChange, attributes }: DateProps) {
  const [unit, days]: [Unit, number] =
    typeof value !== 'object'
      ? ['date', Number.NaN]
      : 'days_ago' in value
        ? ['days_ago', value.days_ago]
        : ['days_ahead', value.days_ahead];
  const ofUnit = (next: Unit, count: number) =>
    next === 'days_ago' ? { days_ago: count } : { days_ahead: count };
  return (
    <Grid templateColumns="minmax(0, 1fr) auto" gap="2">
      {unit === 'date' ? (
        <Input
          // A date with a time, which was set by the API, is shown as it is.
          type={value === '' || isDay(String(value)) ? 'date' : 'text'}
          aria-label="Date"
          value={String(value)}
          {...attributes}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <Input
          type="number"
          inputMode="numeric"
          min={0}
          aria-label="Days"
          value={Number.isNaN(days) ? '' : days}
          {...attributes}
          onChange={({ target }) => onChange(ofUnit(unit, target.valueAsNumber))}
        />
      )}
      <Select
        aria-label="Counted in"
        value={unit}
        options={UNITS}
        onChange={({ target }) => {
          const next = target.value as Unit;
          onChange(next === 'date' ? '' : ofUnit(next, days));
        }}
      />
    </Grid>
  );
}
