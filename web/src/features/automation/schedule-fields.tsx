import { Box } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import { neverSends, type SendTimes } from '#shared/schedule.ts';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Notice } from '#web/components/notice.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';
import { type Settings, WHEN_ADDED } from './automation-settings.ts';
import { hasDaysOff, type ScheduleDays, sendTimesText } from './schedule-texts.ts';
import { SendTimesFields, useSendingHours } from './send-times-fields.tsx';

const { NumberField } = fieldsOf<Settings>();

type Props = {
  /** The chosen lists have no column with dates. */
  onlyWhenAdded: boolean;
};

export const ScheduleFields = (props: Props) => (
  <>
    <Box
      display="grid"
      gridTemplateColumns="repeat(auto-fill, minmax(min(180px, 100%), 1fr))"
      columnGap="4"
      rowGap="2"
      mt="2"
    >
      <Box>
        <NumberField name="every_x_days" label="Run every X days" min={1} />
      </Box>
      <Box>
        <NumberField name="delay_days" label="Start after X days" min={0} hint="0 starts immediately." />
      </Box>
      <Box>
        <NumberField
          name="stop_after_days"
          label="Stop sending after X days"
          min={0}
          placeholder="No limit"
          hint="Counted from the trigger, too."
        />
      </Box>
    </Box>
    <SendTimesFields />
    <Sentence {...props} />
  </>
);

/** Keeps its height while the input is not a valid schedule. */
function Sentence({ onlyWhenAdded }: Props) {
  const settings = useFormContext<Settings>().watch();
  const zone = useSendingHours(settings)?.time_zone;
  const schedule = enteredSchedule(settings);
  const chosen = settings.metadata_trigger || (onlyWhenAdded ? WHEN_ADDED : 'the trigger date');
  const trigger = chosen === WHEN_ADDED ? 'the moment the member was added' : chosen;
  return (
    <Box minHeight={{ base: '78px', sm: '58px' }} mt="2" overflowWrap="anywhere">
      {schedule && (
        <Notice tone={neverSends(schedule) ? 'warning' : 'info'}>
          {scheduleSentence(schedule, trigger, zone)}
        </Notice>
      )}
    </Box>
  );
}

type Kept = keyof SendTimes | 'repeat' | 'delay_minutes';
type EnteredDays = Pick<ScheduleDays, Kept> & { [Field in Exclude<keyof ScheduleDays, Kept>]?: unknown };

const isCount = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && (value as number) >= least;

/** The schedule from the input; undefined if it is not valid. */
export function enteredSchedule({
  every_x_days,
  delay_days,
  stop_after_days,
  ...times
}: EnteredDays): ScheduleDays | undefined {
  if (!isCount(every_x_days, 1) || !isCount(delay_days, 0)) return undefined;
  if (stop_after_days !== null && !isCount(stop_after_days, 0)) return undefined;
  return { ...times, every_x_days, delay_days, stop_after_days };
}

/** A schedule in words; `trigger` is what it is counted from, `zone` the time zone of the organization. */
export function scheduleSentence(schedule: ScheduleDays, trigger: string, zone?: string): string {
  const { every_x_days: every, delay_days: delay, stop_after_days: stop, send_at } = schedule;
  if (neverSends(schedule)) return 'No email is ever sent: sending stops before it starts.';
  const times = sendTimesText(schedule, zone);
  const timed = times ? `, ${times}` : '';
  // With a fixed time, the schedule starts at the first such time from the date on.
  const start =
    delay > 0 ? `${plural(delay, 'day')} after ${trigger}` : `${send_at ? 'on or after' : 'at'} ${trigger}`;
  const repeats = `First email ${start}, then every ${every === 1 ? 'day' : plural(every, 'day')}${timed}`;
  if (stop === null) return `${repeats}, without end.`;
  const repetitions = Math.floor((stop - delay) / every);
  if (repetitions === 0) return `One email ${start}${timed}.`;
  const last = delay + repetitions * every;
  const end = last < stop ? `, the last one after ${plural(last, 'day')}` : '';
  // If several emails move to the same day, only the newest is sent.
  const most = hasDaysOff(schedule) ? 'at most ' : '';
  return `${repeats}, until ${plural(stop, 'day')} after: ${most}${formatNumber(repetitions + 1)} emails${end}.`;
}
