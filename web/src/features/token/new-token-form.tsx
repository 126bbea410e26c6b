import { Button } from '../../components/button.tsx';
import { Form, SelectField, SubmitButton, TextField } from '../../components/form.tsx';
import { ModalActions } from '../../components/modal.tsx';
import { EXPIRATION_CHOICES, type NewTokenSchema, type NewTokenValues } from './new-token-schema.ts';

type Props = {
  schema: NewTokenSchema;
  save: (token: NewTokenValues) => Promise<unknown>;
  onCancel: () => void;
};

export const NewTokenForm = ({ schema, save, onCancel }: Props) => (
  <Form
    schema={schema}
    initial={{ name: '', expiration: 'null' }}
    save={save}
    onSaved={() => undefined}
    eager
    failure="Failed to create token"
  >
    <TextField
      name="name"
      label="Token name"
      hint="Only letters, numbers, and underscores."
      autoComplete="off"
      data-autofocus
    />
    <SelectField name="expiration" label="Expiration">
      {EXPIRATION_CHOICES.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
    <ModalActions>
      <Button onClick={onCancel}>Cancel</Button>
      <SubmitButton loadingText="Creating..." strict>
        Create
      </SubmitButton>
    </ModalActions>
  </Form>
);
