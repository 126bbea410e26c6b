import { Box, Input } from '@chakra-ui/react';
import { useState } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type { Start } from '#shared/automation.ts';
import { Button } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber, formatRelative, midnightText, plural } from '#web/lib/format.ts';
import type { StartFields, TriggerColumn, useStart } from './use-start.ts';

const STARTS: Record<Start, string> = { added: 'When they were added', date: 'A date', event: 'An event' };

type Props = ReturnType<typeof useStart>['props'];

/** Chooses what the schedule counts from: when a member was added, a date of theirs, or an event. */
export default function WhatStartsIt(props: Props) {
  const { onlyWhenAdded, onStart } = props;
  const { setValue, clearErrors } = useFormContext<StartFields>();
  const { field, fieldState } = useController<StartFields, 'starts_at'>({ name: 'starts_at' });
  const value = useWatch<StartFields, 'metadata_trigger'>({ name: 'metadata_trigger' });
  const isAddedOnly = onlyWhenAdded && value === '';
  const shown = isAddedOnly ? 'added' : field.value;

  function choose(start: Start) {
    field.onChange(start);
    setValue('metadata_trigger', '', { shouldDirty: true });
    clearErrors('metadata_trigger');
    onStart(start);
  }

  const hint = isAddedOnly ? NO_COLUMNS : shown === 'event' ? EVENTS : undefined;
  return (
    <>
      <Field
        label="What starts it?"
        hint={hint && <span role="status">{hint}</span>}
        error={fieldState.error?.message}
      >
        <Select
          {...field}
          value={shown}
          options={optionsOf(STARTS).map(option => ({
            ...option,
            disabled: option.value === 'date' && isAddedOnly,
          }))}
          onChange={({ target }) => choose(target.value as Start)}
        />
      </Field>
      {shown === 'date' && (
        <Box mt="2">
          <TriggerField {...props} />
        </Box>
      )}
      {shown === 'event' && (
        <Box mt="2">
          <EventField />
        </Box>
      )}
    </>
  );
}

const NO_COLUMNS =
  'No datetime metadata columns found in the selected lists. Add datetime metadata to list members to use as triggers.';
const EVENTS =
  'Your programs send events by the API. Within a day one person gets one email, however many events.';

function TriggerField({ lists, columns, problem, onRetry }: Props) {
  const { field, fieldState } = useController<StartFields, 'metadata_trigger'>({ name: 'metadata_trigger' });
  const isAtFixedTime = (useWatch<StartFields, 'send_at'>({ name: 'send_at' }) ?? null) !== null;
  const { value } = field;
  // A stored column stays, even while the columns are loading, or if no member has it any more.
  const isStored = value !== '' && !columns?.some(({ name }) => name === value);
  const hasFailed = Boolean(problem) && !columns;
  const failure = hasFailed ? 'Failed to fetch datetime columns. Please try again.' : undefined;

  // The retry button disappears when the columns are loaded.
  const keptFocus = useKeptFocus(frame => frame.querySelector('select'));
  return (
    <Box {...keptFocus}>
      <Field
        label="Trigger Column"
        explained={['The column with the date of each member from which days are counted.', 'triggers']}
        hint={<span role="status">{messageAbout(lists, columns, isAtFixedTime)}</span>}
        error={fieldState.error?.message ?? failure}
        disabled={lists === 0}
        aside={
          hasFailed && (
            <Button variant="ghost" height="5" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        <Select {...field}>
          <option value="">Select a trigger column</option>
          {isStored && <option value={value}>{value}</option>}
          {columns?.map(column => (
            <option key={column.name} value={column.name}>
              {columnText(column, lists)}
            </option>
          ))}
        </Select>
      </Field>
    </Box>
  );
}

function messageAbout(lists: number, columns: TriggerColumn[] | undefined, isAtFixedTime: boolean): string {
  if (lists === 0) return 'Please select at least one email list to see available trigger columns.';
  if (!columns) return 'Loading available trigger columns...';
  if (columns.length === 0) return NO_COLUMNS;
  return `The date of each member that the days are counted from.${isAtFixedTime ? '' : ` A date without a time counts from ${midnightText()}.`}`;
}

/** No event can have this name. */
const OTHER = '#other';

function EventField() {
  const { data, error } = useOrganizationData('GET /api/events');
  const { field, fieldState } = useController<StartFields, 'metadata_trigger'>({ name: 'metadata_trigger' });
  const { value, ref, ...rest } = field;
  const [isTyped, setTyped] = useState(false);
  // Without the names that came, a name can still be typed.
  const events = data ?? (error ? [] : undefined);
  const came = events?.find(({ event }) => event === value);
  const isOther = isTyped || events?.length === 0 || (value !== '' && events !== undefined && !came);

  function choose(event: string) {
    setTyped(event === OTHER);
    rest.onChange(event === OTHER ? '' : event);
  }

  const { message } = fieldState.error ?? {};
  return (
    <>
      {events?.length !== 0 && (
        <Field label="Event" error={isOther ? undefined : message}>
          <Select
            {...rest}
            {...(!isOther && { ref })}
            value={isOther ? OTHER : value}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">Select an event</option>
            {value !== '' && !events && <option value={value}>{value}</option>}
            {events?.map(({ event, last_at }) => (
              <option key={event} value={event}>
                {`${event} · last ${formatRelative(last_at)}`}
              </option>
            ))}
            <option value={OTHER}>Another name…</option>
          </Select>
        </Field>
      )}
      {isOther && (
        <Box mt="2">
          <Field
            label="Name of the event"
            hint={
              value === ''
                ? 'As your program sends it, such as ordered.'
                : came
                  ? `It came last ${formatRelative(came.last_at)}.`
                  : 'No event with this name came yet; it will start with the first.'
            }
            error={message}
          >
            <Input {...field} autoComplete="off" autoCapitalize="off" spellCheck={false} />
          </Field>
        </Box>
      )}
    </>
  );
}

export const columnText = ({ name, members, lists }: TriggerColumn, chosen: number): string =>
  `${name} (${plural(members, 'member')}, in ${formatNumber(lists)} of ${plural(chosen, 'list')})`;
