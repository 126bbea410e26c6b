import { Box } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import { neverSends } from '#shared/schedule.ts';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Notice } from '#web/components/notice.tsx';
import { type Settings, WHEN_ADDED } from './automation-settings.ts';
import { enteredSchedule, scheduleSentence } from './schedule-sentence.ts';
import { SendTimesFields, useSendingHours } from './send-times-fields.tsx';

const { NumberField } = fieldsOf<Settings>();

type Props = {
  /** The chosen lists have no column with dates. */
  onlyWhenAdded: boolean;
};

/** When an automation sends, in numbers and in words. */
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
