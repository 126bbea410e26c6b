import { Box, Flex, Grid, Input } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import {
  type Audience,
  MOST_RULES,
  OPERATORS,
  type Operator,
  operatorsOf,
  SPECIAL_FIELDS,
} from '#shared/audience.ts';
import type { AudienceCount } from '#shared/forecast.ts';
import { isDay, LONGEST_VALUE, readDatetime } from '#shared/metadata.ts';
import type { ZoneOf } from '#shared/schedule.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { withoutSubmit } from '#web/components/field.tsx';
import { Notice } from '#web/components/notice.tsx';
import { namedOptions, optionsOf, Select } from '#web/components/select.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { useQuestion } from '#web/lib/question.ts';
import { AudienceSentence } from './audience.tsx';
import { type Columns, useColumns } from './columns.ts';
import * as draft from './draft.ts';

type Props = {
  /** Their columns are offered, and their members are counted. */
  lists: readonly string[];
  initial: Audience | null;
  /** Of a table, which counts itself who matches. Without conditions, an empty one is there to fill in. */
  isFilter?: boolean;
  /** In whose time zone days are counted. */
  zoneOf?: ZoneOf;
  onChange: (audience: Audience | null) => void;
  /** Saving was refused: says which condition is incomplete, else the error. */
  isRefused: boolean;
  error?: string | undefined;
  /** Focusing it focuses the first control that is not filled in, else the first one. */
  focusRef?: Ref<{ focus: () => void }>;
};

/** Edits who is meant: rules about columns, in groups of which all or any must hold. Without a rule, it is everybody. */
export default function ConditionsEditor(props: Props) {
  const {
    lists,
    initial,
    isFilter = false,
    zoneOf = 'organization',
    onChange,
    isRefused,
    error,
    focusRef,
  } = props;
  const [root, setRoot] = useState(() =>
    initial ? (draft.editableOf(initial) as draft.Block) : isFilter ? draft.newBlock('all') : undefined,
  );
  const errorId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const columns = useColumns(root ? lists : []);
  // The button that loads the columns once more goes when they are there.
  const keptFocus = useKeptFocus(() =>
    frame.current?.querySelector<HTMLElement>('[data-key] select, button'),
  );
  const rows = root ? draft.rowsOf(root) : [];
  const faults = rows.map(draft.faultOfRow);
  const wrong = faults.findIndex(Boolean);
  const isFull = rows.length >= MOST_RULES;

  const focus = (selector: string) => {
    const element = frame.current?.querySelector<HTMLElement>(selector);
    element?.focus();
    return element;
  };
  useImperativeHandle(focusRef, () => ({
    focus: () => focus('[data-incomplete]') ?? focus('select, button'),
  }));

  function change(next: draft.Block | undefined) {
    setRoot(next);
    onChange(draft.audienceOf(next));
  }

  const edit = (key: number, ...by: draft.Item[]) =>
    change(draft.edited(root ? [root] : [], key, by)[0] as draft.Block | undefined);
  const add = (block: draft.Block, item: draft.Item) =>
    edit(block.key, { ...block, items: [...block.items, item] });

  /** The focus moves to the condition after it, else to the one before it, else to the button that adds one. */
  function remove(item: draft.Item) {
    const removed = draft.rowsOf(item);
    const at = rows.findIndex(({ key }) => key === removed[0]?.key);
    const next = rows[at + removed.length] ?? rows[at - 1];
    focus(next ? `[data-key="${next.key}"] select` : '[data-add]');
    edit(item.key);
  }

  const itemsOf = (block: draft.Block) => (
    <>
      {block.items.length > 1 && (
        <Flex as="label" align="center" gap="2" fontSize="sm">
          Members match
          <Select
            width="auto"
            value={block.match}
            options={MATCHES}
            onChange={({ target }) =>
              edit(block.key, { ...block, match: target.value === 'all' ? 'all' : 'any' })
            }
          />
          of these
        </Flex>
      )}
      {block.items.map(item => {
        if (draft.isRow(item)) {
          const number = rows.indexOf(item);
          return (
            <Condition
              key={item.key}
              row={item}
              number={number + 1}
              columns={columns}
              incomplete={faults[number]?.at}
              errorId={isRefused ? errorId : undefined}
              onChange={next => edit(item.key, next)}
              onRemove={() => remove(item)}
            />
          );
        }
        return (
          <Grid key={item.key} role="group" aria-label="Group" gap="2" ps="3" borderInlineStartWidth="2px">
            {itemsOf(item)}
            <Flex gap="2">
              <Button variant="ghost" disabled={isFull} onClick={() => add(item, draft.newRow())}>
                Add condition to group
              </Button>
              <Button variant="ghost" onClick={() => remove(item)}>
                Remove group
              </Button>
            </Flex>
          </Grid>
        );
      })}
    </>
  );

  return (
    <Grid ref={frame} gap="2" fontSize="sm" onKeyDown={withoutSubmit} {...keptFocus}>
      {root && itemsOf(root)}
      {columns.hasFailed && (
        <Flex role="alert" align="center" gap="2" color="fg.error">
          <span>The columns of the lists could not be loaded.</span>
          <Button variant="ghost" onClick={columns.retry}>
            Try again
          </Button>
        </Flex>
      )}
      <Flex wrap="wrap" align="center" gap="2">
        <Button
          data-add
          disabled={isFull}
          onClick={() => (root ? add(root, draft.newRow()) : change(draft.newBlock('all')))}
        >
          Add condition
        </Button>
        {root && (
          <Button variant="ghost" disabled={isFull} onClick={() => add(root, draft.newBlock('any'))}>
            Add group
          </Button>
        )}
        <span role="status">{isFull && `At most ${MOST_RULES} conditions`}</span>
      </Flex>
      <Matching
        lists={isFilter ? [] : lists}
        audience={wrong < 0 ? draft.audienceOf(root) : 'incomplete'}
        zoneOf={zoneOf}
      />
      <Box id={errorId} role="alert" minHeight="5" color="fg.error" lineHeight="20px">
        {isRefused && wrong >= 0 ? `Condition ${wrong + 1}: ${faults[wrong]?.text}` : error}
      </Box>
    </Grid>
  );
}

const MATCHES = optionsOf({ all: 'all', any: 'any' });
/** Chosen to enter the name of a column that no member has yet. No column can have this name. */
const OTHER = '#other';
const SPECIAL = optionsOf({ '@email': 'Email address', '@added': 'Added', '@list': 'On the list' });
const UNITS = optionsOf({ days_ago: 'days ago', days_ahead: 'days from now', date: 'date' });
const TYPED = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false };

type ConditionProps = {
  row: draft.Row;
  number: number;
  columns: Columns;
  incomplete: 'field' | 'value' | undefined;
  /** What describes the incomplete control, if that is shown as wrong. */
  errorId: string | undefined;
  onChange: (row: draft.Row) => void;
  onRemove: () => void;
};

function Condition(props: ConditionProps) {
  const { row, number, columns, incomplete, errorId, onChange, onRemove } = props;
  const field = useRef<HTMLSelectElement>(null);
  const { isNew, isOther = false, ...known } = row;
  useEffect(() => {
    if (isNew) field.current?.focus();
  }, [isNew]);
  const isStored = !isOther && row.field !== '' && !SPECIAL_FIELDS.includes(row.field);
  const names = new Set([...columns.names, ...(isStored ? [row.field] : [])]);
  const attributesOf = (control: 'field' | 'value') =>
    incomplete === control && {
      'data-incomplete': true,
      ...(errorId && { 'aria-invalid': true, 'aria-describedby': errorId }),
    };

  function choose(name: string) {
    const values = columns.valuesOf(name);
    const isDate = values.length > 0 && values.every(value => readDatetime(value) instanceof Date);
    if (name === OTHER) onChange({ ...draft.withField(known, '', false), isOther: true });
    else onChange(draft.withField(known, name, isDate));
  }

  return (
    <Grid
      role="group"
      aria-label={`Condition ${number}`}
      data-key={row.key}
      gap="2"
      // On phones, where it takes three lines, a card.
      p={{ base: '2', sm: '0' }}
      borderWidth={{ base: '1px', sm: '0' }}
      borderRadius="md"
      alignItems="start"
      templateAreas={{ base: '"field remove" "op op" "value value"', sm: '"field op value remove"' }}
      templateColumns={{
        base: 'minmax(0, 1fr) auto',
        sm: 'minmax(0, 1fr) minmax(0, 0.9fr) minmax(0, 1.6fr) auto',
      }}
    >
      <Grid gap="2" gridArea="field">
        <Select
          ref={field}
          aria-label="Column"
          value={isOther ? OTHER : row.field}
          {...(!isOther && attributesOf('field'))}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">Choose a column</option>
          {[...names].map(name => (
            <option key={name}>{name}</option>
          ))}
          <option value={OTHER}>Another column</option>
          <optgroup label="Every member">
            {SPECIAL.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </optgroup>
        </Select>
        {isOther && (
          <Input
            {...TYPED}
            aria-label="Name of the column"
            placeholder="Name of the column"
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
          onChange={({ target }) => onChange(draft.withOperator(row, target.value as Operator))}
        />
      </Box>
      <Box gridArea="value">
        <Value {...props} attributes={attributesOf('value')} />
      </Box>
      <Box gridArea="remove">
        <IconButton label={`Remove condition ${number}`} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </Box>
    </Grid>
  );
}

type ValueProps = Pick<ConditionProps, 'row' | 'columns' | 'onChange'> & { attributes: object | false };
type ControlProps<Entered> = {
  value: Entered;
  onChange: (value: NonNullable<draft.Row['value']>) => void;
  attributes: object | false;
};

function Value({ row, columns, onChange, attributes }: ValueProps) {
  const suggestions = useId();
  const { takes } = OPERATORS[row.op];
  const set = (value: NonNullable<draft.Row['value']>) => onChange({ ...row, value });
  if (takes === 'nothing') return null;
  if (takes === 'date') return <DateValue value={row.value} onChange={set} attributes={attributes} />;
  const value = String(row.value ?? '');
  if (takes === 'list') return <ListValue value={value} onChange={set} attributes={attributes} />;
  return (
    <>
      <Input
        {...TYPED}
        aria-label="Value"
        placeholder="Value"
        inputMode={takes === 'number' ? 'decimal' : 'text'}
        maxLength={LONGEST_VALUE}
        list={suggestions}
        value={value}
        {...attributes}
        onChange={({ target }) => set(target.value)}
      />
      <datalist id={suggestions}>
        {columns.valuesOf(row.field).map(usual => (
          <option key={usual} value={usual} />
        ))}
      </datalist>
    </>
  );
}

function ListValue({ value, onChange, attributes }: ControlProps<string>) {
  const lists = useOrganizationData('GET /api/email-lists').data;
  const deleted = lists ? 'A deleted list' : 'Loading...';
  return (
    <Select
      aria-label="Email list"
      value={value}
      options={namedOptions(lists, { chosen: value, none: 'Choose a list', deleted })}
      {...attributes}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function DateValue({ value = '', onChange, attributes }: ControlProps<draft.Row['value']>) {
  const [unit, days] = typeof value === 'object' ? (Object.entries(value)[0] ?? []) : ['date', Number.NaN];
  const ofUnit = (name: string | undefined, count = Number.NaN) =>
    name === 'date' ? '' : name === 'days_ago' ? { days_ago: count } : { days_ahead: count };
  const date = String(value);
  return (
    <Grid templateColumns="minmax(0, 1fr) auto" gap="2">
      {unit === 'date' ? (
        <Input
          // A date with a time, which was set by the API, is shown as it is.
          type={date === '' || isDay(date) ? 'date' : 'text'}
          aria-label="Date"
          value={date}
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
        onChange={({ target }) => onChange(ofUnit(target.value, days))}
      />
    </Grid>
  );
}

type MatchingProps = { lists: readonly string[]; audience: Audience | null | 'incomplete'; zoneOf: ZoneOf };

/** Who is meant, in a sentence, and how many of the members that is now. */
function Matching({ lists, audience, zoneOf }: MatchingProps) {
  const isComplete = audience !== 'incomplete' && audience !== null;
  const isAsked = isComplete && lists.length > 0;
  const { data, error, isValidating, mutate } = useQuestion(
    'POST /api/audience/count',
    isAsked ? { body: { email_list_ids: [...lists], audience, time_zone_of: zoneOf } } : undefined,
  );
  if (audience === null)
    return <Box color="fg.muted">Everybody on the {lists.length === 1 ? 'list' : 'lists'}</Box>;
  const hasFailed = error !== undefined && !isValidating;
  const failure = hasFailed && serverMessageOr(error, 'How many match could not be counted.');
  const retry = hasFailed && (
    <Button variant="ghost" onClick={() => void mutate()}>
      Try again
    </Button>
  );
  return (
    <Notice tone="info" action={retry}>
      <Box overflowWrap="anywhere">
        {isComplete ? (
          <>
            <AudienceSentence audience={audience} />.
          </>
        ) : (
          'Complete each condition to see who is meant.'
        )}
      </Box>
      {isAsked && <Box>{failure || (data ? matchText(data) : 'Counting...')}</Box>}
    </Notice>
  );
}

function matchText({ matching, of, sampled }: AudienceCount): string {
  const match = `${formatNumber(matching)} of ${plural(of, 'subscribed member')} ${matching === 1 ? 'matches' : 'match'} now`;
  if (sampled === null) return `${match}.`;
  const { margin, people } = sampled;
  return `About ${match}, ± ${formatNumber(margin)}: ${plural(people, 'member')} were looked at.`;
}
