import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useFormContext, useFormState } from 'react-hook-form';
import * as z from 'zod/mini';
import { type Safeguards, SafeguardsChange, WINDOWS } from '../../../../shared/safeguards.ts';
import { Form, FormActions, SubmitButton } from '../../components/form.tsx';
import { fieldsOf } from '../../components/form-fields.ts';
import { ToneIcon } from '../../components/notice.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { formatNumber } from '../../lib/format.ts';
import { useMay } from '../../lib/use-may.ts';

const { CheckboxField, NumberField } = fieldsOf<Safeguards>();

const BANNER_DURATION = 3000;

type Props = { settings: Safeguards; onSaved: (settings: Safeguards) => void };

/** The limits; who may not change them reads them. */
export default function SafeguardsForm({ settings, onSaved }: Props) {
  const call = useOrganizationCall();
  const [savedAt, setSavedAt] = useState<number>();
  const mayEdit = useMay()('safeguards:edit');

  useEffect(() => {
    if (savedAt === undefined) return;
    const timer = setTimeout(() => setSavedAt(undefined), BANNER_DURATION);
    return () => clearTimeout(timer);
  }, [savedAt]);

  return (
    <Form
      schema={Shape}
      initial={settings}
      save={body => call('PUT /api/safeguards', { body })}
      onSaved={saved => {
        onSaved(saved);
        setSavedAt(Date.now());
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
      {mayEdit ? (
        <FormActions note={savedAt !== undefined && <Saved />}>
          <SubmitButton loadingText="Saving...">Save Settings</SubmitButton>
        </FormActions>
      ) : (
        <Box mt="4" color="fg.muted" fontSize="sm">
          Only the owner and the admins of the organization can change these settings.
        </Box>
      )}
    </Form>
  );
}

/** While the limits are disabled, a number that is not valid is no reason to refuse that, and stays as it was stored. */
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

/** Which limit of a longer window is reached before this one. */
function ruledBy(field: (typeof WINDOWS)[number]['field'], limits: Safeguards): string | undefined {
  const longer = WINDOWS.slice(WINDOWS.findIndex(window => window.field === field) + 1);
  const lower = longer.filter(
    window => isValid(window.field, limits[window.field]) && limits[window.field] < limits[field],
  );
  const [lowest] = lower.toSorted((a, b) => limits[a.field] - limits[b.field]);
  return lowest && `Without effect: at most ${formatNumber(limits[lowest.field])} in ${lowest.label}.`;
}

/** With the next change it is true no more. */
const Saved = () =>
  !useFormState().isDirty && (
    <Flex gap="1.5" _icon={{ width: '4', height: '5' }}>
      <ToneIcon tone="success" />
      Settings saved successfully!
    </Flex>
  );
