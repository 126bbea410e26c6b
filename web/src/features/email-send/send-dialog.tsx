import { SentEmailDialog } from '#web/entities/email/sent-email-dialog.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';

export default function SendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const organization = useOrganization();
  const { data, error, mutate } = useOrganizationData(
    'GET /api/email-sends/{emailSend}/content',
    { params: { emailSend: id }, isRefusalExpected: true },
    { revalidateOnFocus: false },
  );
  return (
    <SentEmailDialog
      content={data}
      problem={error}
      onRetry={mutate}
      instead={!organization && 'Please select an organization to view email content.'}
      onClose={onClose}
    />
  );
}
