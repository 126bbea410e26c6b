import type { EmailSend } from '#shared/send.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { toast } from '#web/lib/toasts.ts';

type Props = { send: EmailSend; onSent: () => void; onClose: () => void };

export function ResendDialog({ send: { id, recipient_email }, onSent, onClose }: Props) {
  const change = useOrganizationChange();
  return (
    <ConfirmDialog
      title="Resend this email?"
      confirm="Resend"
      loadingText="Sending..."
      danger={false}
      failure="Failed to resend the email. Please try again."
      onConfirm={async () => {
        await change('POST /api/email-sends/{emailSend}/resend', { params: { emailSend: id } });
        onSent();
        toast(`The email to ${recipient_email} is sent again within a few minutes.`);
      }}
      onClose={onClose}
    >
      Nobody knows whether {recipient_email} got this email: the mail provider gave no clear answer. If it did
      arrive, they get it twice. It can be sent again once.
    </ConfirmDialog>
  );
}
