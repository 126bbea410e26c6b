import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type { SendTimes, Weekday, ZoneOf } from '#shared/schedule.ts';
import { type QuietHours, quietMinutes, type SendingHours } from '#shared/sending-hours.ts';
import { minutesOf } from '#shared/time-zone.ts';
import { Field, FieldGrid } from '#web/components/field.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { TimeInput } from '#web/components/time-input.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import type { Settings } from './automation-settings.ts';
import { clockText } from './hours-and-minutes.tsx';
import { hasDaysOff, WEEKEND } from './schedule-texts.ts';

const OtherDays = onDemand(() => import('./other-days.tsx'), <Loading shape={[140]} />);

/** The suggested time: one at which people read. */
const FIRST_TIME = '09:00';

const AT_DATE = 'date';
const FIXED = 'fixed';
const TIMES = optionsOf({ [AT_DATE]: 'At the time of the date it starts at', [FIXED]: 'At a fixed time' });

const DAYS_CHOICES = { none: 'None', weekends: 'Weekends', other: 'Other days' };
type DaysChoice = keyof typeof DAYS_CHOICES;

const goesByZone = (times: SendTimes) => times.send_at !== null || hasDaysOff(times);

export const useSendingHours = (times: SendTimes) =>
  useOrganizationData(goesByZone(times) ? 'GET /api/sending-hours' : undefined).data;

/** At which time and on which days the emails are sent. While all is default, it is one line. */
export function SendTimesFields({ datesToo = true }: { datesToo?: boolean }) {
  const times = useFormContext<Settings>().watch();
  const hours = useSendingHours(times);
  const [choice, setChoice] = useState<DaysChoice>(() => choiceOf(times));
  const isFixed = times.send_at !== null;
  return (
    <Box mt="4">
      <FieldGrid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }}>
        <TimeChoice />
        <DaysField choice={choice} onChoose={setChoice} />
        {isFixed && <Time hours={hours} />}
        {goesByZone(times) && <ZoneField hours={hours} />}
      </FieldGrid>
      {choice === 'other' && <OtherDays datesToo={datesToo} />}
    </Box>
  );
}

function TimeChoice() {
  const { setValue, watch } = useFormContext<Settings>();
  const isFixed = watch('send_at') !== null;
  const zoneOf = watch('time_zone_of');

  function choose(choice: string) {
    setValue('send_at', choice === FIXED ? FIRST_TIME : null, { shouldDirty: true });
    if (choice === FIXED) setValue('delay_minutes', 0, { shouldDirty: true, shouldValidate: true });
    // Only a fixed time can be in the time zone of each member.
    if (choice !== FIXED && zoneOf === 'member') {
      setValue('time_zone_of', 'organization', { shouldDirty: true, shouldValidate: true });
    }
  }

  return (
    <Field label="Time of day">
      <Select
        options={TIMES}
        value={isFixed ? FIXED : AT_DATE}
        onChange={({ target }) => choose(target.value)}
      />
    </Field>
  );
}

function Time({ hours }: { hours: SendingHours | undefined }) {
  const { field, fieldState } = useController<Settings, 'send_at'>({ name: 'send_at' });
  const times = useFormContext<Settings>().watch();
  return (
    <Field
      label="Send at"
      hint="A date without a time means that day in this time zone."
      error={fieldState.error?.message}
      warning={hours && quietText(times, hours)}
    >
      <TimeInput {...field} value={field.value ?? ''} />
    </Field>
  );
}

/** When emails are sent whose fixed time is within quiet hours. */
function quietText(times: SendTimes, { quiet_hours }: SendingHours): string | undefined {
  const end = times.send_at ? endOfQuiet(times.send_at, quiet_hours) : undefined;
  if (!end) return undefined;
  const day = !end.nextDay ? '' : hasDaysOff(times) ? ' on the next day that is not off' : ' on the next day';
  const go = `go at ${end.time}${day}`;
  return times.time_zone_of === 'organization'
    ? `This lies in the quiet hours of the organization: the emails ${go}.`
    : `In the time zone of the organization this lies in its quiet hours: emails there ${go}.`;
}

const DAY = 24 * 60;

/** When an email is sent that falls due within quiet hours; undefined if a time is not within them. */
export function endOfQuiet(
  time: string,
  hours: QuietHours[],
): { time: string; nextDay: boolean } | undefined {
  const quiet = quietMinutes(hours);
  const start = minutesOf(time);
  if (Number.isNaN(start)) return undefined;
  let end = start;
  while (quiet[end % DAY] && end < start + DAY) end++;
  return end === start || end === start + DAY
    ? undefined
    : { time: clockText(end % DAY), nextDay: end >= DAY };
}

function ZoneField({ hours }: { hours: SendingHours | undefined }) {
  const { field, fieldState } = useController<Settings, 'time_zone_of'>({ name: 'time_zone_of' });
  const isFixed = useWatch<Settings, 'send_at'>({ name: 'send_at' }) !== null;
  const zone = hours?.time_zone;
  return (
    <Field label="Time zone" hint={zoneHint(field.value, zone)} error={fieldState.error?.message}>
      <Select
        {...field}
        options={[
          { value: 'organization', label: `Of the organization${zone ? `: ${zone}` : ''}` },
          { value: 'list', label: 'Of each list' },
          ...(isFixed ? [{ value: 'member', label: 'Of each member' }] : []),
        ]}
      />
    </Field>
  );
}

function zoneHint(of: ZoneOf, zone: string | undefined): string {
  const organization = `that of the organization${zone ? `, ${zone}` : ''}`;
  if (of === 'organization') return 'It is set on the page Safeguards.';
  if (of === 'list') return `A list without one goes by ${organization}.`;
  return `The first metadata column, by name, with a time zone such as Europe/Berlin. Members without one go by that of their list, else ${organization}.`;
}

const isWeekend = (days: readonly Weekday[]) =>
  days.length === WEEKEND.length && WEEKEND.every(day => days.includes(day));

function choiceOf({ days_off, dates_off }: SendTimes): DaysChoice {
  if (days_off.length + dates_off.length === 0) return 'none';
  return isWeekend(days_off) && dates_off.length === 0 ? 'weekends' : 'other';
}

function DaysField({ choice, onChoose }: { choice: DaysChoice; onChoose: (choice: DaysChoice) => void }) {
  const { setValue } = useFormContext<Settings>();

  function choose(next: DaysChoice) {
    onChoose(next);
    if (next === 'other') return;
    setValue('days_off', next === 'weekends' ? [...WEEKEND] : [], {
      shouldDirty: true,
      shouldValidate: true,
    });
    setValue('dates_off', [], { shouldDirty: true, shouldValidate: true });
  }

  return (
    <Field
      label="Days off"
      hint={
        choice !== 'none' &&
        'An email that is due then goes on the next other day; of several only the newest.'
      }
    >
      <Select
        options={optionsOf(DAYS_CHOICES)}
        value={choice}
        onChange={({ target }) => choose(target.value as DaysChoice)}
      />
    </Field>
  );
}
