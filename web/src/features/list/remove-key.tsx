import { useState } from 'react';
import type { EmailList, SendingKeyChange } from '../../../../shared/list.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useOrganizationCall, useRefresh } from '../../lib/data.ts';
import { explained } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';

type Removal = {
  verb: string;
  question: string;
  lost: (list: EmailList) => string;
  body: SendingKeyChange;
  done: string;
  failure: string;
};

/** The sending key, and what only goes with it. */
export const BOTH: Removal = {
  verb: 'Remove key',
  question: 'Remove the sending key?',
  lost: ({ name, mailgun_webhook_signing_key }) =>
    mailgun_webhook_signing_key
      ? `${name} cannot send until another key is set. Its webhook signing key is removed as well.`
      : `${name} cannot send until another key is set.`,
  body: { mailgun_sending_key: null, mailgun_webhook_signing_key: null },
  done: 'Sending key removed.',
  failure: 'Error removing Mailgun sending key',
};

export const SIGNING: Removal = {
  verb: 'Remove webhook signing key',
  question: 'Remove the webhook signing key?',
  lost: ({ name }) =>
    `What Mailgun reports about bounces and complaints of ${name} is not trusted until another one is set.`,
  body: { mailgun_webhook_signing_key: null },
  done: 'Webhook signing key removed.',
  failure: 'Error removing webhook signing key',
};

/** Removes a key, after asking. */
export function RemoveKey({ list, removal }: { list: EmailList; removal: Removal }) {
  const { verb, question, lost, body, done, failure } = removal;
  const [asking, setAsking] = useState(false);
  const call = useOrganizationCall();
  const refresh = useRefresh();

  async function remove() {
    const change = call('PUT /api/email-lists/{list}/mailgun-key', { params: { list: list.id }, body });
    await explained(change, failure);
    await refresh('GET /api/email-lists/{list}');
    toast(done);
  }

  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {asking && (
        <ConfirmDialog
          title={question}
          confirm={verb}
          busy="Removing..."
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {lost(list)}
        </ConfirmDialog>
      )}
    </>
  );
}
