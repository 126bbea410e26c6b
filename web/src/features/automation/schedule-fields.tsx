import { Box } from '@chakra-ui/react';
import { useFormContext, useWatch } from 'react-hook-form';
import { neverSends } from '../../../../shared/automation.ts';
import { Notice } from '../../components/notice.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { type Settings, WHEN_ADDED } from './automation-settings.ts';
import { enteredSchedule, scheduleSentence } from './schedule-sentence.ts';

/** When an automation sends, in numbers and in words. */
export const ScheduleFields = () => (
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
    <Sentence />
  </>
);

const triggerName = (chosen: string) =>
  chosen === WHEN_ADDED ? 'the moment the member was added' : chosen || 'the trigger';

/** It has its room while what is entered is no schedule. */
function Sentence() {
  const { control } = useFormContext<Settings>();
  const settings = useWatch({ control }) as Settings;
  const schedule = enteredSchedule(settings as Parameters<typeof enteredSchedule>[0]);
  return (
    <Box minHeight={{ base: '78px', sm: '58px' }} overflowWrap="anywhere" aria-live="polite">
      {schedule && (
        <Notice tone={neverSends(schedule) ? 'warning' : 'info'}>
          {scheduleSentence(schedule, triggerName(settings.metadata_trigger))}
        </Notice>
      )}
    </Box>
  );
}
