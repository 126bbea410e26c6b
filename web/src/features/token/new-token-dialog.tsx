import { useState } from 'react';
import * as z from 'zod/mini';
import { mayHave, type Role, SCOPE_NAMES, type Scope } from '#shared/permissions.ts';
import { EXPIRATIONS, MostPeople, TOKEN_NAME_TAKEN, TokenName } from '#shared/token.ts';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf, withUnderscores } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import { ShownOnce } from '#web/components/shown-once.tsx';
import { api } from '#web/lib/api.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { ScopesField } from './scopes-field.tsx';

type Values = z.input<ReturnType<typeof newTokenSchema>>;
const { TextField, SelectField, NumberField } = fieldsOf<Values>();

type Props = { taken: string[]; onCreated: (token: string) => unknown; onClose: () => void };

/** The form of a new token. Then the dialog shows its value. */
export default function NewTokenDialog({ taken, onCreated, onClose }: Props) {
  const [created, setCreated] = useState<string>();
  const organization = useOrganization();
  const { role = 'VIEWER', id } = organization ?? {};

  async function create(body: z.output<ReturnType<typeof newTokenSchema>>) {
    const { token } = await api('POST /api/tokens', { body, ...(id !== undefined && { organization: id }) });
    onCreated(token);
    return token;
  }

  if (created) {
    return (
      <ShownOnce
        title="Token created"
        warning="Copy the token now. It will not be shown again."
        value={created}
        onClose={onClose}
      />
    );
  }
  return (
    <Modal title="Create API token" onClose={onClose}>
      <Form
        schema={newTokenSchema(taken)}
        initial={{ name: '', expiration: 'null', scopes: initialScopes(role), max_people: null }}
        save={create}
        onSaved={setCreated}
        eager
        failure="Failed to create token"
      >
        <TextField
          name="name"
          label="Token name"
          hint="Only letters, numbers, and underscores."
          onInput={withUnderscores}
          data-autofocus
        />
        <SelectField name="expiration" label="Expiration" options={EXPIRATION_CHOICES} />
        <ScopesField role={role} />
        <NumberField
          name="max_people"
          label="Most new people a plan may email"
          min={0}
          placeholder="No limit"
          hint="Optional: plans that would email more people who get nothing today are refused."
        />
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText="Creating..." strict>
            Create
          </SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}

export const EXPIRATION_CHOICES = EXPIRATIONS.map(days => ({
  value: String(days),
  label: days === null ? 'Never' : days === 365 ? '1 year' : `${days} days`,
}));

const Expiration = z.pipe(
  z.string(),
  z.transform(chosen => EXPIRATIONS.find(days => String(days) === chosen) ?? null),
);

/** What most programs need: to read, and to send members, events and values. */
const initialScopes = (role: Role): Scope[] =>
  (['read', 'contacts'] as const).filter(scope => mayHave(role, scope));

export const newTokenSchema = (taken: readonly string[]) =>
  z.object({
    name: TokenName.check(z.refine(name => !taken.includes(name), TOKEN_NAME_TAKEN)),
    expiration: Expiration,
    scopes: z.array(z.enum(SCOPE_NAMES)).check(z.minLength(1, 'Choose at least one')),
    max_people: MostPeople,
  });
