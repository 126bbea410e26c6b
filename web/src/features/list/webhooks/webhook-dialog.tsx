import { Box, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type * as z from 'zod/mini';
import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { toast } from '#web/lib/toasts.ts';
import { HeaderFields } from './header-fields.tsx';
import SecretDialog from './secret-dialog.tsx';
import { valuesOfWebhook, WebhookForm, type WebhookValues } from './webhook-form-schema.ts';

const { TextField, CheckboxField } = fieldsOf<WebhookValues>();

type Props = {
  list: string;
  /** Undefined for a new one. */
  webhook: UnsubscribeWebhook | undefined;
  onClose: () => void;
};

/** The form of a webhook. After a new one is created, its secret is shown. */
export default function WebhookDialog({ list, webhook, onClose }: Props) {
  const change = useOrganizationChange();
  const [secret, setSecret] = useState<string>();
  // The initial values: the polled table must not add rows to the form.
  const [initial] = useState(() => valuesOfWebhook(webhook));

  async function save(body: z.output<typeof WebhookForm>) {
    if (webhook) {
      await change('PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}', {
        params: { list, webhook: webhook.id },
        body,
      });
      return undefined;
    }
    const created = await change('POST /api/email-lists/{list}/unsubscribe-webhooks', {
      params: { list },
      body,
    });
    return created.secret;
  }

  function saved(created: string | undefined) {
    if (created) return setSecret(created);
    toast('Webhook saved.');
    onClose();
  }

  if (secret) return <SecretDialog title="Webhook created" secret={secret} onClose={onClose} />;
  return (
    <Modal title={webhook ? 'Edit webhook' : 'Create webhook'} width="600px" onClose={onClose}>
      <Form
        schema={WebhookForm}
        initial={initial}
        save={save}
        onSaved={saved}
        failure="Failed to save webhook"
      >
        <TextField name="name" label="Name" data-autofocus />
        <TextField
          name="url"
          label="URL"
          type="url"
          inputMode="url"
          spellCheck={false}
          placeholder="https://example.com/webhooks"
          hint="A public address. Each event is posted to it as JSON."
        />
        <Box as="fieldset" mt="3" mb="4">
          <Text as="legend" fontSize="sm" fontWeight="medium">
            Events
          </Text>
          <CheckboxField name="events.unsubscribed" hint="By a link in an email, in the app or by a program.">
            Unsubscribed
          </CheckboxField>
          <CheckboxField name="events.bounced" hint="The address does not take emails any more.">
            Bounced
          </CheckboxField>
          <CheckboxField name="events.complained" hint="An email was reported as spam.">
            Complained
          </CheckboxField>
        </Box>
        <HeaderFields />
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText="Saving...">{webhook ? 'Save' : 'Create'}</SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}
