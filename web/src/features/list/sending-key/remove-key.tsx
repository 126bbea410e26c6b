import { useState } from 'react';
import type { EmailList, SendingKeyChange } from '#shared/list.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { toast } from '#web/lib/toasts.ts';

type Removal = {
  verb: string;
  question: string;
  consequence: (list: EmailList) => string;
  body: SendingKeyChange;
  success: string;
  failure: string;
};

/** The webhook signing key is removed with the sending key. */
export const SENDING_KEY: Removal = {
  verb: 'Remove key',
  question: 'Remove the sending key?',
  consequence: ({ name, mailgun_webhook_signing_key }) =>
    mailgun_webhook_signing_key
      ? `${name} cannot send until another key is set. Its webhook signing key is removed as well.`
      : `${name} cannot send until another key is set.`,
  body: { mailgun_sending_key: null, mailgun_webhook_signing_key: null },
  success: 'Sending key removed.',
  failure: 'Error removing Mailgun sending key',
};

export const SIGNING_KEY: Removal = {
  verb: 'Remove webhook signing key',
  question: 'Remove the webhook signing key?',
  consequence: ({ name }) =>
    `What Mailgun reports about bounces and complaints of ${name} is not trusted until another one is set.`,
  body: { mailgun_webhook_signing_key: null },
  success: 'Webhook signing key removed.',
  failure: 'Error removing webhook signing key',
};

/** A button that removes a key, after a confirmation. */
export function RemoveKey({ list, removal }: { list: EmailList; removal: Removal }) {
  const { verb, question, consequence, body, success, failure } = removal;
  const [asking, setAsking] = useState(false);
  const change = useOrganizationChange();

  async function remove() {
    await change('PUT /api/email-lists/{list}/mailgun-key', { params: { list: list.id }, body });
    toast(success);
  }

  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {asking && (
        <ConfirmDialog
          title={question}
          confirm={verb}
          loadingText="Removing..."
          failure={failure}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {consequence(list)}
        </ConfirmDialog>
      )}
    </>
  );
}
