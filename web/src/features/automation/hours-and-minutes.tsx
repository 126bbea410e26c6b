import { useController } from 'react-hook-form';
import { minutesOf } from '#shared/time-zone.ts';
import { Field } from '#web/components/field.tsx';
import { TimeInput } from '#web/components/time-input.tsx';
import type { Settings } from './automation-settings.ts';

export const clockText = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map(part => String(part).padStart(2, '0')).join(':');

/** The part of a delay that is less than a day. */
export function HoursAndMinutes() {
  const { field, fieldState } = useController<Settings, 'delay_minutes'>({ name: 'delay_minutes' });
  const { value = 0 } = field;
  return (
    <Field
      label="Hours and minutes after"
      hint="02:30 is two and a half hours."
      error={fieldState.error && 'Enter hours and minutes from 00:00 to 23:59'}
    >
      <TimeInput
        {...field}
        value={Number.isNaN(value) ? '' : clockText(value)}
        onChange={text => field.onChange(/^\d\d:\d\d$/.test(text) ? minutesOf(text) : Number.NaN)}
      />
    </Field>
  );
}
