import { Box } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { type Safeguards, SafeguardsChange, WINDOWS } from '#shared/safeguards.ts';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { SavedNote, useSavedNote } from './saved-note.tsx';

const { CheckboxField, NumberField } = fieldsOf<Safeguards>();

type Props = { settings: Safeguards; onSaved: (settings: Safeguards) => void };

/** The limits, read-only for users who may not change them. */
export default function SafeguardsForm({ settings, onSaved }: Props) {
  const call = useOrganizationCall();
  const saved = useSavedNote();
  const mayEdit = useMay()('safeguards:edit');

  return (
    <Form
      schema={Shape}
      initial={settings}
      save={body => call('PUT /api/safeguards', { body })}
      onSaved={limits => {
        onSaved(limits);
        saved.show();
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
      {mayEdit && (
        <FormActions note={saved.isShown && <SavedNote>Settings saved successfully!</SavedNote>}>
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
    const valid = Object.entries(values).filter(([field, value]) =>
      isValid(field as keyof Safeguards, value),
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

/** The limit of a longer window that is always reached before this one. */
function ruledBy(field: (typeof WINDOWS)[number]['field'], limits: Safeguards): string | undefined {
  const longer = WINDOWS.slice(WINDOWS.findIndex(window => window.field === field) + 1);
  const lower = longer.filter(
    window => isValid(window.field, limits[window.field]) && limits[window.field] < limits[field],
  );
  const [lowest] = lower.toSorted((a, b) => limits[a.field] - limits[b.field]);
  return lowest && `Without effect: at most ${formatNumber(limits[lowest.field])} in ${lowest.label}.`;
}
