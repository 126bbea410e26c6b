import { type Ref, useMemo } from 'react';
import type * as z from 'zod/mini';
import { type EmailList, REGIONS } from '#shared/list.ts';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { hasKey, REGION_NAMES } from './connection.tsx';
import { sendingKeyForm } from './sending-key-schema.ts';

const { SecretField, SelectField } = fieldsOf<z.input<ReturnType<typeof sendingKeyForm>>>();

type Props = {
  list: EmailList;
  ref: Ref<HTMLFormElement>;
  /** Called before the form unmounts, which it does as soon as the list has a key. */
  onStored: () => void;
  onSaved: () => void;
  onCancel: (() => void) | undefined;
};

export function SendingKeyForm({ list, ref, onStored, onSaved, onCancel }: Props) {
  const change = useOrganizationChange();
  const isSet = hasKey(list);
  const schema = useMemo(() => sendingKeyForm(isSet), [isSet]);

  async function save(body: z.output<typeof schema>) {
    await change('PUT /api/email-lists/{list}/mailgun-key', { params: { list: list.id }, body });
    onStored();
  }

  const kept = 'Leave empty to keep the one that is set';
  return (
    <Form
      ref={ref}
      schema={schema}
      initial={{
        mailgun_sending_key: '',
        mailgun_webhook_signing_key: '',
        mailgun_region: list.mailgun_region,
      }}
      save={save}
      onSaved={onSaved}
      failure="Failed to update Mailgun sending key"
    >
      <SecretField
        name="mailgun_sending_key"
        label="Sending key"
        hint={`In Mailgun: Sending, Domain settings, Sending keys of ${list.domain}.`}
        placeholder={isSet ? kept : undefined}
      />
      <SelectField
        name="mailgun_region"
        label="Region"
        hint="Where the domain was added in Mailgun. A key of one region is unknown in the other."
        options={REGIONS.map(value => ({ value, label: REGION_NAMES[value] }))}
      />
      <SecretField
        name="mailgun_webhook_signing_key"
        label="Webhook signing key (optional)"
        hint="With it, what Mailgun reports about bounces and complaints can be trusted and counted."
        placeholder={list.mailgun_webhook_signing_key ? kept : undefined}
      />
      <FormActions>
        {onCancel && <CancelButton variant="ghost" onClick={onCancel} />}
        <SubmitButton variant="outline" loadingText="Saving...">
          Save key
        </SubmitButton>
      </FormActions>
    </Form>
  );
}
