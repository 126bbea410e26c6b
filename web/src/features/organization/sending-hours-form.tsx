import { Box, Flex, Grid, VisuallyHidden } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useController, useFieldArray, useFormContext, useFormState } from 'react-hook-form';
import type * as z from 'zod/mini';
import { MOST_QUIET_HOURS, type SendingHours, SendingHoursChange } from '#shared/sending-hours.ts';
import { readTimeZone, UTC } from '#shared/time-zone.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { TimeInput } from '#web/components/time-input.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { ZoneField } from '#web/components/zone-field.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { useMay } from '#web/lib/organization.ts';
import { ownZone } from '#web/lib/zones.ts';
import { SavedNote, useSavedNote } from './saved-note.tsx';

type Values = Required<z.input<typeof SendingHoursChange>>;

/** The suggested quiet hours. */
const FIRST_HOURS = { from: '22:00', until: '07:00' };

type Props = { settings: SendingHours; onSaved: (settings: SendingHours) => void };

/** The time zone and the quiet hours of the organization, read-only for users who may not change them. */
export default function SendingHoursForm({ settings, onSaved }: Props) {
  const change = useOrganizationChange();
  const saved = useSavedNote();
  const mayEdit = useMay()('safeguards:edit');
  return (
    <Form
      schema={SendingHoursChange}
      initial={settings}
      save={(_, changed) => change('PUT /api/sending-hours', { body: changed })}
      onSaved={hours => {
        onSaved(hours);
        saved.show();
      }}
      failure="Failed to save quiet hours"
    >
      <Zone disabled={!mayEdit} />
      <QuietHoursFields disabled={!mayEdit} />
      {mayEdit && (
        <FormActions note={saved.isShown && <SavedNote>Saved. It holds within two minutes.</SavedNote>}>
          <SubmitButton loadingText="Saving...">Save quiet hours</SubmitButton>
        </FormActions>
      )}
    </Form>
  );
}

function Zone({ disabled }: { disabled: boolean }) {
  const { setValue, watch } = useFormContext<Values>();
  const own = readTimeZone(ownZone()) ?? UTC;
  return (
    <ZoneField
      name="time_zone"
      label="Time zone of the organization"
      hint="Quiet hours are in this time zone, and so are the fixed times of automations that go by it."
      disabled={disabled}
      aside={
        !disabled &&
        watch('time_zone') !== own && (
          <Button
            variant="ghost"
            height="5"
            onClick={() => setValue('time_zone', own, { shouldDirty: true, shouldValidate: true })}
          >
            Use mine ({own})
          </Button>
        )
      }
    />
  );
}

function QuietHoursFields({ disabled }: { disabled: boolean }) {
  const { errors } = useFormState<Values>();
  const { fields, append, remove } = useFieldArray<Values, 'quiet_hours'>({ name: 'quiet_hours' });
  const kept = useKeptFocus(frame => frame.querySelector<HTMLElement>('[data-adds]'));
  const error = errors.quiet_hours?.root?.message ?? errors.quiet_hours?.message;
  return (
    <Box as="fieldset" minWidth="0" mt="4" aria-label="Quiet hours" {...kept}>
      <Box as="legend" mb="1" fontSize="sm" fontWeight="medium">
        Quiet hours
      </Box>
      {fields.length === 0 && (
        <Box color="fg.muted" fontSize="sm">
          None: emails go at any hour.
        </Box>
      )}
      {fields.map(({ id }, index) => (
        <Row key={id} index={index} disabled={disabled} onRemove={() => remove(index)} />
      ))}
      <Box role="alert" minHeight="5" color="fg.error" fontSize="sm" lineHeight="20px">
        {error}
      </Box>
      {!disabled && (
        <Button
          data-adds
          disabled={fields.length >= MOST_QUIET_HOURS}
          onClick={() => append(fields.length > 0 ? { from: '', until: '' } : FIRST_HOURS)}
        >
          Add quiet hours
        </Button>
      )}
    </Box>
  );
}

type Names = `quiet_hours.${number}.${'from' | 'until'}`;

function Time({ name }: { name: Names }) {
  const { field } = useController<Values, Names>({ name });
  const { disabled: _, ...rest } = field;
  return <TimeInput {...rest} />;
}

type RowProps = { index: number; disabled: boolean; onRemove: () => void };

function Row({ index, disabled, onRemove }: RowProps) {
  const { getFieldState, formState } = useFormContext<Values>();
  const time = (label: string, end: 'from' | 'until') => {
    const name = `quiet_hours.${index}.${end}` as const;
    return (
      <Field label={label} error={getFieldState(name, formState).error?.message} disabled={disabled}>
        <Time name={name} />
      </Field>
    );
  };
  return (
    <Grid as="fieldset" mt="1" templateColumns="minmax(0, 1fr) minmax(0, 1fr) auto" columnGap="2">
      <VisuallyHidden as="legend">{`Quiet hours ${index + 1}`}</VisuallyHidden>
      <div>{time('From', 'from')}</div>
      <div>{time('Until', 'until')}</div>
      {!disabled && (
        <Flex mt="6" alignItems="flex-start">
          <IconButton label={`Remove quiet hours ${index + 1}`} onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        </Flex>
      )}
    </Grid>
  );
}
