import { Box, Flex, Input, Textarea } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import type * as z from 'zod/mini';
import { PARTS } from '#shared/email/content.ts';
import { LANGUAGES } from '#shared/email/language.ts';
import type { EmailTemplate, NewEmailTemplate } from '#shared/email-template.ts';
import { Button } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { fieldsOf } from '#web/components/form-fields.ts';
import { Select } from '#web/components/select.tsx';
import { AutomationsField } from '#web/entities/email/automations-field.tsx';
import { CONTENT_FIELDS, ContentFields } from '#web/entities/email/content-fields.tsx';
import { PART_TEXTS } from '#web/entities/email/part-texts.ts';
import { PlaceholderHelp } from '#web/entities/email/placeholder-help.tsx';
import { useLinkableAutomations } from '#web/entities/email-template/email-template.ts';

type Values = z.input<typeof NewEmailTemplate>;
const { TextField, SelectField, CheckboxField } = fieldsOf<Values>();

const LANGUAGE_OPTIONS = Object.entries(LANGUAGES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label));

type Props = {
  /** A template whose content cannot be changed any more. */
  locked?: EmailTemplate;
  autoFocus?: boolean;
};

export const TemplateFields = ({ locked, autoFocus = false }: Props) => (
  <>
    {!locked && <Example />}
    <TextField name="name" label="Template Name" autoComplete="off" autoFocus={autoFocus} />
    {locked ? (
      <LockedContent template={locked} />
    ) : (
      <>
        <SelectField name="language_code" label="Language" options={LANGUAGE_OPTIONS} />
        <PlaceholderHelp />
        <ContentFields />
      </>
    )}
    <CheckboxField name="is_active" hint="Inactive templates are not available in automations.">
      Active
    </CheckboxField>
    <LinkedField />
  </>
);

/** An example for a first email. The user has to add the address of the button. */
const EXAMPLE = {
  name: 'Welcome',
  subject_line: "Welcome, {{first_name | 'friend'}}",
  preheader: 'Good to have you with us.',
  pre_cta_content:
    "Hello {{first_name | 'there'}},\n\nthank you for joining us. Here is how to begin: it takes *a few minutes*.",
  cta_text: 'Get started',
} as const;

/** A button that fills in the example, unless there is content already, as in a copy. */
function Example() {
  const { getValues, setValue, setFocus, formState } = useFormContext<Values>();
  if (formState.defaultValues?.subject_line) return null;

  function fillIn() {
    for (const field of Object.keys(EXAMPLE) as (keyof typeof EXAMPLE)[]) {
      if (!getValues(field)) setValue(field, EXAMPLE[field], { shouldDirty: true });
    }
    // The only field that the example leaves empty.
    setFocus('cta_url');
  }

  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" mb="4">
      <Button onClick={fillIn}>Fill in an example</Button>
      <Box color="fg.muted" fontSize="sm">
        It greets each member by name.
      </Box>
    </Flex>
  );
}

const LockedContent = ({ template }: { template: EmailTemplate }) => (
  <>
    <Field label="Language" disabled>
      <Select value={template.language_code} options={LANGUAGE_OPTIONS} />
    </Field>
    {CONTENT_FIELDS.map(({ part, rows }) => {
      const value = template[part] ?? '';
      return (
        <Field key={part} label={PARTS[part]} explained={PART_TEXTS[part]} disabled>
          {rows ? <Textarea value={value} rows={rows} dir="auto" /> : <Input value={value} dir="auto" />}
        </Field>
      );
    })}
  </>
);

function LinkedField() {
  const { data, error, mutate } = useLinkableAutomations();
  return (
    <Box mt="4">
      <AutomationsField label="Link to Automations" options={data} problem={error} onRetry={mutate} />
    </Box>
  );
}
