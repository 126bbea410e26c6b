import { SentEmailDialog } from '#web/entities/email/sent-email-dialog.tsx';
import { useOrganizationData } from '#web/lib/data.ts';

type Props = {
  /** The id of the action that sent it. */
  action: string;
  onClose: () => void;
};

/** Shows an email that was sent to the member. */
export default function EmailDialog({ action, onClose }: Props) {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/list-member-actions/{listMemberAction}/email-content',
    { params: { listMemberAction: action } },
  );
  return <SentEmailDialog content={data} problem={error} onRetry={() => void mutate()} onClose={onClose} />;
}
