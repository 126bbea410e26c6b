import { Box } from '@chakra-ui/react';
import * as z from 'zod/mini';
import { CheckboxField } from '../../components/checkbox-field.tsx';
import {
  Form,
  FormActions,
  SelectField,
  SubmitButton,
  TextareaField,
  TextField,
} from '../../components/form.tsx';
import { LogoField } from '../../components/logo-field.tsx';
import { Section } from '../../components/section.tsx';
import { Problem } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';

const Example = z.object({
  name: z
    .string()
    .check(
      z.minLength(1, 'Name is required'),
      z.regex(/^\w*$/, 'Name can only contain letters, numbers, and underscores'),
    ),
  kind: z.enum(['one', 'another']),
  note: z.string(),
  active: z.boolean(),
});

const RULES = {
  types: ['image/png', 'image/jpeg'],
  wrongType: 'Only PNG and JPEG are taken.',
  fits: (bytes: number) => bytes < 500_000,
  tooLarge: 'It is too large.',
};

/** Fails as the server does: with an error of a field, or of the form as a whole. */
async function save({ name }: z.output<typeof Example>) {
  if (name === 'taken')
    throw new Problem('Invalid', 422, { name: ['An example with this name already exists'] });
  if (name === 'broken') throw new Problem('Something went wrong on our side. Please try again.', 500);
}

export function FormPieces() {
  return (
    <Section title="Form" note="The name “taken” is refused at its field, “broken” for the form as a whole.">
      <Box maxWidth="420px">
        <Form
          schema={Example}
          initial={{ name: '', kind: 'one', note: '', active: true }}
          save={save}
          onSaved={() => toast('Saved.')}
        >
          <TextField name="name" label="Name" hint="Only letters, numbers, and underscores allowed" />
          <SelectField name="kind" label="Kind">
            <option value="one">One</option>
            <option value="another">Another</option>
          </SelectField>
          <TextareaField name="note" label="Note" rows={3} />
          <CheckboxField name="active">Active</CheckboxField>
          <FormActions>
            <SubmitButton loadingText="Saving...">Save</SubmitButton>
          </FormActions>
        </Form>
        <LogoField
          of={{ name: 'Example', logo: null }}
          rules={RULES}
          hint="A logo is chosen, or dropped here."
          save={async () => undefined}
        />
      </Box>
    </Section>
  );
}
