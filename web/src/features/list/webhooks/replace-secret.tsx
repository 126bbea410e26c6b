import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';

type Props = {
  list: string;
  webhook: UnsubscribeWebhook;
  onReplaced: (secret: string) => void;
  onClose: () => void;
};

export default function ReplaceSecret({ list, webhook, onReplaced, onClose }: Props) {
  const change = useOrganizationChange();

  async function replace() {
    const { secret } = await change('POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret', {
      params: { list, webhook: webhook.id },
    });
    onReplaced(secret);
  }

  return (
    <ConfirmDialog
      title={`Replace the secret of ${webhook.name}?`}
      confirm="Replace secret"
      loadingText="Replacing..."
      failure="Failed to replace the secret"
      danger={false}
      onConfirm={replace}
      onClose={onClose}
    >
      For 24 hours, requests are signed with both the old secret and the new one. Give the new one to your
      endpoint meanwhile.
    </ConfirmDialog>
  );
}
