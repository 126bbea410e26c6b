import { Box, Input, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import type { NewAutomation } from '#shared/automation.ts';
import { MOST_AFTER, MOST_BEFORE, neverSends, ONCE_PER_DATE } from '#shared/schedule.ts';
import { Field, FieldGrid } from '#web/components/field.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Notice } from '#web/components/notice.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { plural } from '#web/lib/format.ts';
import { useQuestion } from '#web/lib/question.ts';
import { type Settings, schemaWith } from './automation-settings.ts';
import { HoursAndMinutes } from './hours-and-minutes.tsx';
import { scheduleSentence } from './schedule-texts.ts';
import { SendTimesFields, useSendingHours } from './send-times-fields.tsx';

const { NumberField } = fieldsOf<Settings>();

const HOW_OFTEN = { once: 'Once', days: 'Every X days', yearly: 'Every year' };

type Props = {
  /** The chosen lists have no column with dates. */
  onlyWhenAdded: boolean;
  /** The id of the stored automation. */
  automation: string | undefined;
  hasContent: boolean;
};

export function ScheduleFields(props: Props) {
  const { repeat, send_at } = useFormContext<Settings>().watch();
  return (
    <>
      <Box mt="4">
        <HowOften />
      </Box>
      {repeat !== '' && (
        <FieldGrid templateColumns="repeat(auto-fill, minmax(min(180px, 100%), 1fr))" mt="4">
          {repeat === 'days' && <NumberField name="every_x_days" label="Run every X days" min={1} />}
          {repeat === 'yearly' ? (
            <AnniversaryDelay />
          ) : (
            <NumberField
              name="delay_days"
              label={repeat === 'once' ? 'Days after' : 'Start after X days'}
              min={0}
              hint="0 starts immediately."
            />
          )}
          {send_at === null && <HoursAndMinutes />}
          {repeat === 'days' && (
            <NumberField
              name="stop_after_days"
              label="Stop sending after X days"
              min={0}
              placeholder="No limit"
              hint="Counted from the trigger, too."
            />
          )}
        </FieldGrid>
      )}
      <SendTimesFields />
      <Sentence {...props} />
    </>
  );
}

const HINTS: Record<string, string> = {
  once: ONCE_PER_DATE,
  yearly: 'On each anniversary of the date. 29 February counts on the 28th in other years.',
};

function HowOften() {
  const { resetField, setValue, getValues } = useFormContext<Settings>();
  const { field, fieldState } = useController<Settings, 'repeat'>({ name: 'repeat' });
  const { value } = field;

  function choose(repeat: string) {
    field.onChange(repeat);
    // An input that is hidden must not be wrong.
    if (repeat !== 'days') for (const name of ['every_x_days', 'stop_after_days'] as const) resetField(name);
    const days = getValues('delay_days') ?? 0;
    if (repeat !== 'yearly' && days < 0) setValue('delay_days', -days, { shouldDirty: true });
  }

  return (
    <Field label="How often?" hint={HINTS[value]} error={fieldState.error?.message}>
      <Select
        {...field}
        options={optionsOf({ ...(value === '' && { '': 'Select how often' }), ...HOW_OFTEN })}
        onChange={({ target }) => choose(target.value)}
      />
    </Field>
  );
}

const SIDES = optionsOf({ after: 'After the anniversary', before: 'Before the anniversary' });

function AnniversaryDelay() {
  const { field, fieldState } = useController<Settings, 'delay_days'>({ name: 'delay_days' });
  const { value, onChange } = field;
  const [side, setSide] = useState(Number(value) < 0 ? 'before' : 'after');
  const isBefore = side === 'before';
  const signed = (days: number, to: boolean) => (to && days !== 0 ? -Math.abs(days) : Math.abs(days));
  return (
    <>
      <Field
        label={isBefore ? 'Days before' : 'Days after'}
        hint={`0 is the day itself; at most ${isBefore ? MOST_BEFORE : MOST_AFTER}.`}
        error={fieldState.error?.message}
      >
        <Input
          {...field}
          type="number"
          inputMode="numeric"
          min={0}
          autoComplete="off"
          value={Number.isNaN(value) ? '' : Math.abs(value ?? 0)}
          onChange={({ target }) =>
            onChange(signed(target.value === '' ? Number.NaN : Number(target.value), isBefore))
          }
        />
      </Field>
      <Field label="Before or after">
        <Select
          options={SIDES}
          value={side}
          onChange={({ target }) => {
            setSide(target.value);
            onChange(signed(Math.abs(value ?? 0), target.value === 'before'));
          }}
        />
      </Field>
    </>
  );
}

/** Keeps its height while the input is not a valid schedule. */
function Sentence({ onlyWhenAdded, automation, hasContent }: Props) {
  const settings = useFormContext<Settings>().watch();
  const zone = useSendingHours(settings)?.time_zone;
  // The sentence stays while a condition is incomplete.
  const draft = draftOf({ ...settings, audience: null });
  const { starts_at, metadata_trigger } = settings;
  const isUnchosen = metadata_trigger === '' && starts_at !== 'added' && !onlyWhenAdded;
  const chosen = metadata_trigger || null;
  const emails = useNextMonth(isUnchosen ? undefined : draftOf(settings), automation);
  return (
    <Box minHeight={{ base: '78px', sm: '58px' }} mt="2" overflowWrap="anywhere">
      {!draft && (
        <Text color="fg.muted" fontSize="xs">
          What one person gets stands here once the schedule is complete.
        </Text>
      )}
      {draft && (
        <Notice tone={neverSends(draft) ? 'warning' : 'info'}>
          {scheduleSentence(
            draft,
            isUnchosen ? (starts_at === 'event' ? 'the event' : 'the trigger date') : chosen,
            zone,
          )}
          {emails && ` In the next 30 days: ${emails}${hasContent ? '' : ', once it has content'}.`}
        </Notice>
      )}
    </Box>
  );
}

/** How many emails all of them get; undefined while that is not known. */
function useNextMonth(draft: NewAutomation | undefined, automation: string | undefined): string | undefined {
  const { data } = useQuestion(
    'POST /api/automations/forecast',
    draft && draft.email_list_ids.length > 0
      ? { body: draft, query: { automation }, isRefusalExpected: true }
      : undefined,
  );
  if (!data) return undefined;
  const precision = data.counted_share < 1 ? 'at least ' : data.sampled ? 'about ' : '';
  return `${precision}${plural(data.total_count, 'email')}`;
}

/** The input as it would be saved, whatever its name; undefined if it is not valid. */
export const draftOf = (settings: Settings): NewAutomation | undefined =>
  schemaWith().safeParse({ ...settings, name: 'draft' }).data;
