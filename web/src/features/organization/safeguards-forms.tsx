import { Box, Flex, VisuallyHidden } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useController, useFieldArray, useFormContext, useFormState } from 'react-hook-form';
import * as z from 'zod/mini';
import { PAUSE_AT_PERCENT } from '#shared/guard.ts';
import { Holdout } from '#shared/holdout.ts';
import { ORDERS, type Safeguards, SafeguardsChange, WINDOWS } from '#shared/safeguards.ts';
import { MOST_QUIET_HOURS, type SendingHours, SendingHoursChange } from '#shared/sending-hours.ts';
import { readTimeZone, UTC } from '#shared/time-zone.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { Field, FieldGrid } from '#web/components/field.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { ToneIcon } from '#web/components/notice.tsx';
import { TimeInput } from '#web/components/time-input.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { ZoneField } from '#web/components/zone-field.tsx';
import { settingText } from '#web/entities/record/record-texts.ts';
import { useOrganizationChange } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { useElapsed } from '#web/lib/timers.ts';
import { ownZone } from '#web/lib/zones.ts';

const { CheckboxField, NumberField, SelectField } = fieldsOf<Safeguards>();

const ORDER_OPTIONS = ORDERS.map(value => ({ value, label: settingText('order', value) }));

type Props<Settings> = { settings: Settings; onSaved: (settings: Settings) => void };

/** The limits, read-only for users who may not change them. */
export function SafeguardsForm({ settings, onSaved }: Props<Safeguards>) {
  const change = useOrganizationChange();
  const [note, saved] = useSavedNote('Settings saved successfully!');
  const may = useMay();
  const mayEdit = may('safeguards:edit');

  return (
    <Form
      schema={Shape}
      initial={settings}
      save={body => change('PUT /api/safeguards', { body })}
      onSaved={limits => {
        onSaved(limits);
        saved();
      }}
      failure="Failed to save settings"
    >
      <CheckboxField
        name="enabled"
        hint="When enabled, email sending limits will be enforced. Disable to remove all limits."
        disabled={!mayEdit}
      >
        Enable safeguards
      </CheckboxField>
      <Limits disabled={!mayEdit} />
      <Box mt="4">
        <SelectField
          name="order"
          label="Which email comes first"
          options={ORDER_OPTIONS}
          hint="If a limit leaves room for only one of several emails that are due in the same minute. What earns most is ranked before each day, at 0:00 UTC: by value, or by clicks if no value is reported."
          disabled={!mayEdit}
        />
      </Box>
      <GuardFields disabled={!may('guard:edit')} />
      {mayEdit && (
        <FormActions note={note}>
          <SubmitButton loadingText="Saving...">Save Settings</SubmitButton>
        </FormActions>
      )}
    </Form>
  );
}

/** While the limits are disabled, an invalid number does not prevent saving, and the stored one is kept. */
const Shape = z.pipe(
  z.transform((values: Safeguards): SafeguardsChange => {
    if (values.enabled) return values;
    const valid = Object.entries(values).filter(
      ([field, value]) => field === 'pause_at_percent' || isValid(field as keyof Safeguards, value),
    );
    return Object.fromEntries(valid);
  }),
  SafeguardsChange,
);
const isValid = (field: keyof Safeguards, value: unknown) =>
  SafeguardsChange.shape[field].safeParse(value).success;

function Limits({ disabled }: { disabled: boolean }) {
  const limits = useFormContext<Safeguards>().watch();
  const isEnabled = limits.enabled;
  return (
    <Box
      display="grid"
      gridTemplateColumns="repeat(auto-fill, minmax(min(200px, 100%), 1fr))"
      columnGap="4"
      rowGap="2"
      mt="4"
    >
      {WINDOWS.map(({ field, label, initial }) => (
        <Box key={field}>
          <NumberField
            name={field}
            label={`Max emails in ${label}`}
            hint={isEnabled && ruledBy(field, limits)}
            min={1}
            placeholder={String(initial)}
            whenEmpty={initial}
            disabled={disabled || !isEnabled}
          />
        </Box>
      ))}
    </Box>
  );
}

const GUARDED = [
  ['complained', 'Complaints (%)'],
  ['bounced', 'Hard bounces (%)'],
] as const;

function GuardFields({ disabled }: { disabled: boolean }) {
  return (
    <Box as="fieldset" minWidth="0" mt="4">
      <Box as="legend" fontSize="sm" fontWeight="medium">
        <WithHelpTip word="Pause an automation when a day’s emails reach">
          {['The guard pauses what bounces or is reported as spam too often.', 'the-guard']}
        </WithHelpTip>
      </Box>
      <Box mt="1" mb="3" color="fg.muted" fontSize="xs">
        Warnings and the limits of an hour follow these. Only the owner can change them.
      </Box>
      <FieldGrid gridTemplateColumns="repeat(auto-fill, minmax(min(200px, 100%), 1fr))">
        {GUARDED.map(([kind, label]) => (
          <NumberField
            key={kind}
            name={`pause_at_percent.${kind}`}
            label={label}
            hint={`At most ${PAUSE_AT_PERCENT[kind]}`}
            min={0}
            step="any"
            whenEmpty={PAUSE_AT_PERCENT[kind]}
            disabled={disabled}
          />
        ))}
      </FieldGrid>
    </Box>
  );
}

/** The limit of a longer window that is always reached before this one. */
function ruledBy(field: (typeof WINDOWS)[number]['field'], limits: Safeguards): string | undefined {
  const longer = WINDOWS.slice(WINDOWS.findIndex(window => window.field === field) + 1);
  const lower = longer.filter(
    window => isValid(window.field, limits[window.field]) && limits[window.field] < limits[field],
  );
  const [lowest] = lower.toSorted((a, b) => limits[a.field] - limits[b.field]);
  return lowest && `Without effect: at most ${formatNumber(limits[lowest.field])} in ${lowest.label}.`;
}

const OfHoldout = fieldsOf<Holdout>();

/** Read-only for users who may not change it. */
export function HoldoutForm({ settings, onSaved }: Props<Holdout>) {
  const change = useOrganizationChange();
  const mayEdit = useMay()('safeguards:edit');
  const [note, saved] = useSavedNote('Holdout saved.');
  return (
    <Form
      schema={Holdout}
      initial={settings}
      save={body => change('PUT /api/holdout', { body })}
      onSaved={holdout => {
        onSaved(holdout);
        saved();
      }}
      failure="Failed to save the holdout"
    >
      <OfHoldout.NumberField
        name="percent"
        label="Held out, in percent of people"
        hint="From 0, which holds out nobody, to 50."
        min={0}
        whenEmpty={0}
        disabled={!mayEdit}
      />
      {mayEdit && (
        <FormActions note={note}>
          <SubmitButton loadingText="Saving...">Save holdout</SubmitButton>
        </FormActions>
      )}
    </Form>
  );
}

type Values = Required<z.input<typeof SendingHoursChange>>;

const FIRST_HOURS = { from: '22:00', until: '07:00' };

/** The time zone and the quiet hours of the organization, read-only for users who may not change them. */
export function SendingHoursForm({ settings, onSaved }: Props<SendingHours>) {
  const change = useOrganizationChange();
  const [note, saved] = useSavedNote('Saved. It holds within two minutes.');
  const mayEdit = useMay()('safeguards:edit');
  return (
    <Form
      schema={SendingHoursChange}
      initial={settings}
      save={(_, changed) => change('PUT /api/sending-hours', { body: changed })}
      onSaved={hours => {
        onSaved(hours);
        saved();
      }}
      failure="Failed to save quiet hours"
    >
      <Zone disabled={!mayEdit} />
      <QuietHoursFields disabled={!mayEdit} />
      {mayEdit && (
        <FormActions note={note}>
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

function Row({ index, disabled, onRemove }: { index: number; disabled: boolean; onRemove: () => void }) {
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
    <FieldGrid as="fieldset" mt="1" templateColumns="minmax(0, 1fr) minmax(0, 1fr) auto" columnGap="2">
      <VisuallyHidden as="legend">{`Quiet hours ${index + 1}`}</VisuallyHidden>
      {time('From', 'from')}
      {time('Until', 'until')}
      {!disabled && (
        <Flex mt="6" alignItems="flex-start">
          <IconButton label={`Remove quiet hours ${index + 1}`} onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        </Flex>
      )}
    </FieldGrid>
  );
}

/** What a form says after it was saved, and what begins it anew. */
function useSavedNote(text: string) {
  const [saves, setSaves] = useState(0);
  return [saves > 0 && <SavedNote key={saves}>{text}</SavedNote>, () => setSaves(saves + 1)] as const;
}

const SAVED_NOTE_MS = 3000;

/** Hidden after a while, and after the next change of the form. */
function SavedNote({ children }: { children: ReactNode }) {
  const isOver = useElapsed(SAVED_NOTE_MS);
  const { isDirty } = useFormState();
  if (isOver || isDirty) return null;
  return (
    <Flex gap="1.5" color="fg" fontSize="sm" _icon={{ width: '4', height: '5' }}>
      <ToneIcon tone="success" />
      {children}
    </Flex>
  );
}
